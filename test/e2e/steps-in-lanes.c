// Recurrences along two loops, rows of which are lanes of vectors: tables of dynamic programming and single sweeps, of every
// short width and height, with choices, conversions and elements of several sizes, in memory that ends or begins with them.
// poly: optimizes edit_distance edit_table alignment gaps warping warping_choices path integral sweep forwards upwards longs
#include "check.h"
#include "pages.h"

#include <math.h>

TEST_FUNCTION edit_distance(int n, int m, const char *a, const char *b, int *d) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int cost = d[(i - 1) * m + j - 1] + (a[i] != b[j]);
      if (d[(i - 1) * m + j] + 1 < cost)
        cost = d[(i - 1) * m + j] + 1;
      if (d[i * m + j - 1] + 1 < cost)
        cost = d[i * m + j - 1] + 1;
      d[i * m + j] = cost;
    }
}

// With its first row and column, and a conversion of what is compared.
TEST_FUNCTION edit_table(int n, int m, const unsigned short *a, const short *b, int d[n][m]) {
  for (int i = 0; i < n; i++)
    d[i][0] = i;
  for (int j = 0; j < m; j++)
    d[0][j] = j;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int other = d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1];
      int same = d[i - 1][j - 1] + (a[i] == b[j] ? 0 : 2);
      d[i][j] = same < other + 1 ? same : other + 1;
    }
}

TEST_FUNCTION alignment(int n, int m, const int *a, const int *b, double *restrict f) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      double match = f[(i - 1) * m + j - 1] + (a[i] == b[j] ? 1.0 : -0.75);
      double up = f[(i - 1) * m + j] - 2.25, left = f[i * m + j - 1] - 2.25, gap = up > left ? up : left;
      f[i * m + j] = match > gap ? match : gap;
    }
}

// Three tables.
TEST_FUNCTION gaps(int n, int m, const char *a, const char *b, int *h, int *e, int *f) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int in = h[i * m + j - 1] - 5 > e[i * m + j - 1] - 1 ? h[i * m + j - 1] - 5 : e[i * m + j - 1] - 1;
      int up = h[(i - 1) * m + j] - 5 > f[(i - 1) * m + j] - 1 ? h[(i - 1) * m + j] - 5 : f[(i - 1) * m + j] - 1;
      int best = h[(i - 1) * m + j - 1] + (a[i] == b[j] ? 3 : -2);
      best = best > 0 ? best : 0;
      best = best > in ? best : in;
      e[i * m + j] = in;
      f[i * m + j] = up;
      h[i * m + j] = best > up ? best : up;
    }
}

TEST_FUNCTION warping(int n, int m, const double *a, const double *b, double *d) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      d[i * m + j] = fabs(a[i] - b[j]) + fmin(d[(i - 1) * m + j], fmin(d[i * m + j - 1], d[(i - 1) * m + j - 1]));
}

TEST_FUNCTION warping_choices(int n, int m, const float *a, const float *b, float *d) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      float best = d[(i - 1) * m + j - 1];
      if (d[(i - 1) * m + j] < best)
        best = d[(i - 1) * m + j];
      if (d[i * m + j - 1] < best)
        best = d[i * m + j - 1];
      d[i * m + j] = (a[i] - b[j]) * (a[i] - b[j]) + best;
    }
}

// Another matrix, of which each step loads a vector.
TEST_FUNCTION path(int n, int m, const int *restrict c, int *restrict d) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int up = d[(i - 1) * m + j], left = d[i * m + j - 1];
      d[i * m + j] = c[i * m + j] + (up < left ? up : left);
    }
}

TEST_FUNCTION integral(int n, int m, const float *restrict a, float *restrict s) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      s[i * m + j] = a[i * m + j] + s[(i - 1) * m + j] + s[i * m + j - 1] - s[(i - 1) * m + j - 1];
}

// New values above and to the left, old ones below and to the right.
TEST_FUNCTION sweep(int n, int m, double *restrict u, const double *restrict f) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      u[i * m + j] = 0.25 * (f[i * m + j] + u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
}

// Two rows and two columns back; what is read of one row two steps before is not handed on.
TEST_FUNCTION forwards(int n, int m, double *d) {
  for (int i = 2; i < n; i++)
    for (int j = 2; j < m; j++)
      d[i * m + j] = 0.5 * d[(i - 2) * m + j] - 0.25 * d[i * m + j - 2] + 0.125 * d[(i - 1) * m + j - 1];
}

// From the last row and column to the first ones.
TEST_FUNCTION upwards(int n, int m, const int *restrict c, int *restrict d) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = m - 2; j >= 0; j--) {
      int down = d[(i + 1) * m + j], right = d[i * m + j + 1];
      d[i * m + j] = c[i * m + j] + (down > right ? down : right) - 3 * d[(i + 1) * m + j + 1];
    }
}

TEST_FUNCTION longs(int n, int m, const int *restrict c, int64_t *restrict d) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      d[i * m + j] = (d[(i - 1) * m + j] + d[i * m + j - 1] + c[i * m + j]) & 0xffffffff;
}

// Each array with its first values.
#define FILL(name, count, seed)                                                                                                    \
  for (size_t at = 0; at < (count); at++)                                                                                          \
  (name)[at] = (__typeof__(*(name)))(start_value((int64_t)at + (seed)) * 3 / 4)

static void run(int n, int m, int at_end) {
  size_t count = (size_t)n * (size_t)m;
  ARRAY(char, a, (size_t)n, 1);
  ARRAY(char, b, (size_t)m, 2);
  for (int i = 0; i < n; i++)
    a[i] &= 3;
  for (int j = 0; j < m; j++)
    b[j] &= 3;
  ARRAY(int, d, count, 3);
  edit_distance(n, m, a, b, d);
  SUM("edit_distance", d, count);
  ARRAY(unsigned short, us, (size_t)n, 1);
  ARRAY(short, ss, (size_t)m, 2);
  edit_table(n, m, us, ss, (void *)d);
  SUM("edit_table", d, count);
  ARRAY(int, h, count, 4);
  ARRAY(int, e, count, 5);
  gaps(n, m, a, b, h, e, d);
  SUM("gaps", h, count);
  SUM("gaps", e, count);
  SUM("gaps", d, count);
  path(n, m, h, d);
  SUM("path", d, count);
  upwards(n, m, e, d);
  SUM("upwards", d, count);
  ARRAY(double, u, count, 6);
  ARRAY(double, v, count, 7);
  ARRAY(double, x, (size_t)n, 8);
  ARRAY(double, y, (size_t)m, 9);
  ARRAY(int, p, (size_t)n, 1);
  ARRAY(int, q, (size_t)m, 1);
  warping(n, m, x, y, u);
  SUM("warping", u, count);
  alignment(n, m, p, q, u);
  SUM("alignment", u, count);
  sweep(n, m, u, v);
  SUM("sweep", u, count);
  forwards(n, m, v);
  SUM("forwards", v, count);
  ARRAY(float, f, count, 10);
  ARRAY(float, g, count, 11);
  ARRAY(float, fx, (size_t)n, 12);
  ARRAY(float, fy, (size_t)m, 13);
  warping_choices(n, m, fx, fy, f);
  SUM("warping_choices", f, count);
  integral(n, m, f, g);
  SUM("integral", g, count);
  ARRAY(int64_t, l, count, 14);
  longs(n, m, h, l);
  SUM("longs", l, count);
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 5, 8, 9, 10, 16, 17, 18, 33, 34, 35, 65, 66, 130};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t j = 0; j < COUNT(sizes); j++)
      run((int)hidden(sizes[i]), (int)hidden(sizes[j]), (int)(i + j) % 2);
  return 0;
}
