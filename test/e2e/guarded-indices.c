// Subscripts that are not affine, where an assumption fails: other arrays of the loops overlap, also with the indices and the bound; widths of rows do not hold;
// products of parameters exceed what fits into an integer.
// poly: optimizes gather scatter histogram product_of_counters quotient rows_of_a_table bounded far_rows
#include "check.h"

enum { N = 24, SIZE = 2000 };

// What is written may be the indices.
TEST_FUNCTION gather(int n, int m, int *x, const int *restrict y, const int *at) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] += y[at[j]] * i;
}

TEST_FUNCTION scatter(int n, int m, int *restrict x, int *y, const int *at) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      x[at[i]] += y[i * m + j];
      y[i * m + j] = i - j;
    }
}

TEST_FUNCTION histogram(int n, int *restrict counts, const int *at, int *seen) {
  for (int i = 0; i < n; i++) {
    counts[at[i] & 31]++;
    seen[i] = i;
  }
}

TEST_FUNCTION product_of_counters(int n, double *x, const double *restrict y, const double *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j * n + i] += y[i * j] + z[i * n + j];
}

TEST_FUNCTION quotient(int n, int m, int *x, const int *restrict y, int *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i * n + j] += y[(i * j) % 7 + j / m];
      z[i * n + j] -= 3;
    }
}

// Rows of the width m, of which w elements are used.
TEST_FUNCTION rows_of_a_table(int n, int m, int w, double *restrict x, const int *restrict at) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      x[i * m + j] += x[at[i] * m] * 0.5;
}

// What is written may be the bound.
TEST_FUNCTION bounded(const int *n, int m, int *x, const int *restrict y, const int *restrict at) {
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = y[at[j]] + i;
}

TEST_FUNCTION far_rows(int64_t n, int64_t step, int *restrict x, const int *restrict y, const int *restrict at) {
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < 6; j++)
      x[i * step + j] += y[at[i] + j];
}

static double a[SIZE], b[SIZE];
static int u[SIZE], v[SIZE], index_of[SIZE];

static void restart(int seed) {
  FILL(a, SIZE, seed);
  FILL(b, SIZE, seed + 1);
  for (int i = 0; i < SIZE; i++) {
    u[i] = (i * 5 + seed) % N;
    v[i] = start_value(i + seed + 5);
    index_of[i] = (i * 7 + 3) % N;
  }
}

int main(void) {
  static const int offsets[] = {0, 1, -1, 5, 23, 24, -23, -24, 575, 576, 577, -575, -576, -577};
  for (size_t k = 0; k < COUNT(offsets); k++) {
    int64_t offset = hidden(offsets[k]);
    restart((int)k);
    for (int i = 0; i < SIZE; i++)
      v[i] = v[i] < 0 ? 0 : v[i]; // sums of them are indices again
    gather((int)hidden(2), (int)hidden(N), u + 800, v, u + 800 + offset);
    gather((int)hidden(N), (int)hidden(N), u + 800, v, index_of);
    SHOW("gather", u, SIZE);
    restart((int)k);
    scatter((int)hidden(N), (int)hidden(N), v + 100, u + 800, u + 800 + offset);
    scatter((int)hidden(N), (int)hidden(N), v + 100, u + 800, index_of);
    SHOW("scatter", u, SIZE);
    SHOW("scatter", v, SIZE);
    restart((int)k);
    histogram((int)hidden(576), v, u + 800, u + 800 + offset);
    histogram((int)hidden(576), v, index_of, u);
    SHOW("histogram", u, SIZE);
    SHOW("histogram", v, 40);
    restart((int)k);
    product_of_counters((int)hidden(N), a + 800, b, a + 800 + offset);
    product_of_counters((int)hidden(N), a + 800, b, b + 800);
    SHOW("product_of_counters", a, SIZE);
    restart((int)k);
    quotient((int)hidden(N), (int)hidden(3), u + 800, v, u + 800 + offset);
    quotient((int)hidden(N), (int)hidden(-2), u + 100, v + 100, u + 800);
    SHOW("quotient", u, SIZE);
  }
  for (int64_t at = 0; at < 80; at += 6) {
    restart((int)at);
    u[100 + at] = (int)hidden(10);
    bounded(u + 100 + hidden(at), (int)hidden(6), u + 100, v, index_of);
    SHOW("inside", u, 200);
    int outside = (int)hidden(10);
    bounded(&outside, (int)hidden(6), u + 100, v, index_of);
    SHOW("outside", u, 200);
  }
  static const int widths[][3] = {{20, 24, 24}, {20, 24, 25}, {20, 24, 70}, {20, 1, 24}, {20, 0, 24}, {20, 40, 7}, {20, -24, 24}, {0, 24, 24}, {1, 2147483647, 24}};
  for (size_t k = 0; k < COUNT(widths); k++) {
    restart((int)k);
    index_of[0] = widths[k][1] > 1000 ? 0 : 3;
    rows_of_a_table((int)hidden(widths[k][0]), (int)hidden(widths[k][1]), (int)hidden(widths[k][2]), a + 900, index_of);
    SHOW("rows_of_a_table", a, SIZE);
  }
  static const int64_t steps[] = {0, 1, 5, 6, 7, 50, -1, -6, -9, INT64_MAX, INT64_MAX / 4 + 1, INT64_MIN, -(INT64_MAX / 4)};
  for (size_t k = 0; k < COUNT(steps); k++) {
    restart((int)k);
    int64_t step = hidden(steps[k]);
    far_rows(hidden(-100 < step && step < 100 ? 20 : 1), step, u + 1000, v, index_of);
    SHOW("far_rows", u, SIZE);
  }
  return 0;
}
