// What `poly explain` says of loops with and without new code, and of wrong requests.
// REQUIRES: poly
// RUN: %program-poly explain %s -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 | %FileCheck %s
// RUN: %not %program-poly explain %s.none.c 2>&1 | %FileCheck %s --check-prefix=NONE
// CHECK: gemm, 3 loops: optimized
// CHECK: // S1 is line [[#]]: C[i][j] += A[i][k] * B[k][j];
// CHECK: what is used of C and of A does not overlap
// CHECK: find, 1 loop: not optimized
// CHECK: while (a[i] != x)
// CHECK-NEXT: | i++;
// CHECK: What helps
// CHECK-NEXT: make it known before the loop how often it runs
// CHECK: shown, 1 loop: not optimized
// CHECK: What helps
// CHECK-NEXT: move the output out of the loop: keep what is to be printed
// NONE: error: {{.*}} cannot be read
void gemm(int n, double C[n][n], double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
int find(const int *a, int n, int x) {
  int i = 0;
  while (a[i] != x)
    i++;
  return i;
}
int printf(const char *, ...);
void shown(int n, const double *a) {
  for (int i = 0; i < n; i++)
    printf("%g", a[i]);
}
