// Rows that the number of an iteration picks change places like pointers that are swapped, and
// copies of blocks become loops, where that allows to optimize the loop.
// RUN: %clang -O3 -march=x86-64-v3 %s -c -o /dev/null %withpoly -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=no-unroll-rotations %clang -O3 -march=x86-64-v3 %s -c -o /dev/null %withpoly -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck --check-prefix=WITHOUT %s
// RUN: %clang -O3 -march=x86-64-v3 %s -S -emit-llvm -o %t.ll %withpoly
// RUN: %FileCheck --check-prefix=CODE --input-file %t.ll %s
#include <string.h>

static double planes[2][2000][2000];

// CHECK-NOT: internal error
// CHECK: picked-rows.c:[[# @LINE + 3]]:3: remark: optimized 3 loops, 2 statements; band of 3 tiled by
// WITHOUT: picked-rows.c:[[# @LINE + 2]]:3: remark: 3 loops not optimized: no profitable transformation was found
void heat(int t, int n) {
  for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        planes[(k + 1) % 2][i][j] = 0.2 * (planes[k % 2][i - 1][j] + planes[k % 2][i][j] + planes[k % 2][i + 1][j] +
                                           planes[k % 2][i][j - 1] + planes[k % 2][i][j + 1]);
}

// CHECK: picked-rows.c:[[# @LINE + 3]]:3: remark: optimized 3 loops, 2 statements; band of 3 tiled by
// WITHOUT: picked-rows.c:[[# @LINE + 2]]:3: remark: 3 loops not optimized: no profitable transformation was found
void copied(int t, double a[2000][2000], double b[2000][2000]) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < 1999; i++)
      for (int j = 1; j < 1999; j++)
        b[i][j] = 0.2 * (a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    memcpy(a, b, sizeof(double[2000][2000]));
  }
}

// One row is accessed in another way, too: the loop stays as it is.
// CHECK: picked-rows.c:[[# @LINE + 5]]:3: remark: 2 loops not optimized
// CODE-LABEL: define {{.*}}@other_way(
// CODE-NOT: launder
// CODE: {{^}}}
void other_way(int t, int n) {
  for (int k = 0; k < t; k++)
    for (int j = 1; j < n; j++)
      planes[(k + 1) % 2][0][j] = 0.5 * planes[k % 2][0][j] + planes[0][1][j - 1];
}
