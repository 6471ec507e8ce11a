// What `poly eq from` makes of a program: one system for each part that has been modelled.
// REQUIRES: poly
// RUN: %program-poly eq from %s -o %t.eq -- --poly-plugin=%poly --poly-clang=%clang
// RUN: %FileCheck %s < %t.eq
// RUN: %program-poly eq check %t.eq --system jacobi | %FileCheck %s --check-prefix=CHECKED
// RUN: %not %program-poly eq from %s --system main -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %program-poly eq run %t.eq --system jacobi -p n=3 -p t=3 -i A_in=2,3,5,7 | %FileCheck %s --check-prefix=VALUES
// CHECK: // unknown, line {{[0-9]+}}: no equations: {{.*}} has a write that may not happen
// CHECK: // jacobi, line
// CHECK: system jacobi[
// CHECK: in f64 A_in
// CHECK: out f64 A :
// CHECK: let f64 [[S:S[0-9]+]] :
// CHECK: [[S]][i0, i1] = case {
// CHECK-NEXT: i0 > 0{{.*}}: [[S]][-1 + i0,
// CHECK: } * case {
// CHECK: // product, line
// CHECK: system product[
// CHECK: {{S[0-9]+}}[i0, i1, i2] = {{.*}}A_in[i0, i2] * B_in[i2, i1]
// What has no translation is a function of unknown meaning, with the types of the program.
// CHECK: // called, line
// CHECK: extern f32 f_called_[[T:S[0-9]+]](i64, f32);
// CHECK: [[T]][i0] = f_called_[[T]](val[i0], x_in[i0]);
// VALUES: A =
// VALUES-NEXT: 6 15
// VALUES-NEXT: 42 90
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
float other(float) __attribute__((const, nothrow, leaf));
void called(int n, float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = other(x[i]);
}
void unknown(int n, float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = other(x[i]);
}
