// The sizes that tiles of a program begin with where loops are chains: short rows of chains, short
// pieces of columns, vectors beside single points. Whatever the sizes are later, the results are
// the same.

// RUN: %clang -O2 -ffp-contract=off -I%poly-dir %s -o %t.expected && %t.expected > %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O2 -ffp-contract=off %withpoly -I%poly-dir %s -o %t.1 && %t.1 | cmp - %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O3 -march=native -ffp-contract=off %withpoly -I%poly-dir %s -o %t.2 && %t.2 | cmp - %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles;parallel' %clang -O3 -ffp-contract=off %withpoly -I%poly-dir %s -o %t.3 %libomp && env OMP_NUM_THREADS=3 %t.3 | cmp - %t.txt
// RUN: env POLY_OPTS='parametric-tiles' %clang -O3 -march=znver4 -DN=1000 %withpoly -I%poly-dir -Rpass=poly -Rpass-missed=poly -c %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O3 -march=znver4 %withpoly -I%poly-dir -Rpass=poly -Rpass-missed=poly -c %s -o /dev/null 2>&1 | %FileCheck --check-prefix=LEGAL %s

// REQUIRES: omp

#include <poly.h>
#include <stdio.h>

#ifndef N
#define N 130
#endif

extern float in[N][N], out[N][N];
extern double a[N][N], b[N][N];
extern int best[N][N];


// The cheapest path through a table, by steps to the right, down, and both. The innermost size is
// that of a chain, not that of a cache.
// CHECK: [[@LINE+2]]:3: remark: optimized 2 loops, {{.*}} tiled by {{[0-9a-z]+x([4-9]|[12][0-9])}} at first
__attribute__((noinline)) void path(int n) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      double least = a[i - 1][j] < a[i][j - 1] ? a[i - 1][j] : a[i][j - 1];
      a[i][j] += least < a[i - 1][j - 1] ? least : a[i - 1][j - 1];
    }
}

// Nine points in place.
// CHECK: [[@LINE+2]]:3: remark: optimized 3 loops, {{.*}} tiled by {{[0-9a-z]+x[0-9a-z]+x([4-9]|[12][0-9])}} at first
__attribute__((noinline)) void relax(int steps, int n) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = (b[i - 1][j - 1] + b[i - 1][j + 1] + b[i][j - 1] + b[i][j] + b[i][j + 1] + b[i + 1][j - 1] + b[i + 1][j + 1]) / 7;
}

// A filter that goes back and forth along rows: the points of a column are free, and the first
// cache keeps the lines of a few of them. Columns are no vectors.
// CHECK: [[@LINE+2]]:3: remark: optimized 2 loops, {{.*}} tiled by {{[0-9]+x(8|16|32)}} at first (nest 0x{{[0-9a-f]+}}), reordered;
__attribute__((noinline)) void smooth(int n) {
  for (int i = 0; i < n; i++)
    for (int j = n - 3; j >= 0; j--) {
      out[i][j] = 0.25f * in[i][j + 1] + 0.5f * out[i][j + 1] - 0.125f * out[i][j + 2];
      in[i][j] += out[i][j];
    }
}

// The cheapest way to split an interval: what is looked for along `k` waits for nothing but the
// last step of a shorter interval.
__attribute__((noinline)) void bracket(int n) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      best[i][j] = best[i][j - 1] < best[i + 1][j] ? best[i + 1][j] : best[i][j - 1];
      for (int k = i + 1; k < j; k++)
        best[i][j] = best[i][j] < best[i][k] + best[k + 1][j] ? best[i][k] + best[k + 1][j] : best[i][j];
    }
}

// LEGAL: [[@LINE+3]]:3: remark: optimized 5 loops
// A factorization by columns: the members that are free but for a point go along columns, too.
__attribute__((noinline)) void factor(int n) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      b[j][j] -= b[j][k] * b[j][k];
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        b[i][j] -= b[i][k] * b[j][k];
      b[i][j] /= b[j][j];
    }
  }
}

// Elimination by rows: divisions beside updates that are vectors.
// CHECK: [[@LINE+2]]:3: remark: optimized 3 loops, {{.*}} tiled by {{.*}} at first {{.*}}vector
__attribute__((noinline)) void eliminate(int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

float in[N][N], out[N][N];
double a[N][N], b[N][N];
int best[N][N];

#include "tile-sizes.h"

static void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 7 + j * 3) % 11 / 8.0 + (i == j ? 60 : 0);
      b[i][j] = (i * 5 + j) % 13 / 16.0 + (i == j ? 90 : 0);
      in[i][j] = (i + j * 9) % 17 / 2.0f;
      out[i][j] = (i * 3 + j) % 7 / 4.0f;
      best[i][j] = (i * 31 + j * 17) % 5;
    }
}

static void run(int n) {
  fill();
  path(n);
  relax(5, n);
  smooth(n);
  bracket(n);
  factor(n);
  eliminate(n);
  hash = 14695981039346656037ull;
  add(a, sizeof a);
  add(b, sizeof b);
  add(in, sizeof in);
  add(out, sizeof out);
  add(best, sizeof best);
  printf("%llx\n", hash);
}

int main(void) {
  static const int64_t all[][3] = {{0, 0, 0}, {1, 1, 1}, {2, 3, 5}, {7, 1, 13}, {16, 16, 16}, {1000, 8, 5}, {4, 1000, 2}, {64, 8, 1000}};
  for (unsigned set = 0; set < sizeof all / sizeof *all; set++) {
    POLY_FOR_EACH_NEST(nest) poly_set_tile_sizes(nest->id, 3, all[set]);
    run(N);
    run(9);
    run(3);
  }
  return 0;
}
