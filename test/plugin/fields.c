// Arrays of structures: each field gets an array of its own while the new code runs, where its elements are used again and again.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly %s -S -o /dev/null 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS='machine=haswell;debug-dump=ast' %clang -O3 -march=x86-64-v3 -fno-discard-value-names %withpoly %s -S -o /dev/null 2>&1 \
// RUN:   | %FileCheck --check-prefix=AST %s
// RUN: env POLY_OPTS=no-expansion %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly %s -S -o /dev/null 2>&1 \
// RUN:   | %FileCheck --check-prefix=WITHOUT --allow-empty %s
//
// WITHOUT-NOT: arrays expanded
#include <math.h>

typedef struct {
  double re, im;
} complex_t;

struct body {
  float p[3], v[3], m;
};

// CHECK: fields.c:[[@LINE+7]]:{{.*}} optimized 3 loops, 9 statements;{{.*}} register tiles{{.*}} 6 arrays expanded
// AST: Gather0
// AST: Gather1
// AST: register-tile(
// AST: Scatter0
// AST: Scatter1
void product(int n, const complex_t *restrict a, const complex_t *restrict b, complex_t *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      complex_t sum = {0, 0};
      for (int k = 0; k < n; k++) {
        sum.re += a[i * n + k].re * b[k * n + j].re - a[i * n + k].im * b[k * n + j].im;
        sum.im += a[i * n + k].re * b[k * n + j].im + a[i * n + k].im * b[k * n + j].re;
      }
      c[i * n + j] = sum;
    }
}

// The inner loops are unrolled before it is known that no root is one of a negative number.
// CHECK: fields.c:[[@LINE+2]]:{{.*}} optimized 2 loops,{{.*}} band of 2, reordered, vector;{{.*}} 7 arrays expanded
void forces(int n, struct body *b, float dt) {
  for (int i = 0; i < n; i++) {
    float f[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      float d[3], r = 0.01f;
      for (int k = 0; k < 3; k++) {
        d[k] = b[j].p[k] - b[i].p[k];
        r += d[k] * d[k];
      }
      float w = b[j].m / (r * sqrtf(r));
      for (int k = 0; k < 3; k++)
        f[k] += w * d[k];
    }
    for (int k = 0; k < 3; k++)
      b[i].v[k] += dt * f[k];
  }
}

// Elements that data decide about need not be there.
// CHECK-NOT: arrays expanded
void chosen(int n, const complex_t *restrict a, const complex_t *restrict b, complex_t *restrict c,
            const int *restrict has) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      complex_t sum = {0, 0};
      for (int k = 0; k < n; k++) {
        double re = 0, im = 0;
        if (has[k]) {
          re = b[k * n + j].re;
          im = b[k * n + j].im;
        }
        sum.re += a[i * n + k].re * re - a[i * n + k].im * im;
        sum.im += a[i * n + k].re * im + a[i * n + k].im * re;
      }
      c[i * n + j] = sum;
    }
}
