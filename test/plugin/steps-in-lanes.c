// Where both loops of a table carry dependences, rows are lanes of vectors, each a step behind the one before. Letters have one
// byte, and lanes compare, choose and convert.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=NARROW --implicit-check-not=remark:
// RUN: %FileCheck %s --input-file=%t.ll -DTYPE='<8 x i32>'
// RUN: %clang -O3 -march=x86-64-v4 %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=WIDE --implicit-check-not=remark:
// RUN: %FileCheck %s --input-file=%t.ll -DTYPE='<16 x i32>'
// RUN: env POLY_OPTS=no-lanes %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=NONE

// NARROW: remark: optimized 2 loops, 1 statement; band of 2 tiled by 8, reordered, vector, SIMD wavefront of 8 lanes
// WIDE: remark: optimized 2 loops, 1 statement; band of 2 tiled by 16, reordered, vector, SIMD wavefront of 16 lanes
// NONE: remark: 2 loops not optimized: no profitable transformation
//
// What steps have computed is handed on, and transposed before it is stored.
// CHECK-LABEL: define internal{{.*}} void @alignment.poly
// CHECK:         phi [[TYPE]]
// CHECK:         @llvm.smax.v
// CHECK:         store [[TYPE]]
// CHECK:       }
void alignment(int n, int m, const char *a, const char *b, int *f) {
  int w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int match = f[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? 1 : -1);
      int up = f[(i - 1) * w + j] - 2, left = f[i * w + j - 1] - 2, gap = up > left ? up : left;
      f[i * w + j] = match > gap ? match : gap;
    }
}
