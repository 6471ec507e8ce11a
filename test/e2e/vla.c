// Arrays whose extents are known only at run time (C99), as parameters and as locals.
// poly: optimizes transposed_sum product
#include "check.h"

TEST_FUNCTION transposed_sum(int n, int m, double a[n][m], double b[m][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += 2 * b[j][i];
}

TEST_FUNCTION product(int n, int m, int l, double c[n][m], double a[n][l], double b[l][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i][j] = 0;
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

TEST_FUNCTION planes(long n, long m, long l, float a[n][m][l]) {
  for (long i = 1; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l - 1; k++)
        a[i][j][k] += a[i - 1][j][k + 1];
}

TEST_VALUE(double) local(int n, int m) {
  double t[n + 1][m + 2];
  for (int i = 0; i <= n; i++)
    for (int j = 0; j < m + 2; j++)
      t[i][j] = i * 0.5 + j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j < m + 2; j++)
      t[i][j] += t[i - 1][j] * 0.5 + t[i][j - 1] * 0.25;
  return t[n][m + 1];
}

static double x[1000], y[1000], z[1000];
static float f[1000];

int main(void) {
  static const int sizes[][3] = {{0, 0, 0}, {0, 5, 3}, {5, 0, 3}, {1, 1, 1}, {7, 11, 13}, {13, 7, 11}, {25, 40, 25}, {40, 25, 3}, {1, 1000, 1}};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k][0]), m = (int)hidden(sizes[k][1]), l = (int)hidden(sizes[k][2]);
    FILL(x, 1000, 1);
    FILL(y, 1000, 2);
    FILL(z, 1000, 3);
    FILL(f, 1000, 4);
    // C does not allow an extent of zero
    if (n && m) {
      transposed_sum(n, m, (void *)x, (void *)y);
      SHOW("transposed_sum", x, 1000);
    }
    if (n && m && l) {
      product(n, m, l, (void *)z, (void *)x, (void *)y);
      SHOW("product", z, 1000);
    }
    if (n && m && l && (long)n * m * l <= 1000)
      planes(n, m, l, (void *)f);
    SHOW("planes", f, 1000);
    double value = local(n, m);
    SHOW("local", &value, 1);
  }
  return 0;
}
