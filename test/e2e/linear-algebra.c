// Dense linear algebra in the forms that people write it in: every loop order, every transposition, solvers.
// poly: optimizes product_ijk product_kji
#include "check.h"

#define N 26

#define DEFINE_PRODUCT(order, outer, middle, inner)                                                                                \
  TEST_FUNCTION product_##order(int n, double c[N][N], double a[N][N], double b[N][N]) {                                           \
    for (int outer = 0; outer < n; outer++)                                                                                        \
      for (int middle = 0; middle < n; middle++)                                                                                   \
        for (int inner = 0; inner < n; inner++)                                                                                    \
          c[i][j] += a[i][k] * b[k][j];                                                                                            \
  }

DEFINE_PRODUCT(ijk, i, j, k)
DEFINE_PRODUCT(ikj, i, k, j)
DEFINE_PRODUCT(jik, j, i, k)
DEFINE_PRODUCT(jki, j, k, i)
DEFINE_PRODUCT(kij, k, i, j)
DEFINE_PRODUCT(kji, k, j, i)

TEST_FUNCTION transposed(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[k][i] * b[j][k];
      c[i][j] = s * 0.5 + c[i][j];
    }
}

TEST_FUNCTION lower_solve(int n, double *x, double l[N][N], double *b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= l[i][j] * x[j];
    x[i] = x[i] / (l[i][i] + 20);
  }
}

TEST_FUNCTION factor(int n, double a[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

TEST_FUNCTION covariance(int n, int m, double d[N][N], double c[N][N], double *mean) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += d[i][j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += d[k][i] * d[k][j];
      c[i][j] /= n - 1.0;
      c[j][i] = c[i][j];
    }
}

TEST_FUNCTION gemver(int n, double a[N][N], double *u, double *v, double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = a[i][j] + u[i] * v[j] + v[i] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] = x[i] + 0.125 * a[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + u[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] = y[i] + 0.125 * a[i][j] * x[j];
}

static double a[N][N], b[N][N], c[N][N], v[4][N];

static void restart(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  FILL(&v[0][0], 4 * N, 4);
  for (int i = 0; i < N * N; i++) { // small, so that nothing overflows however often it is squared
    (&a[0][0])[i] *= 0.015625;
    (&b[0][0])[i] *= 0.015625;
    (&c[0][0])[i] *= 0.015625;
  }
}

int main(void) {
  void (*products[])(int, double[N][N], double[N][N], double[N][N]) = {product_ijk, product_ikj, product_jik, product_jki,
                                                                       product_kij, product_kji, transposed};
  for (int n = 0; n <= N; n = n * 2 + 2) {
    int h = (int)hidden(n);
    for (size_t k = 0; k < COUNT(products); k++) {
      restart();
      products[k](h, c, a, b);
      SHOW("product", &c[0][0], N * N);
      products[k](h, c, c, b);
      for (int i = 0; i < N * N; i++)
        (&c[0][0])[i] *= 1e-4;
      products[k](h, c, c, c);
      SHOW("in place", &c[0][0], N * N);
    }
    restart();
    lower_solve(h, v[0], a, v[1]);
    lower_solve(h, v[2], a, v[2]);
    SHOW("lower_solve", &v[0][0], 4 * N);
    for (int i = 0; i < N; i++)
      a[i][i] += 100;
    factor(h, a);
    SHOW("factor", &a[0][0], N * N);
    restart();
    if (n > 1)
      covariance(h, h - 1, a, c, v[0]);
    SHOW("covariance", &c[0][0], N * N);
    gemver(h, a, v[0], v[1], v[2], v[3]);
    SHOW("gemver", &a[0][0], N * N);
    SHOW("gemver", &v[0][0], 4 * N);
  }
  return 0;
}
