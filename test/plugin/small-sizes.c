// Register tiles of least values: comparisons and choices are vector code, also in tiles at the
// ends. Where sizes are too small for it and the original runs, LLVM must not conclude how short
// its loops are: it would execute them under masks.
//
// RUN: %clang -O3 -march=x86-64-v4 %withpoly -S -emit-llvm %s -o - | %FileCheck %s

// CHECK-LABEL: define {{.*}}@ways(
// CHECK: call i1 @llvm.expect.i1(i1 %{{.*}}, i1 true)
// CHECK-LABEL: define {{.*}}@ways.poly(
// CHECK-DAG: select <8 x i1> %{{.*}}, <8 x double>
// CHECK-DAG: call {{.*}}@llvm.masked.load.v8f64
void ways(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        double way = a[i * n + k] + b[k * n + j];
        c[i * n + j] = way < c[i * n + j] ? way : c[i * n + j];
      }
}
