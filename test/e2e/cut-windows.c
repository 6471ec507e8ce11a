// Windows that borders cut off: of one and of two dimensions, around a place and behind it, wider
// than what they move over.
// poly: optimizes picture filter band
#include "check.h"

#define N 23
#define R 5

TEST_FUNCTION picture(int h, int w, int r, const float *in, const float *k, float *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
          if (y + j >= 0 && y + j < h && x + i >= 0 && x + i < w)
            s += in[(y + j) * w + x + i] * k[(j + r) * (2 * r + 1) + i + r];
      out[y * w + x] = s;
    }
}

TEST_FUNCTION filter(int n, int taps, const double *x, const double *weight, double *y) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < taps; k++)
      if (i - k >= 0)
        y[i] += weight[k] * x[i - k];
}

// A banded matrix, with its diagonals in rows.
TEST_FUNCTION band(int n, int b, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int d = 0; d <= 2 * b; d++)
      if (i + d - b >= 0 && i + d - b < n)
        y[i] += a[d * n + i] * x[i + d - b];
}

static float in[N * N], out[N * N], k[(2 * R + 1) * (2 * R + 1)];
static double x[N * N], weight[N * N], y[N];

int main(void) {
  FILL(in, COUNT(in), 1);
  FILL(k, COUNT(k), 2);
  FILL(x, COUNT(x), 3);
  FILL(weight, COUNT(weight), 4);
  for (int n = 0; n <= N; n += n < 5 ? 1 : 6)
    for (int r = 0; r <= R; r++) {
      int size = (int)hidden(n), radius = (int)hidden(r);
      picture(size, (int)hidden(N - n / 2), radius, in, k, out);
      SHOW("picture", out, COUNT(out));
      FILL(y, N, 5);
      filter(size, radius * 5, x, weight, y);
      SHOW("filter", y, N);
      band(size, radius, weight, x, y);
      SHOW("band", y, N);
    }
  return 0;
}
