// Loops with pragmas: unrolling, vectorization on or off, distribution, and OpenMP's without its runtime.
#include "check.h"

#define N 24

TEST_FUNCTION unrolled(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
#pragma clang loop unroll_count(3)
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i] * 0.5;
}

TEST_FUNCTION fully_unrolled(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 5; j++)
#pragma unroll
      for (int k = 0; k < 3; k++)
        a[i][j] += b[k][j] * b[i][k];
}

TEST_FUNCTION not_vectorized(int n, double a[N][N], double b[N][N]) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; i++)
#pragma clang loop vectorize(disable) interleave(disable)
    for (int j = 0; j < n; j++)
      a[i][j] = a[i][j] * 0.5 + b[i][j];
}

TEST_FUNCTION widened(int n, float *a, float *b) {
#pragma clang loop vectorize_width(4) interleave_count(2)
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 0.5f + b[i];
}

TEST_FUNCTION distributed(int n, double *a, double *b, double *c) {
#pragma clang loop distribute(disable)
  for (int i = 1; i < n; i++) {
    a[i] = a[i - 1] * 0.5 + b[i];
    c[i] = b[i] * 2;
  }
}

static double a[N][N], b[N][N];
static float f[2][100];

int main(void) {
  for (int n = 0; n <= N; n += 6) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(&f[0][0], 200, 3);
    unrolled(h, a, b);
    fully_unrolled(h, a, b);
    not_vectorized(h, a, b);
    not_vectorized(h, a, a);
    SHOW("a", &a[0][0], N * N);
    widened(h * 4, f[0], f[1]);
    widened(h * 3, f[0] + hidden(1), f[0]);
    SHOW("f", &f[0][0], 200);
    distributed(h, a[0], a[1], b[0]);
    distributed(h, a[0], a[0], a[0] + hidden(2));
    SHOW("distributed", &a[0][0], N * N);
  }
  return 0;
}
