// Pointers that inner loops move by the same distance in every iteration of an outer loop: recurrences of the outer loop.
// RUN: %clang -O3 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: SCoPs of function 'rows':
// CHECK: write {{.*}} -> p[i0, i1] }
void rows(int n, int m, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      *p++ += q[j];
}

// CHECK-LABEL: SCoPs of function 'deep':
// CHECK: write {{.*}} -> p[i0, i1, i2] }
void deep(int n, int m, int l, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        *p++ += q[k * 100 + j];
}

// CHECK-LABEL: SCoPs of function 'triangle':
// CHECK: rejected {{.*}}the base address of an access is
void triangle(int n, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      *p++ -= q[j];
}
