// Sanitizers come behind Poly: they see the accesses of the new code and of the check like all others, and that of the original.
// RUN: env POLY_OPTS=force %clang -O2 -fsanitize=address %withpoly -S -emit-llvm %s -o - | %FileCheck %s

// CHECK-LABEL: define {{.*}}@transposed(
// CHECK:       __asan_report_load
// CHECK-LABEL: define {{.*}}@transposed.poly(
// CHECK:       poly.opt:
// CHECK:       __asan_report_load
// CHECK-LABEL: define {{.*}}@transposed.poly.check(
// CHECK:       poly.check.rows:
// CHECK:       __asan_report_load
// CHECK:       attributes {{.*}} sanitize_address
void transposed(int n, double **a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[j * 100 + i];
}
