// Conditions and inner loops that depend on data, where an assumption fails: arrays that overlap, bounds that a loop may change, rows that run
// into each other, subscripts that wrap around, steps of extreme sizes.
// poly: optimizes chosen copied while_positive lengths bounded_by_memory bounded_inside wide_rows wrapping strided
#include "check.h"

enum { N = 20, SIZE = 2400 };

TEST_FUNCTION chosen(int n, double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (x[j * n + i] > 0)
        y[i * n + j] += x[j * n + i];
      else
        y[i * n + j] -= 1;
}

// A branch in a branch; what is read decides about what is written.
TEST_FUNCTION copied(int n, int *x, int *y, int *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      if (x[i] > j) {
        y[i] = (x[i] & 1023) * 3 + j;
        if (y[i] % 2 == 0)
          z[i] = y[i] / 2 - (z[i] & 255);
      }
}

// The inner loop is executed as a whole.
TEST_FUNCTION while_positive(int n, int m, int *x, int *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int left = x[j * n + i] & 15;
      while (left > 0) {
        y[i * m + j] += left;
        left -= 3;
      }
    }
}

TEST_FUNCTION lengths(int n, int m, const int *length, int *x, const int *y) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j < length[k]; j++)
        x[i * m + k] -= (y[k * n + i] & 3) * (j & 1);
}

// What is written may be the bound.
TEST_FUNCTION bounded_by_memory(const int *n, int m, int *x, const int *y) {
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < m; j++)
      if (y[i * m + j] > 2)
        x[i * m + j] = y[i * m + j] - 2;
}

// The bound is loaded again where the branch has written something.
TEST_FUNCTION bounded_inside(int n, const int *m, int *x, const int *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < *m; j++)
      if (y[i * 6 + j] > 2)
        x[i * 6 + j] = y[i * 6 + j] - 2;
}

// Rows of the width m, of which w elements are used: more than there are, or fewer.
TEST_FUNCTION wide_rows(int n, int m, int w, double *restrict x, const double *restrict y) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < w; j++)
      if (y[i * m + j] > 0)
        x[i * m + j] = x[(i - 1) * m + j] * 0.5 + 1;
}

// Differences of unsigned numbers may wrap around: not where the data say that the element is used.
TEST_FUNCTION wrapping(unsigned n, unsigned back, int *restrict x, const int *restrict y) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < 6; j++)
      if (y[i] > (int)j)
        x[i - back] += (int)j;
}

// Steps of any size: where there is only one row, and where the data do not allow more.
TEST_FUNCTION strided(int64_t n, int64_t step, int *restrict x, const int *restrict y) {
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < 4; j++)
      if (y[i] > j)
        x[i * step + j] += 1;
}

static double a[SIZE], b[SIZE];
static int u[SIZE], v[SIZE], w[SIZE], length[N];

static void restart(int seed) {
  FILL(a, SIZE, seed);
  FILL(b, SIZE, seed + 1);
  for (int i = 0; i < SIZE; i++) {
    u[i] = start_value(i + seed);
    v[i] = start_value(i + seed + 5);
    w[i] = start_value(i + seed + 50) / 7;
  }
  for (int i = 0; i < N; i++)
    length[i] = start_value(i + seed) % 6;
}

int main(void) {
  static const int offsets[] = {0, 1, -1, 19, 20, 21, 399, 400, 401, -399, -400, -401, 800};
  for (size_t k = 0; k < COUNT(offsets); k++) {
    int64_t offset = hidden(offsets[k]);
    restart((int)k);
    chosen((int)hidden(N), a + 800, a + 800 + offset);
    chosen((int)hidden(N), a + 800, b);
    SHOW("chosen", a, SIZE);
    copied((int)hidden(400), u + 800, u + 800 + offset, w);
    copied((int)hidden(400), v + 800, w, v + 800 + offset);
    copied((int)hidden(400), u, w + 800, w + 800 + offset);
    copied((int)hidden(400), u, v, w);
    while_positive((int)hidden(N), (int)hidden(N), u + 800, u + 800 + offset);
    while_positive((int)hidden(N), (int)hidden(N), u + 800, v);
    SHOW("u", u, SIZE);
    SHOW("v", v, SIZE);
    SHOW("w", w, SIZE);
    restart((int)k + 7);
    lengths((int)hidden(N), (int)hidden(N), length, u + 800, u + 800 + offset);
    lengths((int)hidden(N), (int)hidden(N), length, u, v);
    SHOW("lengths", u, SIZE);
  }
  // Lengths, and then bounds, among what is written.
  for (int64_t at = 0; at < 64; at += 7) {
    int *inside = u + 100 + hidden(at);
    restart((int)at);
    for (int i = 0; i < 8; i++)
      inside[i] = i % 3;
    lengths((int)hidden(6), (int)hidden(8), inside, u + 100, v);
    SHOW("lengths", u, 200);
    restart((int)at);
    *inside = (int)hidden(7);
    for (int i = 0; i < 200; i++)
      v[i] = start_value(i) % 11;
    bounded_by_memory(inside, (int)hidden(6), u + 100, v);
    SHOW("bounded", u, 200);
    int outside = (int)hidden(7);
    bounded_by_memory(&outside, (int)hidden(6), u + 100, v);
    bounded_by_memory(&outside, (int)hidden(6), u + 100, u + 100 + at);
    SHOW("bounded", u, 200);
    *inside = (int)hidden(7);
    bounded_inside((int)hidden(7), inside, u + 100, v);
    SHOW("bounded", u, 200);
    bounded_inside((int)hidden(7), &outside, u + 100, v);
    bounded_inside((int)hidden(7), &outside, u + 100, u + 100 + at);
    SHOW("bounded", u, 200);
  }
  static const int widths[][3] = {{20, 20, 20}, {20, 20, 21}, {20, 20, 45}, {40, 1, 30}, {30, 0, 30}, {30, 30, 7}, {20, -20, 20}, {20, -20, 30}};
  for (size_t k = 0; k < COUNT(widths); k++) {
    restart((int)k);
    wide_rows((int)hidden(widths[k][0]), (int)hidden(widths[k][1]), (int)hidden(widths[k][2]), a + 700, b + 700);
    SHOW("wide_rows", a, SIZE);
  }
  static const unsigned starts[] = {0, 1, 13, 99, 100};
  for (size_t k = 0; k < COUNT(starts); k++) {
    restart((int)k);
    for (unsigned i = 0; i < starts[k]; i++)
      v[i] = -1;
    wrapping((unsigned)hidden(100), (unsigned)hidden(starts[k]), u, v);
    SHOW("wrapping", u, 100);
  }
  static const int64_t steps[] = {0, 1, 3, 4, 5, 50, -1, -4, -9, INT64_MAX, INT64_MAX / 4 + 1, INT64_MIN, -(INT64_MAX / 4)};
  for (size_t k = 0; k < COUNT(steps); k++) {
    restart((int)k);
    int64_t step = hidden(steps[k]);
    int is_small = -100 < step && step < 100;
    strided(hidden(is_small ? 20 : 1), step, u + 1000, v);
    for (int i = 1; i < 20; i++)
      v[i] = is_small ? v[i] : -1;
    strided(hidden(20), step, u + 1000, v);
    SHOW("strided", u, SIZE);
  }
  return 0;
}
