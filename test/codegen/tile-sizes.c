// Tile sizes that a program changes while it runs: whatever they are, the results are the same. Rectangles, triangles, skewed loops, statements of different
// depth, bounds below zero; with threads, and with the interface of a second module.

// REQUIRES: omp
// RUN: %clang -O2 -I%poly-dir %s -o %t.expected -lm && %t.expected > %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O2 %withpoly -I%poly-dir %s -o %t.1 -lm && %t.1 | cmp - %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles;tile-sizes=5,7' %clang -O3 -march=native -ffp-contract=off %withpoly -I%poly-dir %s -o %t.2 -lm && %t.2 | cmp - %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles;parallel' %clang -O2 %withpoly -I%poly-dir %s -o %t.5 %libomp -lm && env OMP_NUM_THREADS=3 %t.5 | cmp - %t.txt
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O2 %withpoly -I%poly-dir -DCOUNTS %s -o %t.3 -lm && %t.3 | %FileCheck %s
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O2 %withpoly -I%poly-dir -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O2 %withpoly -I%poly-dir -DSECOND -c %s -o %t.second.o
// RUN: env POLY_OPTS='force;parametric-tiles' %clang -O2 %withpoly -I%poly-dir -DFIRST -c %s -o %t.first.o
// RUN: %clang %t.first.o %t.second.o -o %t.4 -lm && %t.4 | cmp - %t.txt

// CHECK: product: 1 of 3 loops, 0
// CHECK: triangle: 1 of 3 loops, 0
// CHECK: seidel: 1 of 3 loops, 0
// REMARK: remark: optimized 3 loops, {{.*}} at first (nest 0x{{[0-9a-f]+}})

#include <poly.h>
#include <stdio.h>

#define N 61

extern double a[N][N], b[N][N], c[N][N];
extern int d[2 * N][2 * N];

void product(int n, int m, int l);
void triangle(int n);
void seidel(int steps, int n);
void factor(int n);
void below_zero(int n, int from, int to);
void two_statements(int n);

#ifndef FIRST
double a[N][N], b[N][N], c[N][N];
int d[2 * N][2 * N];

__attribute__((noinline)) void product(int n, int m, int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline)) void triangle(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = j; k < n; k++)
        c[i][j] += a[k][i] * b[k][j];
}

__attribute__((noinline)) void seidel(int steps, int n) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] +
                   a[i + 1][j + 1]) / 9.0;
}

__attribute__((noinline)) void factor(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

__attribute__((noinline)) void below_zero(int n, int from, int to) {
  for (int i = from; i < to; i++)
    for (int j = -i; j < n; j += 3)
      d[i + N][j + N] += d[i + N - 1][j + N] + i * j;
}

__attribute__((noinline)) void two_statements(int n) {
  for (int i = 1; i < n; i++) {
    b[i][0] = 0.5 * b[i - 1][0] + c[i][0];
    for (int j = 1; j < n; j++) {
      b[i][j] = 0.25 * (b[i - 1][j] + b[i][j - 1]);
      c[i][j] += b[i][j] - b[i - 1][j - 1];
    }
  }
}
#endif

#ifndef SECOND
#include "tile-sizes.h"

static void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 7 + j * 3) % 11 / 8.0 + (i == j ? 40 : 0);
      b[i][j] = (i * 5 + j) % 13 / 4.0;
      c[i][j] = (i + j * 9) % 17 / 2.0;
    }
  for (int i = 0; i < 2 * N; i++)
    for (int j = 0; j < 2 * N; j++)
      d[i][j] = (i * 31 + j) % 29;
}

static void run(int n) {
  fill();
  product(n, n - 3, n - 1);
  triangle(n);
  below_zero(n / 2, -n / 2, n / 3);
  two_statements(n);
  seidel(7, n);
  factor(n);
  hash = 14695981039346656037ull;
  add(a, sizeof a);
  add(b, sizeof b);
  add(c, sizeof c);
  add(d, sizeof d);
  printf("%llx\n", hash);
}

int main(void) {
#ifdef COUNTS
  POLY_FOR_EACH_NEST(nest) {
    int64_t sizes[2] = {3, 9};
    int found = poly_set_tile_sizes(nest->id, 2, sizes);
    int wrong = nest->sizes[0] != 3 || nest->sizes[1] != 9;
    int64_t none[1] = {0};
    poly_set_tile_sizes(nest->id, 1, none);
    wrong += nest->sizes[0] != nest->defaults[0] || nest->sizes[1] != 9;
    printf("%s: %d of %d loops, %d\n", nest->function, found, nest->n, wrong);
  }
  return poly_set_tile_sizes(0, 0, 0);
#endif
  static const int64_t all[][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 3, 5, 7}, {7, 1, 13, 4}, {16, 16, 16, 16}, {1, 1000, 3, 1}, {4096, 8, 1, 64},
                                   {1ll << 40, 5, 1ll << 62, 2}, {-3, 11, 32, 32}, {61, 60, 59, 58}};
  for (unsigned set = 0; set < sizeof all / sizeof *all; set++) {
    POLY_FOR_EACH_NEST(nest) poly_set_tile_sizes(nest->id, 4, all[set]);
    run(N);
    run(17);
    run(4);
  }
  return 0;
}
#endif
