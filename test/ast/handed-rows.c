// Rows of a table that iterations hand on: each has memory of its own, which few rows share, and
// strips of them are lanes.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -Rpass-analysis=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=remark-details %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-analysis=poly -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --check-prefix=LOOPS %s
// RUN: env POLY_OPTS=no-expansion %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --allow-empty --check-prefix=WITHOUT %s
// RUN: env POLY_OPTS=parallel %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=CHECK %s
//
// CHECK-NOT: internal error
// WITHOUT-NOT: lanes

// Two rows that are swapped.
//
// CHECK: handed-rows.c:[[# @LINE + 14]]:3: remark: optimized 2 loops, {{.*}} SIMD wavefront of 8 lanes; {{.*}}8 rows of M{{[0-9]}}; 16 rows of M{{[0-9]}};
//
// The first column is set strip by strip.
// LOOPS: new loops:
// LOOPS: for (int c0 = 0; c0 <= {{.*}}; c0 += 1) {
// LOOPS: for (int c1 = 8 * c0;
// LOOPS-NEXT: S{{[0-9]+}}(c1);
// LOOPS: for (int c1 = 8 * c0;
// LOOPS-NEXT: S{{[0-9]+}}(c1);
// LOOPS: // simd-wavefront
// LOOPS-NEXT: for (int c1 = 8 * c0;
// LOOPS-NEXT: // vector
// LOOPS-NEXT: for (int c2 =
int swapped(const char *a, int n, const char *b, int m, int *prev, int *cur) {
  for (int i = 1; i <= n; i++) {
    cur[0] = i;
    for (int j = 1; j <= m; j++) {
      int least = prev[j] < cur[j - 1] ? prev[j] + 1 : cur[j - 1] + 1;
      int other = prev[j - 1] + (a[i - 1] != b[j - 1]);
      cur[j] = least < other ? least : other;
    }
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return prev[m];
}

// One row, with a saved diagonal.
//
// CHECK: handed-rows.c:[[# @LINE + 2]]:3: remark: optimized 2 loops, {{.*}} SIMD wavefront of 8 lanes; {{.*}}16 rows of M{{[0-9]}};
int in_place(const char *a, int n, const char *b, int m, int *row) {
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int old = row[j];
      int least = old < row[j - 1] ? old + 1 : row[j - 1] + 1;
      int other = diagonal + (a[i - 1] != b[j - 1]);
      row[j] = least < other ? least : other;
      diagonal = old;
    }
  }
  return row[m];
}

// A column that nobody writes.
//
// CHECK: handed-rows.c:[[# @LINE + 2]]:3: remark: optimized 2 loops, {{.*}} SIMD wavefront of 8 lanes; {{.*}}16 rows of M{{[0-9]}}; 8 rows of M{{[0-9]}};
int column(const char *a, int n, const char *b, int m, int *restrict prev, int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      cur[j] = a[i - 1] == b[j - 1] ? prev[j - 1] + 1 : prev[j] > cur[j - 1] ? prev[j] : cur[j - 1];
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return prev[m];
}

// The last row is shorter than the one before: the rest of it is of another iteration.
//
// CHECK-NOT: lanes
int shorter(int n, int m, int *restrict row) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m - i; j++)
      row[j] = row[j] > row[j - 1] ? row[j] : row[j - 1] + 1;
  return row[0];
}
