// What `poly eq from` makes of a program: one system for each part that has been modelled.
// REQUIRES: poly
// RUN: %program-poly eq from %s -o %t.eq -- --poly-plugin=%poly --poly-clang=%clang
// RUN: %FileCheck %s < %t.eq
// RUN: %program-poly eq check %t.eq --system jacobi | %FileCheck %s --check-prefix=CHECKED
// RUN: %not %program-poly eq from %s --system main -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=NONE
// CHECK: // jacobi, line
// CHECK: extern f64 f_jacobi_[[S:S[0-9]+]](i64, i64, f64, f64);
// CHECK-NEXT: system jacobi[
// CHECK: in f64 A_in
// CHECK: out f64 A :
// CHECK: [[S]][i0, i1] = f_jacobi_[[S]](val[i0], val[i1], case {
// CHECK-NEXT: i0 > 0{{.*}}: [[S]][-1 + i0,
// CHECK: // product, line
// CHECK: system product[
// CHECK: {{S[0-9]+}}[i0, i1, i2] = f_product_
// CHECKED: jacobi: {{.*}} no flaws
// NONE: error: Poly has modelled no loops of `main` in
void jacobi(int n, int t, double A[restrict 100][100]) {
  for (int k = 1; k < t; k++)
    for (int i = 1; i < n; i++)
      A[k][i] = A[k - 1][i - 1] * A[k - 1][i];
}
void product(int n, double C[restrict 100][100], double A[restrict 100][100], double B[restrict 100][100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
