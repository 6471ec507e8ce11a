// Results of planes that lie between those of others: sums, in their order, over the outer and the
// innermost dimension of a tensor, of every short length, in several types; with what is computed
// of them afterwards, and with results that lie where they are summed up from.
// poly: optimizes channels groups squares counted greatest weighted
#include "check.h"
#include "pages.h"

TEST_FUNCTION channels(int n, int c, int w, const float *restrict a, float *restrict s, float *restrict q) {
  for (int k = 0; k < c; k++) {
    float sum = 0, square = 1;
    for (int i = 0; i < n; i++)
      for (int p = 0; p < w; p++) {
        float v = a[(i * c + k) * w + p];
        sum += v;
        square += v * v;
      }
    s[k] = sum;
    q[k] = square;
  }
}

// Groups of channels, each with its mean taken off.
TEST_FUNCTION groups(int n, int g, int c, int w, double *restrict a, double *restrict mean) {
  for (int i = 0; i < n; i++)
    for (int h = 0; h < g; h++) {
      double sum = 0;
      for (int k = 0; k < c; k++)
        for (int p = 0; p < w; p++)
          sum += a[((i * g + h) * c + k) * w + p];
      mean[i * g + h] = sum / (c * w);
      for (int k = 0; k < c; k++)
        for (int p = 0; p < w; p++)
          a[((i * g + h) * c + k) * w + p] -= mean[i * g + h];
    }
}

// Into what is there, from the last to the first.
TEST_FUNCTION squares(int n, int c, int w, const double *a, double *s) {
  for (int i = n - 1; i >= 0; i--)
    for (int k = 0; k < c; k++)
      for (int p = w - 1; p >= 0; p--)
        s[k] = 0.75 * s[k] + a[(i * c + k) * w + p];
}

TEST_FUNCTION counted(int n, int c, int w, const unsigned char *a, unsigned *s) {
  for (int k = 0; k < c; k++)
    for (int i = 0; i < n; i++)
      for (int p = 0; p < w; p++)
        s[k] += a[(i * c + k) * w + p] > 128;
}

TEST_FUNCTION greatest(int n, int c, int w, const int *restrict a, int *restrict s) {
  for (int k = 0; k < c; k++) {
    int best = -1000;
    for (int i = 0; i < n; i++)
      for (int p = 0; p < w; p++)
        best = a[(i * c + k) * w + p] > best ? a[(i * c + k) * w + p] : best;
    s[k] = best;
  }
}

// With a factor for each place of a plane, into every other result.
TEST_FUNCTION weighted(int n, int c, int w, const float *restrict a, const float *restrict f, float *restrict s) {
  for (int k = 0; k < c; k++)
    for (int i = 0; i < n; i++)
      for (int p = 0; p < w; p++)
        s[2 * k + 1] += f[p] * a[(i * c + k) * w + p];
}

static void run(int n, int c, int w, int at_end) {
  size_t size = (size_t)n * c * w;
  ARRAY(float, a, size, 1);
  ARRAY(float, s, 2 * c, 2);
  ARRAY(float, q, c, 3);
  ARRAY(double, d, size, 4);
  ARRAY(double, e, n * c, 5);
  ARRAY(int, x, size, 6);
  ARRAY(int, y, c, 7);
  ARRAY(uint8_t, u, size, 8);
  ARRAY(unsigned, v, c, 9);
  ARRAY(float, f, w, 10);
  channels(n, c, w, a, s, q);
  weighted(n, c, w, a, f, s);
  printf("%d %d %d\n", n, c, w);
  SHOW("s", s, 2 * c);
  SHOW("q", q, c);
  groups(n, c, 1, w, d, e);
  groups(1, n, c, w, d, e);
  SHOW("e", e, n * c);
  squares(n, c, w, d, e);
  SHOW("e", e, c);
  // Results that lie in what is summed up.
  squares(n, c, w, d, d + (size - c) / 2);
  int m = w;
  SUM("inside", d, size);
  counted(n, c, w, u, v);
  SHOW("v", v, c);
  greatest(n, c, w, x, y);
  SHOW("y", y, c);
}

int main(void) {
  const int sizes[][3] = {{1, 1, 1}, {2, 3, 5}, {3, 17, 9}, {1, 40, 33}, {4, 8, 65}, {5, 35, 1}, {3, 33, 130}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int at_end = 0; at_end < 2; at_end++)
      run(hidden(sizes[i][0]), hidden(sizes[i][1]), hidden(sizes[i][2]), at_end);
  return 0;
}
