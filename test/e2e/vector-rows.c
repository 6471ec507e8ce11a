// Innermost loops without dependences, of every short length, from every place relative to the vectors of the processor, in memory that ends or begins
// with them: points that do not fill a vector are computed with the others, and nothing is read or written beside them.
// poly: optimizes smooth two_steps mixed scaled integers from_last
#include "check.h"
#include "pages.h"

// Neighbours on both sides.
TEST_FUNCTION smooth(int n, int steps, double a[restrict][n + 2], double b[restrict][n + 2]) {
  for (int i = 0; i < steps; i++)
    for (int j = 1; j <= n; j++)
      b[i][j] = 0.25 * (a[i][j - 1] + 2.0 * a[i][j] + a[i][j + 1]);
}

// Two statements in one row, the second one reads what the first one has written.
TEST_FUNCTION two_steps(int n, int steps, double a[restrict][n], double b[restrict][n], double c[restrict][n]) {
  for (int i = 0; i < steps; i++)
    for (int j = 0; j < n; j++) {
      b[i][j] = a[i][j] * 3.0 + c[i][j];
      c[i][j] = b[i][j] - a[i][j] / 7.0;
    }
}

// Elements of two sizes in one row.
TEST_FUNCTION mixed(int n, int steps, float a[restrict][n], double b[restrict][n], float c[restrict][n]) {
  for (int i = 0; i < steps; i++)
    for (int j = 0; j < n; j++) {
      b[i][j] = b[i][j] * (double)a[i][j];
      c[i][j] = (float)(b[i][j] + 0.125);
    }
}

// A factor that stands still in memory.
TEST_FUNCTION scaled(int n, int steps, float a[restrict][n], const float *restrict factor) {
  for (int i = 0; i < steps; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = a[i][j] * factor[i] + 1.5f;
}

TEST_FUNCTION integers(int n, int steps, int32_t a[restrict][n], int64_t b[restrict][n]) {
  for (int i = 0; i < steps; i++)
    for (int j = 0; j < n; j++) {
      b[i][j] = b[i][j] * 5 + a[i][j];
      a[i][j] = (int32_t)(b[i][j] >> 3) ^ a[i][j];
    }
}

// The element that stands still is written by the row, behind its last point.
TEST_FUNCTION from_last(int n, int steps, double a[][n + 1]) {
  for (int i = 0; i < steps; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = a[i][j] * 0.5 + a[i][n];
}

static void run(int n, int at_end) {
  int steps = 3;
  size_t wide = (size_t)steps * (n + 2), plain = (size_t)steps * n, one_more = (size_t)steps * (n + 1);
  ARRAY(double, a, wide, 1);
  ARRAY(double, b, wide, 2);
  smooth(n, steps, (void *)a, (void *)b);
  SHOW("smooth", b, wide);
  ARRAY(double, c, plain, 3);
  ARRAY(double, d, plain, 4);
  ARRAY(double, e, plain, 5);
  two_steps(n, steps, (void *)c, (void *)d, (void *)e);
  SHOW("two steps", d, plain);
  SHOW("two steps", e, plain);
  ARRAY(float, f, plain, 6);
  ARRAY(float, g, plain, 7);
  ARRAY(float, factor, (size_t)steps, 8);
  mixed(n, steps, (void *)f, (void *)d, (void *)g);
  SHOW("mixed", d, plain);
  SHOW("mixed", g, plain);
  scaled(n, steps, (void *)f, factor);
  SHOW("scaled", f, plain);
  ARRAY(int32_t, k, plain, 9);
  ARRAY(int64_t, l, plain, 10);
  integers(n, steps, (void *)k, (void *)l);
  SHOW("integers", k, plain);
  SHOW("integers", l, plain);
  ARRAY(double, m, one_more, 11);
  from_last(n, steps, (void *)m);
  SHOW("from last", m, one_more);
}

int main(void) {
  static const int lengths[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70, 71, 79, 127, 128, 133, 200};
  for (size_t i = 0; i < COUNT(lengths); i++)
    for (int at_end = 0; at_end < 2; at_end++)
      run((int)hidden(lengths[i]), at_end);
  return 0;
}
