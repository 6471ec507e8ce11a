// Where sums may be fused with products, results do not depend on what the new code makes of them:
// what the code generator would fuse is fused in the model, and nothing else is fused.
// Without new code, the function is what it was.

// RUN: %clang -O3 -march=x86-64-v3 -ffp-contract=fast %withpoly -S -emit-llvm -o - %s | %FileCheck %s

// CHECK-LABEL: define {{.*}} @sum(
// CHECK-NOT: fmuladd
// CHECK: fmul contract double
// CHECK: fadd contract double
double sum(long n, double *restrict a, double *restrict b) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

// Both loops are one, and the products of both are the same.
// CHECK-LABEL: define {{.*}} @updates.poly(
// CHECK-NOT: = fmul
// CHECK: call contract <4 x double> @llvm.fmuladd.v4f64(
// CHECK: call contract <4 x double> @llvm.fmuladd.v4f64(
// CHECK-NOT: = fmul
// CHECK: }
void updates(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      c[j * n + i] += a[j * n + i] * b[j * n + i];
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      c[j * n + i] += a[j * n + i] * b[j * n + i];
}
