// Threads share one main memory. Two of them that bring a matrix of 32 MB twice are slower than one that brings it once, for both sums; sixteen are expected to be faster,
// and so are two that multiply matrices.

// REQUIRES: omp
// RUN: env POLY_OPTS='parallel;num-threads=2' %clang -O3 -march=x86-64-v3 %withpoly %s -Rpass=poly -c -o /dev/null 2>&1 | %FileCheck --check-prefix=TWO %s
// RUN: env POLY_OPTS='parallel;num-threads=16' %clang -O3 -march=x86-64-v3 %withpoly %s -Rpass=poly -c -o /dev/null 2>&1 | %FileCheck --check-prefix=MANY %s
// TWO: {{.*}}threads-memory.c:24:3: remark: optimized {{.*}}; one thread, as threads would need {{.*}} cycles; predicted
// TWO: remark: optimized 3 loops, {{.*}}, parallel
// MANY: threads-memory.c:24:3: remark: optimized {{.*}}, parallel
// MANY-NOT: one thread

// RUN: %clang -O3 -march=x86-64-v3 %s -o %t.expected -lm && %t.expected > %t.txt
// RUN: env POLY_OPTS='parallel;num-threads=2' %clang -O3 -march=x86-64-v3 %withpoly %s -o %t.2 %libomp -lm && env OMP_NUM_THREADS=2 %t.2 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;num-threads=16' %clang -O3 -march=x86-64-v3 %withpoly %s -o %t.16 %libomp -lm && env OMP_NUM_THREADS=3 %t.16 | cmp - %t.txt

#include <stdio.h>

#define N 2100
#define M 300

static double a[N][N], x[N], y[N], z[N], b[M][M], c[M][M], d[M][M];

__attribute__((noinline)) void sums(double a[restrict N][N], double *restrict x, double *restrict y, double *restrict z) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      y[i] = y[i] + a[i][j] * x[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      z[i] = z[i] + a[j][i] * x[j];
}

__attribute__((noinline)) void product(double b[restrict M][M], double c[restrict M][M], double d[restrict M][M]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < M; k++)
        d[i][j] += b[i][k] * c[k][j];
}

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < N; i++) {
    x[i] = (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5;
    for (int j = 0; j < N; j++)
      a[i][j] = (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5;
  }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      b[i][j] = a[i][j], c[i][j] = a[j + 1][i];
  sums(a, x, y, z);
  product(b, c, d);
  for (int i = 0; i < N; i++)
    printf("%a %a\n", y[i], z[i]);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      printf("%a\n", d[i][j]);
  return 0;
}
