// Neighbouring rows that are executed together: of every small number of rows and every width, with rows that depend on rows before or behind them at several distances, with several statements
// one after the other, conditions on rows, elements of several sizes, and memory that ends with the array.
// poly: optimizes five far backwards pair late floats outer planes ends kinds rank
#include "check.h"
#include "pages.h"

TEST_FUNCTION five(int n, int m, double a[restrict][m], double b[restrict][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
}

// A row needs the one three rows before it, and is needed by none of the next three.
TEST_FUNCTION far(int n, int m, double a[restrict][m], double b[restrict][m]) {
  for (int i = 3; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 0.5 * a[i - 3][j] + b[i][j] - b[i - 1][j] + 0.25 * b[i + 1][j];
}

// A row is read by earlier ones before it is written.
TEST_FUNCTION backwards(int n, int m, double a[restrict][m], double b[restrict][m]) {
  for (int i = 1; i < n - 4; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[i + 4][j] - 0.5 * a[i][j] + b[i + 1][j] * b[i - 1][j] + b[i][j];
}

// The second statement is one row behind the first one and reads what that has written.
TEST_FUNCTION pair(int steps, int n, int m, double a[restrict][m], double b[restrict][m]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
  }
}

// The first statement of a row needs the second one of the row before it.
TEST_FUNCTION late(int n, int m, double a[restrict][m], double b[restrict][m], double c[restrict][m]) {
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < m; j++)
      a[i][j] = c[i - 1][j] + b[i][j] - b[i - 1][j];
    for (int j = 0; j < m; j++)
      c[i][j] = 0.5 * a[i][j] + b[i + 1][j] + b[i][j];
  }
}

TEST_FUNCTION floats(int n, int m, float a[restrict][m], float b[restrict][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = a[i][j] * a[i - 1][j - 1] - a[i + 1][j + 1] * a[i - 1][j + 1];
}

// Rows of different planes, and a factor for each row.
TEST_FUNCTION outer(int n, int m, double a[restrict][m], double b[restrict][m], double *restrict f) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = f[i] * (a[i - 2][j] + a[i + 2][j]) - f[i - 1] * a[i][j];
}

TEST_FUNCTION planes(int n, int m, double a[restrict][6][m], double b[restrict][6][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < 5; j++)
      for (int k = 1; k < m - 1; k++)
        b[i][j][k] = a[i + 1][j][k] + a[i - 1][j][k] + a[i][j + 1][k] - a[i][j - 1][k] + a[i][j][k + 1] - a[i][j][k - 1];
}

// A condition on rows.
TEST_FUNCTION ends(int n, int m, int from, int to, double a[restrict][m], double b[restrict][m]) {
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < m; j++)
      b[i][j] = a[i][j] - a[i - 1][j] + a[i + 1][j];
    if (i >= from && i <= to)
      for (int j = 0; j < m; j++)
        b[i][j] = b[i][j] * a[i][j] + a[i + 1][j];
  }
}

// One element as numbers of two kinds.
union bits {
  double number;
  int64_t bits;
};

TEST_FUNCTION kinds(int n, int m, union bits a[restrict][m], double b[restrict][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = a[i - 1][j].number + (double)(a[i][j].bits >> 40) + a[i + 1][j].number;
}

TEST_FUNCTION rank(int n, int m, double a[restrict][m], double *restrict u, double *restrict v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[i][j] + u[i] * v[j];
}

// Every other point: neither this nor the last one has lanes that meet each other's elements one step later.
TEST_FUNCTION powers(int steps, int n, int m, double a[][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < (m - 1) / 2; j++)
        a[i][2 * j] = 0.5 * (a[i - 1][2 * j + 1] + a[i][2 * j - 2]) + 0.25 * (a[i + 1][2 * j] - a[i][2 * j + 2]);
}

static void run(int n, int m, int at_end) {
  size_t count = (size_t)n * m;
  ARRAY(double, a, count, 1);
  ARRAY(double, b, count, 2);
  ARRAY(double, c, count, 3);
  ARRAY(double, u, (size_t)n, 4);
  ARRAY(double, v, (size_t)m, 5);
  five(n, m, (void *)a, (void *)b);
  SUM("five", b, count);
  far(n, m, (void *)a, (void *)b);
  SUM("far", a, count);
  backwards(n, m, (void *)a, (void *)b);
  SUM("backwards", a, count);
  pair(n % 4 + 1, n, m, (void *)a, (void *)b);
  SUM("pair", a, count);
  SUM("pair", b, count);
  late(n, m, (void *)a, (void *)b, (void *)c);
  SUM("late", a, count);
  SUM("late", c, count);
  outer(n, m, (void *)a, (void *)b, u);
  SUM("outer", b, count);
  FILL(a, count, 11);
  kinds(n, m, (void *)a, (void *)b);
  SUM("kinds", b, count);
  FILL(a, count, 6);
  ends(n, m, (int)hidden(2), (int)hidden(n - 4), (void *)a, (void *)b);
  SUM("ends", b, count);
  rank(n, m, (void *)a, u, v);
  SUM("rank", a, count);
  ARRAY(float, f, count, 7);
  ARRAY(float, g, count, 8);
  floats(n, m, (void *)f, (void *)g);
  SUM("floats", g, count);
  size_t cubic = 6 * count;
  ARRAY(double, d, cubic, 9);
  ARRAY(double, e, cubic, 10);
  planes(n, m, (void *)d, (void *)e);
  SUM("planes", e, cubic);
}

int main(void) {
  static const int heights[] = {1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 17, 18, 19, 26, 35}, widths[] = {1, 2, 3, 7, 8, 9, 10, 17, 65, 67, 74, 83};
  for (size_t i = 0; i < COUNT(heights); i++)
    for (size_t j = 0; j < COUNT(widths); j++)
      run((int)hidden(heights[i]), (int)hidden(widths[j]), (int)(i + j) % 2);
  return 0;
}
