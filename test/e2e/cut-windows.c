// Windows that borders cut off: of one and of two dimensions, around a place and behind it, wider
// than what they move over; windows of 3 x 3 places that are written out, over several layers.
// poly: optimizes picture filter band layers
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

TEST_FUNCTION layers(int c, int h, int w, int o, const float *from, const float *part, const float *bias, float *to) {
  for (int z = 0; z < o; z++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float s = bias[z];
        for (int l = 0; l < c; l++)
          for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
              int row = y + j - 1, column = x + i - 1;
              if (row >= 0 && row < h && column >= 0 && column < w)
                s += from[(l * h + row) * w + column] * part[((z * c + l) * 3 + j) * 3 + i];
            }
        to[(z * h + y) * w + x] = s;
      }
}

enum { LAYERS = 3 };
static float several[LAYERS * N * N], results[LAYERS * N * N], part[LAYERS * LAYERS * 9];
static float in[N * N], out[N * N], k[(2 * R + 1) * (2 * R + 1)];
static double x[N * N], weight[N * N], y[N];

int main(void) {
  FILL(in, COUNT(in), 1);
  FILL(k, COUNT(k), 2);
  FILL(x, COUNT(x), 3);
  FILL(weight, COUNT(weight), 4);
  FILL(several, COUNT(several), 6);
  FILL(part, COUNT(part), 7);
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
      layers(radius % (LAYERS + 1), size, (int)hidden(N - n / 3), (int)hidden((r + 2) % (LAYERS + 1)), several, part, k,
             results);
      SHOW("layers", results, COUNT(results));
    }
  return 0;
}
