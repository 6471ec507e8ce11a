// LLVM's overlap check stays inside of the loop over rows where a table says where these are: the
// original is vector code, and nothing is gained. Of a flat array it asks for all rows at once,
// which overlap, and runs scalar code.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// CHECK: elimination-of-rows.c:[[#@LINE+2]]:3: remark: 2 loops not optimized: no profitable transformation
void rows(int n, int k, double **a) {
  for (int i = k + 1; i < n; i++) {
    a[i][k] /= a[k][k];
    for (int j = k + 1; j < n; j++)
      a[i][j] -= a[i][k] * a[k][j];
  }
}

// CHECK: elimination-of-rows.c:[[#@LINE+2]]:3: remark: optimized 2 loops, {{.*}}vector
void flat(int n, int k, double *a) {
  for (int i = k + 1; i < n; i++) {
    a[i * n + k] /= a[k * n + k];
    for (int j = k + 1; j < n; j++)
      a[i * n + j] -= a[i * n + k] * a[k * n + j];
  }
}
