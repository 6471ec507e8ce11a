// Sums, minima and maxima over windows whose width is a parameter, of elements of one, two, four and eight bytes: the loops
// over a window may be long or short, and there may be none.
#include "check.h"

#define N 90

TEST_FUNCTION least(int w, int h, int r, const unsigned char *in, unsigned char *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      unsigned char m = 255;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          if (in[(y + dy) * w + x + dx] < m)
            m = in[(y + dy) * w + x + dx];
      out[y * w + x] = m;
    }
}

TEST_FUNCTION most(int n, int width, const short *in, short *out) {
  for (int i = 0; i + width <= n; i++) {
    short m = in[i];
    for (int k = 1; k < width; k++)
      m = in[i + k] > m ? in[i + k] : m;
    out[i] = m;
  }
}

TEST_FUNCTION sums(int n, int width, const int *in, int *out) {
  for (int i = 0; i + width <= n; i++) {
    int s = 0;
    for (int k = 0; k < width; k++)
      s += in[i + k];
    out[i] = s;
  }
}

TEST_FUNCTION average(int n, int width, const double *in, double *out) {
  for (int i = width - 1; i < n; i++) {
    double s = 0;
    for (int k = 0; k < width; k++)
      s += in[i - k];
    out[i] = s / width;
  }
}

static unsigned char bytes[N * N], least_bytes[N * N];
static short shorts[N * N], most_shorts[N * N];
static int ints[N * N], sums_of_ints[N * N];
static double doubles[N * N], averages[N * N];

static void run(int n, int width) {
  FILL(ints, N * N, 1);
  FILL(doubles, N * N, 2);
  for (int i = 0; i < N * N; i++) {
    bytes[i] = (unsigned char)(ints[i] * 7);
    shorts[i] = (short)(ints[i] * 300);
  }
  least(n, n - 3, width, bytes, least_bytes);
  most(n * n, width, shorts, most_shorts);
  sums(n * n, width, ints, sums_of_ints);
  average(n * n, width, doubles, averages);
  for (int i = 0; i < N * N; i++)
    ints[i] = least_bytes[i] * 65536 + most_shorts[i];
  SHOW("extremes", ints, N * N);
  SHOW("sums", sums_of_ints, N * N);
  SHOW("averages", averages, N * N);
}

int main(void) {
  static const int sizes[][2] = {{5, 1}, {20, 1}, {20, 2}, {41, 3}, {64, 4}, {70, 7}, {90, 16}, {90, 33}, {90, 61}, {90, 62}, {90, 63}, {80, 300}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]));
  return 0;
}
