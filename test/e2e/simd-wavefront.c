// Sweeps in place, whose diagonals are vectors with lanes that hand values on from step to step: of every short width and height, so that windows of lanes are cut
// at both ends, with elements of several sizes, in memory that ends or begins with the array.
// poly: optimizes nine five floats backwards columns coefficients coupled wide integers cube
#include "check.h"
#include "pages.h"

// All neighbours: new ones above and to the left, old ones below and to the right.
TEST_FUNCTION nine(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j - 1] +
                   a[i + 1][j] + a[i + 1][j + 1]) /
                  9.0;
}

TEST_FUNCTION five(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1] + a[i][j + 1]) + a[i + 1][j] - 0.5 * a[i][j];
}

TEST_FUNCTION floats(int steps, int n, int m, float a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = (a[i - 1][j - 1] - a[i - 1][j + 1] + a[i][j - 1] + a[i][j] - a[i + 1][j - 1] + a[i + 1][j + 1]) / 3.0f;
}

// From the last row and column to the first ones.
TEST_FUNCTION backwards(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = n - 2; i >= 1; i--)
      for (int j = m - 2; j >= 1; j--)
        a[i][j] = 0.2 * (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]);
}

// Lanes are neighbours in memory, steps are not.
TEST_FUNCTION columns(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int j = 1; j < m - 1; j++)
      for (int i = 1; i < n - 1; i++)
        a[i][j] = 0.2 * (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j + 1]);
}

// Arrays that are only read: in both directions, in one, and one value.
TEST_FUNCTION coefficients(int steps, int n, int m, double a[restrict][m], double c[restrict][m], double *restrict r,
                           double *restrict s, double *restrict one) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = c[i][j] * (a[i - 1][j] + a[i][j - 1]) + c[i][j + 1] * (a[i][j + 1] - a[i + 1][j]) + r[i] * s[j] - *one;
}

// Two arrays, each of which reads the other one.
TEST_FUNCTION coupled(int steps, int n, int m, double a[restrict][m], double b[restrict][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        a[i][j] = 0.5 * (a[i - 1][j] + a[i][j - 1]) - b[i][j + 1] + 0.25 * b[i + 1][j - 1];
        b[i][j] = 0.125 * (b[i - 1][j + 1] + b[i][j - 1]) + a[i][j - 1] - a[i][j + 1];
      }
}

// Neighbours two elements away.
TEST_FUNCTION wide(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        a[i][j] = 0.125 * (a[i - 2][j] + a[i - 1][j + 2] + a[i][j - 2] + a[i][j] + a[i][j + 2] + a[i + 1][j - 1] + a[i + 2][j]);
}

TEST_FUNCTION integers(int steps, int n, int m, int64_t a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = (a[i - 1][j] ^ a[i][j - 1]) + 3 * a[i][j + 1] - (a[i + 1][j] >> 2);
}

TEST_FUNCTION cube(int steps, int n, int m, int k, double a[][m][k]) {
  for (int t = 0; t < steps; t++)
    for (int h = 1; h < n - 1; h++)
      for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < k - 1; j++)
          a[h][i][j] = (a[h - 1][i][j] + a[h][i - 1][j] + a[h][i][j - 1] + a[h][i][j + 1] + a[h][i + 1][j] + a[h + 1][i][j]) / 6.0;
}

// Every other point: neither this nor the last one has lanes that meet each other's elements one step later.
TEST_FUNCTION powers(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < (m - 1) / 2; j++)
        a[i][2 * j] = 0.5 * (a[i - 1][2 * j + 1] + a[i][2 * j - 2]) + 0.25 * (a[i + 1][2 * j] - a[i][2 * j + 2]);
}

static void run(int steps, int n, int m, int at_end) {
  size_t count = (size_t)n * m;
  ARRAY(double, a, count, 1);
  nine(steps, n, m, (void *)a);
  SUM("nine", a, count);
  five(steps, n, m, (void *)a);
  SUM("five", a, count);
  backwards(steps, n, m, (void *)a);
  SUM("backwards", a, count);
  columns(steps, n, m, (void *)a);
  SUM("columns", a, count);
  ARRAY(double, c, count, 2);
  ARRAY(double, r, (size_t)n, 3);
  ARRAY(double, s, (size_t)m, 4);
  double one = (double)hidden(2);
  coefficients(steps, n, m, (void *)a, (void *)c, r, s, &one);
  SUM("coefficients", a, count);
  FILL(a, count, 5);
  coupled(steps, n, m, (void *)a, (void *)c);
  SUM("coupled", a, count);
  SUM("coupled", c, count);
  FILL(a, count, 6);
  wide(steps, n, m, (void *)a);
  SUM("wide", a, count);
  powers(steps, n, m, (void *)a);
  SUM("powers", a, count);
  ARRAY(float, f, count, 7);
  floats(steps, n, m, (void *)f);
  SUM("floats", f, count);
  ARRAY(int64_t, k, count, 8);
  integers(steps, n, m, (void *)k);
  SUM("integers", k, count);
  size_t cubic = 4 * count;
  ARRAY(double, d, cubic, 9);
  cube(steps, 4, n, m, (void *)d);
  SUM("cube", d, cubic);
}

int main(void) {
  static const int heights[] = {3, 4, 9, 10, 11, 18, 26, 34, 35, 50, 67}, widths[] = {3, 4, 5, 17, 48, 49, 66, 97, 150};
  for (size_t i = 0; i < COUNT(heights); i++)
    for (size_t j = 0; j < COUNT(widths); j++)
      run((int)hidden(1 + (int)(i + j) % 5), (int)hidden(heights[i]), (int)hidden(widths[j]), (int)(i + j) % 2);
  return 0;
}
