// Neighbours at borders: around the domain by remainders and conditions, or the nearest one inside.
// Loops are cut where the subscripts change. Of every small size, with dividends that are negative or
// too large for the new code, in place, downwards, and with other statements in the loops.
// poly: optimizes around around_by_conditions around_unsigned around_in_time nearest nearest_of_bytes ring
// poly: optimizes three_dimensions
#include "check.h"

TEST_FUNCTION around(int n, int m, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] = a[i * m + j] - 0.25 * (a[(i + n - 1) % n * m + j] + a[(i + 1) % n * m + j] +
                                            a[i * m + (j + m - 1) % m] + a[i * m + (j + 1) % m]);
}

TEST_FUNCTION around_by_conditions(int n, const float *a, float *b) {
  for (int i = 0; i < n; i++) {
    int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
    for (int j = 0; j < n; j++) {
      int left = j > 0 ? j - 1 : n - 1, right = j + 1 < n ? j + 1 : 0;
      b[i * n + j] = a[up * n + left] + a[down * n + right] - a[up * n + right] * a[down * n + left];
    }
  }
}

TEST_FUNCTION around_unsigned(size_t n, const double *a, double *b) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      b[i * n + j] = a[i * n + (j + n - 2) % n] + a[i * n + (j + 2) % n] + a[(i + n - 1) % n * n + j];
}

TEST_FUNCTION around_in_time(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 0.125 * (a[(i + n - 1) % n] - 2 * a[i] + a[(i + 1) % n]);
    for (int i = 0; i < n; i++)
      a[i] = b[i];
  }
}

// What is read may have been written before, and may be written afterwards.
TEST_FUNCTION around_in_place(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0.5 * a[(i + n - 1) % n * n + (j + 1) % n] + a[i * n + j];
}

static inline int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

TEST_FUNCTION nearest(int n, int m, const float *a, float *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -2; x <= 2; x++)
          s += a[clamp(i + y, 0, n - 1) * m + clamp(j + x, 0, m - 1)];
      b[i * m + j] = s * 0.0625f;
    }
}

TEST_FUNCTION nearest_of_bytes(int w, int h, const uint8_t *in, uint8_t *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int up = clamp(y - 1, 0, h - 1), down = clamp(y + 1, 0, h - 1);
      int left = clamp(x - 1, 0, w - 1), right = clamp(x + 1, 0, w - 1);
      int dx = in[up * w + right] - in[up * w + left] + 2 * (in[y * w + right] - in[y * w + left]) +
               in[down * w + right] - in[down * w + left];
      int dy = in[down * w + left] - in[up * w + left] + 2 * (in[down * w + x] - in[up * w + x]) +
               in[down * w + right] - in[up * w + right];
      int sum = abs(dx) + abs(dy);
      out[y * w + x] = (uint8_t)(sum > 255 ? 255 : sum);
    }
}

// Dividends of any size: beyond twice the length, and below its negative, the original runs.
TEST_FUNCTION ring(int n, int m, int start, const double *a, double *b) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      b[i * n + j] = 3 * a[i * n + (start + j) % n];
}

// Downwards, with a sum that other statements of the loop go on with.
TEST_FUNCTION downwards(int n, const int32_t *a, int32_t *b, int32_t *sums) {
  for (int i = n - 1; i >= 0; i--) {
    sums[i] = 0;
    for (int j = n - 1; j >= 0; j--) {
      b[i * n + j] = a[i * n + (j + 1) % n] - a[i * n + (j == 0 ? 0 : j - 1)];
      sums[i] += b[i * n + j];
    }
    sums[i] ^= a[(i + 1) % n * n];
  }
}

#define AT(a, i, j, k) a[((i) * n + (j)) * n + (k)]
TEST_FUNCTION three_dimensions(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        AT(b, i, j, k) = AT(a, i, j, (k + 1) % n) + AT(a, i, (j + 1) % n, k) + AT(a, (i + 1) % n, j, k);
}

enum { LARGEST = 41 };
static double a[LARGEST * (LARGEST + 1)], b[LARGEST * (LARGEST + 1)];
static float f[LARGEST * (LARGEST + 1)], g[LARGEST * (LARGEST + 1)];
static uint8_t p[LARGEST * (LARGEST + 1)], q[LARGEST * (LARGEST + 1)];
static int32_t x[LARGEST * (LARGEST + 1)], y[LARGEST * (LARGEST + 1)], sums[LARGEST];

static void of_size(int n, int m) {
  FILL(a, COUNT(a), n);
  FILL(b, COUNT(b), m);
  FILL(f, COUNT(f), n + 1);
  FILL(g, COUNT(g), 2);
  FILL(p, COUNT(p), n + 2);
  FILL(q, COUNT(q), 3);
  FILL(x, COUNT(x), n + 3);
  FILL(y, COUNT(y), 4);
  around(n, m, a, b);
  SHOW("around", b, COUNT(b));
  around_by_conditions(n, f, g);
  SHOW("around_by_conditions", g, COUNT(g));
  around_unsigned((size_t)n, b, a);
  SHOW("around_unsigned", a, COUNT(a));
  around_in_time(n * m, 3, a, b);
  SHOW("around_in_time", a, COUNT(a));
  around(n, m, a, a);
  around_in_place(n, a);
  SHOW("around_in_place", a, COUNT(a));
  nearest(n, m, f, g);
  SHOW("nearest", g, COUNT(g));
  nearest_of_bytes(n, m, p, q);
  SHOW("nearest_of_bytes", q, COUNT(q));
  for (int start = -2 * n; start <= 2 * n; start += n / 2 + 1) {
    // No dividend is negative where an element in front of the array would be read.
    ring(n, m, (int)hidden(start < 0 ? -start : start), a, b);
    SHOW("ring", b, COUNT(b));
  }
  ring(n, m, -n + 1, a + n, b);
  SHOW("ring", b, COUNT(b));
  downwards(n, x, y, sums);
  SHOW("downwards", y, COUNT(y));
  SHOW("sums", sums, COUNT(sums));
  int side = n < 12 ? n : 11;
  three_dimensions(side, a, b);
  SHOW("three_dimensions", b, COUNT(b));
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 1}, {1, 9}, {2, 2}, {3, 17}, {8, 5}, {16, 16}, {23, 40}, {41, 41}, {40, 1}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    of_size((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]));
  return 0;
}
