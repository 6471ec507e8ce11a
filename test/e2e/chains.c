// Recurrences along one dimension for many iterations of another one, which are the lanes of vectors: in every direction, with rows and columns as lanes, of every short width and height, so
// that the last strip and the last block of steps are cut, with elements of several sizes, in memory that ends or begins with the array.
// poly: optimizes rows back second update beside now smooth alternate shifted spread mixed integers kinds of_two_kinds cube triangle
#include "check.h"
#include "pages.h"

TEST_FUNCTION rows(int n, int m, double q[][m], const double a[][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      q[i][j] = (a[i][j] - 0.5 * q[i][j - 1]) / (a[i][j] + 100.0);
}

// Steps go down in memory; the result is stored the other way round.
TEST_FUNCTION back(int n, int m, double v[restrict][n], const double p[restrict][m], const double q[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = m - 2; j >= 0; j--)
      v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
}

// Values from two steps before.
TEST_FUNCTION second(int n, int m, double y[restrict][m], const double x[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = m - 3; j >= 0; j--)
      y[i][j] = x[i][j + 1] / 3.0 + 0.5 * y[i][j + 1] - 0.25 * y[i][j + 2];
}

// In place: old elements, and the new one before.
TEST_FUNCTION update(int n, int m, double a[restrict][m], const double *restrict w) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      a[i][j] = (a[i][j] + a[i][j + 1] - w[j] * a[i][j - 1]) / (w[j] + 80.0);
}

// Neighbouring rows are neighbouring lanes.
TEST_FUNCTION beside(int n, int m, double q[][m], const double v[][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      q[i][j] = (v[i - 1][j] - 2.0 * v[i][j] + v[i + 1][j] - q[i][j - 1]) / 7.0;
}

// What was computed in the same iteration, and in the one before.
TEST_FUNCTION now(int n, int m, double p[][m], double q[][m], double r[][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) {
      p[i][j] = 1.0 / (0.5 * p[i][j - 1] + 60.0);
      q[i][j] = (r[i][j] - q[i][j - 1]) / (p[i][j] + p[i][j - 1]);
      r[i][j] = q[i][j] + 0.125 * r[i][j];
    }
}

// Scalars of each row.
TEST_FUNCTION smooth(int n, int m, float y[restrict][m], const float x[restrict][m]) {
  for (int i = 0; i < n; i++) {
    float x1 = 0, y1 = 0, y2 = 0;
    for (int j = 0; j < m; j++) {
      y[i][j] = 0.5f * x[i][j] + 0.25f * x1 + 0.75f * y1 - 0.125f * y2;
      x1 = x[i][j];
      y2 = y1;
      y1 = y[i][j];
    }
  }
}

// Tridiagonal systems along columns, then along rows.
TEST_FUNCTION alternate(int steps, int n, double u[restrict][n], double v[restrict][n], double p[restrict][n], double q[restrict][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = 0.5 / (3.0 - 0.5 * p[i][j - 1]);
        q[i][j] = (u[j][i - 1] + 1.5 * u[j][i] + u[j][i + 1] + 0.5 * q[i][j - 1]) / (3.0 - 0.5 * p[i][j - 1]);
      }
      v[n - 1][i] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = 0.25 / (2.0 - 0.25 * p[i][j - 1]);
        q[i][j] = (v[i - 1][j] - v[i][j] + v[i + 1][j] + 0.25 * q[i][j - 1]) / (2.0 - 0.25 * p[i][j - 1]);
      }
      u[i][n - 1] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

// Lanes and steps in one subscript.
TEST_FUNCTION shifted(int n, int m, double q[restrict][m], const double *restrict a, const double b[restrict][n + m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      q[i][j] = (q[i][j - 1] + a[i + j] - b[i][i + j]) / 9.0;
}

// Every other element.
TEST_FUNCTION spread(int n, int m, int half, double q[restrict][m], const double a[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < half; j++)
      q[i][2 * j] = (q[i][2 * j - 2] + a[i][2 * j + 1] - a[i][m - 1 - j]) / 11.0;
}

// Elements of two sizes.
TEST_FUNCTION mixed(int n, int m, double q[restrict][m], const float a[restrict][m], float s[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) {
      q[i][j] = ((double)a[i][j] - q[i][j - 1]) / 5.0;
      s[i][j] = (float)q[i][j];
    }
}

TEST_FUNCTION integers(int n, int m, int64_t a[restrict][m], const int64_t b[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      a[i][j] = (a[i][j - 1] ^ b[i][j]) * 3 + (a[i][j - 1] >> 1);
}

union bits {
  double number;
  int64_t bits;
};

// What one step leaves as a number of one kind is one of another kind for the next step.
TEST_FUNCTION kinds(int n, int m, union bits q[restrict][m], const double a[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      q[i][j].number = (a[i][j] + 3.0) / (double)((q[i][j - 1].bits >> 40) | 1);
}

// Two reads of one element.
TEST_FUNCTION of_two_kinds(int n, int m, double q[restrict][m], const union bits a[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      q[i][j] = (a[i][j].number - q[i][j - 1]) / (double)((a[i][j].bits >> 40) | 1);
}

// Two parallel loops around the chain.
TEST_FUNCTION cube(int n, int m, double a[restrict][3][m], const double b[restrict][3][m]) {
  for (int h = 0; h < n; h++)
    for (int i = 0; i < 3; i++)
      for (int j = 1; j < m; j++)
        a[h][i][j] = (b[h][i][j] - a[h][i][j - 1]) / (b[h][i][j - 1] + 90.0);
}

// Chains of different lengths.
TEST_FUNCTION triangle(int n, int m, double a[restrict][m], const double b[restrict][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - i; j++)
      a[i][j] = (b[i][j] - a[i][j - 1]) / 3.0;
}

static void doubles(int n, int m, int at_end) {
  size_t count = (size_t)n * m;
  ARRAY(double, a, count, 1);
  ARRAY(double, b, count, 2);
  ARRAY(double, c, count, 3);
  rows(n, m, (void *)a, (void *)b);
  SUM("rows", a, count);
  back(n, m, (void *)c, (void *)a, (void *)b);
  SUM("back", c, count);
  second(n, m, (void *)a, (void *)b);
  SUM("second", a, count);
  update(n, m, (void *)a, b);
  SUM("update", a, count);
  beside(n, m, (void *)b, (void *)a);
  SUM("beside", b, count);
  now(n, m, (void *)a, (void *)b, (void *)c);
  SUM("now", a, count);
  SUM("now", b, count);
  SUM("now", c, count);
  spread(n, m, m / 2, (void *)a, (void *)b);
  SUM("spread", a, count);
  triangle(n, m, (void *)a, (void *)c);
  SUM("triangle", a, count);
  ARRAY(double, line, (size_t)n + m, 4);
  ARRAY(double, band, (size_t)n * (n + m), 5);
  shifted(n, m, (void *)a, line, (void *)band);
  SUM("shifted", a, count);
  // What is written is what is read: guards fail.
  rows(n, m, (void *)a, (void *)a);
  SUM("overlapping rows", a, count);
  beside(n, m, (void *)b, (void *)b);
  SUM("overlapping beside", b, count);
  if (n > 1) {
    rows(n - 1, m, (void *)a, (void *)(a + m / 2));
    SUM("shifted rows", a, count);
    now(n - 1, m, (void *)b, (void *)(b + 1), (void *)c);
    SUM("shifted now", b, count);
  }
}

static void others(int n, int m, int at_end) {
  size_t count = (size_t)n * m;
  ARRAY(float, f, count, 6);
  ARRAY(float, g, count, 7);
  smooth(n, m, (void *)f, (void *)g);
  SUM("smooth", f, count);
  ARRAY(double, a, count, 8);
  mixed(n, m, (void *)a, (void *)f, (void *)g);
  SUM("mixed", a, count);
  SUM("mixed", g, count);
  ARRAY(int64_t, k, count, 9);
  ARRAY(int64_t, l, count, 10);
  integers(n, m, (void *)k, (void *)l);
  SUM("integers", k, count);
  ARRAY(double, d, count, 17);
  kinds(n, m, (void *)a, (void *)d);
  SUM("kinds", a, count);
  of_two_kinds(n, m, (void *)d, (void *)a);
  SUM("of two kinds", d, count);
  ARRAY(double, h, 3 * count, 11);
  ARRAY(double, c, 3 * count, 12);
  cube(n, m, (void *)h, (void *)c);
  SUM("cube", h, 3 * count);
  if (n == m) {
    ARRAY(double, u, count, 13);
    ARRAY(double, v, count, 14);
    ARRAY(double, p, count, 15);
    ARRAY(double, q, count, 16);
    alternate(3, n, (void *)u, (void *)v, (void *)p, (void *)q);
    SUM("alternate", u, count);
    SUM("alternate", v, count);
    SUM("alternate", p, count);
    SUM("alternate", q, count);
  }
}

int main(void) {
  static const int widths[] = {0, 1, 2, 3, 7, 8, 9, 10, 16, 17, 18, 25, 35};
  for (int n = 0; n <= 35; n += n < 10 || n >= 23 ? 1 : 3)
    for (size_t i = 0; i < COUNT(widths); i++) {
      doubles(n, widths[i], (n + (int)i) % 2);
      others(n, widths[i], (n + (int)i) % 2);
      if (n != widths[i])
        others(n, n, (int)i % 2);
    }
  doubles(50, 1000, 1);
  others(70, 70, 1);
  return 0;
}
