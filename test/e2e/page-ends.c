// Arrays that end where memory ends, and others that begin where it begins: nothing is read or written beside them, also where vectors are
// wider than what is left of a row, where rows of a triangle have no columns, and where factors are stored as columns.
// poly: optimizes product transposed lower upper band_of_rows in_floats
#include "check.h"
#include "pages.h"

TEST_FUNCTION product(int n, int m, int l, double c[restrict n][m], double a[n][l], double b[l][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[k][j];
}

TEST_FUNCTION transposed(int n, int m, int l, double c[restrict n][m], double a[l][n], double b[m][l]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += 0.5 * a[k][i] * b[j][k];
}

TEST_FUNCTION lower(int n, int l, double c[restrict n][n], double a[n][l]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * a[j][k];
}

TEST_FUNCTION upper(int n, int l, double c[restrict n][n], double a[l][n]) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[k][i] * a[k][j];
}

// Some rows have no columns, and their factors are not there.
TEST_FUNCTION band_of_rows(int n, int m, int l, double c[restrict n][m], double a[n][l], double b[l][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 2 * i - 7; j < m - i; j++)
      if (j >= 0)
        for (int k = 0; k < l; k++)
          c[i][j] += a[i][k] * b[k][j];
}

TEST_FUNCTION in_floats(int n, int m, int l, float c[restrict n][m], float a[n][l], float b[l][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] -= a[i][k] * b[k][j];
}

static double *doubles(size_t count, int at_end, int seed) {
  double *array = bounded((count ? count : 1) * sizeof(double), at_end);
  FILL(array, count, seed);
  return array;
}

static void run(int n, int m, int l, int at_end) {
  size_t nm = (size_t)n * m, nl = (size_t)n * l, lm = (size_t)l * m, nn = (size_t)n * n;
  double *c = doubles(nm, at_end, 1), *a = doubles(nl, at_end, 2), *b = doubles(lm, at_end, 3), *d = doubles(nn, at_end, 4);
  product(n, m, l, (void *)c, (void *)a, (void *)b);
  SHOW("product", c, nm);
  transposed(n, m, l, (void *)c, (void *)a, (void *)b);
  SHOW("transposed", c, nm);
  lower(n, l, (void *)d, (void *)a);
  SHOW("lower", d, nn);
  upper(n, l, (void *)d, (void *)a);
  SHOW("upper", d, nn);
  // The first factor has only the rows that have columns.
  int rows = 0;
  while (rows < n && (2 * rows - 7 < 0 ? 0 : 2 * rows - 7) < m - rows)
    rows++;
  double *short_a = doubles((size_t)rows * l, at_end, 5), *short_c = doubles((size_t)rows * m, at_end, 6);
  band_of_rows(n, m, l, (void *)short_c, (void *)short_a, (void *)b);
  SHOW("band of rows", short_c, (size_t)rows * m);
  float *fc = bounded(nm * sizeof(float), at_end), *fa = bounded(nl * sizeof(float), at_end), *fb = bounded(lm * sizeof(float), at_end);
  FILL(fc, nm, 7), FILL(fa, nl, 8), FILL(fb, lm, 9);
  in_floats(n, m, l, (void *)fc, (void *)fa, (void *)fb);
  SHOW("floats", fc, nm);
}

int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {5, 3, 2}, {4, 17, 9}, {13, 8, 11}, {29, 33, 16}, {33, 47, 21}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int at_end = 0; at_end < 2; at_end++)
      run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]), (int)hidden(sizes[i][2]), at_end);
  return 0;
}
