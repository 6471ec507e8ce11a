// Products of sizes: rows and ends of arrays that are given by them, and flat loops over them beside rows.
// RUN: %clang -O3 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: SCoPs of function 'last_row':
// CHECK: array double A[*]{{.*}}(n)
// CHECK: write {{.*}} -> A[-1 + n, i0] }
void last_row(int n, double *restrict A, const double *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * n + j] += B[j * n + i];
  for (int j = 0; j < n; j++)
    A[(n - 1) * n + j] = 1;
}

// CHECK-LABEL: SCoPs of function 'given_row':
// CHECK: write {{.*}} -> A[row, i0] }
void given_row(int n, int row, double *restrict A, const double *restrict B) {
  for (int j = 0; j < n; j++)
    A[row * n + j] = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * n + j] += B[j * n + i];
}

// The flat loop may touch any element of the rows up to the last one.
// CHECK-LABEL: SCoPs of function 'flat':
// CHECK: may write {{.*}} -> A[o0, o1] : 0 <= o1 < n and 0 <= o0 < n }
void flat(int n, int steps, double *restrict A, const double *restrict B) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i * n + j] += B[j * n + i];
    for (int k = 0; k < n * n; k++)
      A[k] *= B[k];
  }
}

// CHECK-LABEL: SCoPs of function 'batch':
// CHECK: write {{.*}} -> A[i0, i1, i2] }
void batch(int count, int n, double *restrict A, const double *restrict B) {
  for (int b = 0; b < count; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        (A + b * n * n)[i * n + j] += B[j * n + i];
}
