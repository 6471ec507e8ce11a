// Where the condition on sizes has several alternatives, the least sizes are tested first, by
// themselves: whoever enters with less goes to the original after two or three comparisons. All
// else is behind that branch.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -S -emit-llvm %s -o - 2>&1 | %FileCheck %s

// CHECK:       used for [p0, p1, p2] -> { : (p0 >= {{[0-9]+}} and p1 >= {{[0-9]+}} {{.*}}) or (
// CHECK-LABEL: define {{.*}} @product(
// CHECK:         icmp sgt i64 %0, 0
// CHECK-NOT:     br
// CHECK:         br i1
// CHECK-NOT:     {{add|select}} i
// CHECK:         icmp sgt i64 %0, {{[0-9]+}}
// CHECK-NEXT:    icmp sgt i64 %1, {{[0-9]+}}
// CHECK-NEXT:    and i1
// CHECK-NEXT:    icmp sgt i64 %2, {{[0-9]+}}
// CHECK-NEXT:    and i1
// CHECK-NEXT:    @llvm.expect.i1
// CHECK-NEXT:    br i1 {{.*}}!poly.new
// CHECK:         icmp ult i64 %0, 1125899906842625
// CHECK:         select i1
// CHECK:         br i1 {{.*}}!poly.new
void product(long n, long m, long p, double *restrict c, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        c[i * m + j] += a[i * p + k] * b[k * m + j];
}

// One alternative is tested as a whole.
// CHECK-LABEL: define {{.*}} @square(
// CHECK:         !poly.new
// CHECK-NOT:     !poly.new
// CHECK:       define internal
void square(long n, double *restrict c, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
