// Ends of rows of register tiles: under masks, or, where masked loads are slow, as vectors of whole
// lanes and single columns.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=FAST
// RUN: %clang -O3 -march=znver1 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=SLOW

// FAST-LABEL: define {{.*}}@product.poly(
// FAST:         @llvm.masked.load.v4f64
// FAST:       }
// SLOW-LABEL: define {{.*}}@product.poly(
// SLOW-NOT:     @llvm.masked.load
// SLOW:         fmul <4 x double>
// SLOW-NOT:     @llvm.masked.load
// SLOW:       }
void product(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j] * 0.5;
}
