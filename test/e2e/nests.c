// Several nests in one loop or one after the other: taking turns in strips, chains side by side, loops moved into the nests below.
// poly: optimizes transposed_product further_down
#include "check.h"
#include <math.h>

#define N 61

// y = A' (A x): a row of A is used twice.
TEST_FUNCTION transposed_product(int n, int m, double a[N][N], double x[N], double *t, double *y) {
  for (int j = 0; j < m; j++)
    y[j] = 0;
  for (int i = 0; i < n; i++) {
    t[i] = 0;
    for (int j = 0; j < m; j++)
      t[i] += a[i][j] * x[j];
    for (int j = 0; j < m; j++)
      y[j] += a[i][j] * t[i];
  }
}

// Two products with one matrix.
TEST_FUNCTION two_vectors(int n, int m, double a[N][N], double r[N], double p[N], double *restrict s, double *restrict q) {
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < m; j++) {
      s[j] += r[i] * a[i][j];
      q[i] += a[i][j] * p[j];
    }
  }
}

// The second product needs results of the first one from further down: no turns.
TEST_FUNCTION further_down(int n, int m, double a[N][N], double x[N], double *restrict t, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i] += a[i][j] * x[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[j] += a[i][j] * t[n - 1 - i];
}

// Forward and back along every row: each a chain, rows side by side.
TEST_FUNCTION lines(int n, int m, double u[N][N], double p[restrict N][N], double q[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    p[i][0] = 0;
    q[i][0] = u[i][0];
    for (int j = 1; j < m; j++) {
      p[i][j] = 1.5 / (4 - 1.5 * p[i][j - 1]);
      q[i][j] = (u[i][j] + 1.5 * q[i][j - 1]) / (4 - 1.5 * p[i][j - 1]);
    }
    for (int j = m - 2; j >= 0; j--)
      u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
  }
}

// Every row depends on the one above, too: nothing side by side.
TEST_FUNCTION carried(int n, int m, double u[N][N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = u[i][j] / (3 + u[i][j - 1] * u[i][j - 1]) + 0.25 * u[i - 1][j];
}

// Columns made orthogonal one after the other: the loop over later columns is around two nests.
TEST_FUNCTION orthogonal(int n, int m, double a[restrict N][N], double q[restrict N][N], double r[restrict N][N]) {
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = 0; i < m; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = sqrt(norm + 0.125); // never 0: the sign of a NaN is no result
    for (int i = 0; i < m; i++)
      q[i][k] = a[i][k] / r[k][k];
    for (int j = k + 1; j < n; j++) {
      r[k][j] = 0;
      for (int i = 0; i < m; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < m; i++)
        a[i][j] -= q[i][k] * r[k][j];
    }
  }
}

// The nests in the loop hand on a value: they stay together.
TEST_FUNCTION handed_on(int n, double a[restrict N][N], double b[restrict N][N]) {
  for (int k = 1; k < n; k++)
    for (int j = 1; j < n; j++) {
      for (int i = 0; i < n; i++)
        a[j][i] += b[j - 1][i] * a[k][i];
      for (int i = 0; i < n; i++)
        b[j][i] -= a[j][i] * 0.125;
    }
}

static double a[N][N], b[N][N], c[N][N], d[N][N];

#define OUTPUT(label, array) SHOW(label, &array[0][0], N * N)

static void start(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  FILL(&d[0][0], N * N, 4);
}

static void run(int n, int m) {
  start();
  transposed_product(n, m, a, b[0], c[0], c[1]);
  two_vectors(n, m, a, b[1], b[2], c[2], c[3]);
  further_down(n, m, a, b[1], c[4], c[5]);
  OUTPUT("products", c);
  lines(n, m, a, b, c);
  OUTPUT("lines", a);
  OUTPUT("lines", c);
  carried(n, m, d);
  OUTPUT("carried", d);
  start();
  orthogonal(n, m, a, b, c);
  OUTPUT("orthogonal", a);
  OUTPUT("orthogonal", c);
  start();
  handed_on(n, a, b);
  OUTPUT("handed on", a);
  OUTPUT("handed on", b);
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 1}, {2, 7}, {8, 8}, {9, 16}, {16, 15}, {31, 33}, {61, 61}, {60, 3}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]));
  // Arrays that overlap: the original runs.
  start();
  transposed_product(40, 40, a, b[0], &a[3][5], &a[9][2]);
  OUTPUT("overlap", a);
  return 0;
}
