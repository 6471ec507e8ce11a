// Rows of a table of pointers are lanes, too: each lane has a pointer of its own, and squares are transposed all the same.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=LANES --implicit-check-not=remark:
// RUN: %FileCheck %s --input-file=%t.ll
//
// LANES: remark: optimized 2 loops, 1 statement; band of 2 tiled by 8, reordered, vector, SIMD wavefront of 8 lanes
//
// CHECK-LABEL: define internal{{.*}} void @path.poly
// CHECK:         load ptr
// CHECK:         phi <8 x i32>
// CHECK:         store <8 x i32>
// CHECK:       }
void path(int n, int m, const int *restrict c, int **d) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int up = d[i - 1][j], left = d[i][j - 1];
      d[i][j] = c[i * m + j] + (up < left ? up : left);
    }
}
