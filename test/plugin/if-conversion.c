// One of two writes of an element happens in every case: they become one write of a choice, and what is chosen from is read
// always. Row 0, which nothing writes here, is there because the address of what is written is computed from the table's
// base; where a sanitizer may have been told that parts of the table must not be accessed, conditions stay.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=LANES --implicit-check-not=remark:
// RUN: %FileCheck %s --input-file=%t.ll
// RUN: env POLY_OPTS=no-if-conversion %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %clang -O3 -march=x86-64-v3 -fsanitize=address %withpoly -Rpass=poly -Rpass-missed=poly -S -emit-llvm -o %t.ll %s 2>&1 | %FileCheck %s --check-prefix=NONE
//
// LANES: remark: optimized 2 loops, 1 statement; band of 2 tiled by 8, reordered, vector, SIMD wavefront of 8 lanes
// NONE: remark: 2 loops not optimized: no profitable transformation
//
// CHECK-LABEL: define internal{{.*}} void @common.poly
// CHECK:         select <8 x i1>
// CHECK:         store <8 x i32>
// CHECK:       }
void common(int n, int m, const char *a, const char *b, int *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i - 1] == b[j - 1])
        t[i * m + j] = t[(i - 1) * m + j - 1] + 1;
      else
        t[i * m + j] = t[(i - 1) * m + j] > t[i * m + j - 1] ? t[(i - 1) * m + j] : t[i * m + j - 1];
    }
}
