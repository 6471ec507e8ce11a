// Both sides of a branch write the same element: where vectors store under conditions, one store
// that always happens is preferred, as what stores under conditions take depends on the data.
//
// RUN: %clang -O3 -march=znver3 %withpoly -Rpass=poly -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %FileCheck %s --input-file=%t.ll
// Vectors of loads under conditions need masks: SSE2 has none, and the loop is not counted as one.
// RUN: %clang -O3 -march=x86-64 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=NONE

// REMARK: remark: optimized 2 loops, 1 statement; band of 2, reordered, vector
// CHECK-LABEL: define {{.*}}@upwind.poly(
// CHECK-NOT:     @llvm.masked.store
// CHECK:         store <4 x double>
// CHECK-NOT:     @llvm.masked.store
// CHECK:       }
// NONE-NOT: store <2 x double>
void upwind(int n, double d[restrict n][n], double a[restrict n][n], double v[restrict n][n]) {
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < n - 1; i++) {
      if (v[i][j] > 0.5)
        d[i][j] = a[i][j] - 0.1 * (a[i][j] - a[i - 1][j]);
      else
        d[i][j] = a[i][j] - 0.2 * (a[i + 1][j] - a[i][j]);
    }
}
