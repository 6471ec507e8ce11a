// Bounds that are the smaller or larger of several: bands, blocks, windows.
// poly: optimizes band
#include "check.h"

#define N 40

static inline int least(int a, int b) {
  return a < b ? a : b;
}

static inline int most(int a, int b) {
  return a > b ? a : b;
}

TEST_FUNCTION band(int n, int width, double a[N][N], double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = most(0, i - width); j < least(n, i + width + 1); j++)
      y[i] += a[i][j] * x[j];
}

TEST_FUNCTION blocked(int n, int block, double a[N][N], double b[N][N]) {
  for (int ii = 0; ii < n; ii += block)
    for (int jj = 0; jj < n; jj += block)
      for (int i = ii; i < least(ii + block, n); i++)
        for (int j = jj; j < least(jj + block, n); j++)
          a[i][j] += b[j][i];
}

TEST_FUNCTION diagonals(int n, int m, double a[N][N]) {
  for (int d = 0; d < n + m - 1; d++)
    for (int i = most(0, d - m + 1); i <= least(d, n - 1); i++)
      a[i][d - i] = a[i][d - i] * 0.5 + d;
}

TEST_FUNCTION convolution(int n, int m, double *out, const double *in, const double *kernel) {
  for (int i = 0; i < n + m - 1; i++) {
    out[i] = 0;
    for (int j = most(0, i - n + 1); j < least(m, i + 1); j++)
      out[i] += in[i - j] * kernel[j];
  }
}

static double a[N][N], b[N][N], x[100], y[100], z[100];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 2)
    for (int width = 0; width < 50; width = width * 3 + 1) {
      FILL(&a[0][0], N * N, 1);
      FILL(&b[0][0], N * N, 2);
      FILL(x, 100, 3);
      FILL(y, 100, 4);
      FILL(z, 100, 5);
      band((int)hidden(n), (int)hidden(width), a, x, y);
      SHOW("band", y, 100);
      blocked((int)hidden(n), (int)hidden(width + 1), a, b);
      SHOW("blocked", &a[0][0], N * N);
      blocked((int)hidden(n), (int)hidden(width + 1), b, b);
      SHOW("blocked", &b[0][0], N * N);
      diagonals((int)hidden(n), (int)hidden(least(width, N)), a);
      SHOW("diagonals", &a[0][0], N * N);
      convolution((int)hidden(n), (int)hidden(width), z, x, y);
      SHOW("convolution", z, 100);
    }
  return 0;
}
