// Several branches of a check lead to the original code. What LLVM knows of its loops from the branches above is repeated in
// front of it: without, it takes the number of iterations for the larger one of n and 1, and does not unroll the inner loop.
//
// LLVM 22 unrolls the outer loop of the original in place of the inner one: not solved.
// UNSUPPORTED: llvm22
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env POLY_OPTS=no-outline %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %opt -passes=verify -disable-output

// CHECK-LABEL: define {{.*}} @polynomials(
// CHECK-COUNT-8: @llvm.fmuladd.f64
// CHECK:         ret void
// CHECK-LABEL: define internal {{.*}}@polynomials.poly(
void polynomials(int n, int d, const double *x, const double *c, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = d - 1; k >= 0; k--)
      s = s * x[i] + c[k];
    y[i] = s;
  }
}
