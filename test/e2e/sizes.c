// Loops whose new order is used from some sizes on only, with sizes on both sides, from none at all.
// poly: optimizes product part row triangle
#include "check.h"

#define MOST 70
#define ROW 6000

TEST_FUNCTION product(long n, long m, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < n; k++)
        c[i * m + j] += a[i * n + k] * b[k * m + j];
}

// What counts is how many iterations there are, not where they begin.
TEST_FUNCTION part(long low, long high, long n, double *restrict a, double *restrict b) {
  for (long i = low; i < high; i++)
    for (long j = low; j < high; j++)
      a[j * n + i] += b[i * n + j];
}

TEST_FUNCTION row(long steps, long n, double *restrict a, double *restrict b) {
  for (long t = 0; t < steps; t++) {
    for (long i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.125 * a[i + 1];
    for (long i = 1; i < n - 1; i++)
      a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.125 * b[i + 1];
  }
}

TEST_FUNCTION triangle(int n, int *restrict a, int *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < n; k++)
        a[i * n + j] += b[i * n + k] * b[j * n + k];
}

static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], x[ROW], y[ROW];
static int p[MOST * MOST], q[MOST * MOST];

int main(void) {
  const int sizes[] = {0, 1, 2, 5, 8, 9, 10, 11, 20, 21, 22, 31, 32, 33, 63, 64, MOST};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (size_t r = 0; r < COUNT(sizes); r += 3) {
      long n = hidden(sizes[s]), m = hidden(sizes[r]);
      FILL(a, COUNT(a), 1);
      FILL(b, COUNT(b), 2);
      FILL(c, COUNT(c), 3);
      product(n, m, a, b, c);
      part(m < n ? m : n, n, n, a, b);
      SHOW("product", c, (size_t)(n * m));
      SHOW("part", a, (size_t)(n * n));
      FILL(p, COUNT(p), (int)m);
      FILL(q, COUNT(q), 5);
      triangle((int)n, p, q);
      SHOW("triangle", p, (size_t)(n * n));
    }
  // Extreme values: there is nothing to do, and nothing wraps around.
  part(hidden(INT64_MAX), hidden(INT64_MIN), 3, a, b);
  row(hidden(INT64_MIN), hidden(INT64_MAX), x, y);
  const int lengths[] = {0, 1, 3, 700, 2900, 3000, ROW};
  for (size_t s = 0; s < COUNT(lengths); s++)
    for (int steps = 0; steps < 1000; steps = steps * 7 + 3) {
      FILL(x, COUNT(x), 1);
      FILL(y, COUNT(y), 2);
      row(hidden(steps), hidden(lengths[s]), x, y);
      SHOW("row", x, COUNT(x));
      SHOW("row", y, COUNT(y));
    }
}
