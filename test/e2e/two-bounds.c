// Loops that run as often as the smaller one of two sizes says, around scalars that get an element
// for each iteration: Householder's reflections of matrices with more rows than columns, fewer, and
// none.
// poly: optimizes reflections decompose
#include "check.h"
#include <math.h>

#define N 31

TEST_FUNCTION reflections(int m, int n, double *a, const double *v) {
  for (int k = 0; k < n; k++)
    for (int j = k; j < n; j++) {
      double s = 0;
      for (int i = k; i < m; i++)
        s += v[i] * a[i * n + j];
      for (int i = k; i < m; i++)
        a[i * n + j] -= 0.01 * s * v[i];
    }
}

TEST_FUNCTION decompose(int m, int n, double *a, double *v) {
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = k; i < m; i++)
      norm += a[i * n + k] * a[i * n + k];
    norm = sqrt(norm);
    for (int i = k; i < m; i++)
      v[i] = a[i * n + k];
    v[k] += norm;
    double length = 1;
    for (int i = k; i < m; i++)
      length += v[i] * v[i];
    for (int j = k; j < n; j++) {
      double s = 0;
      for (int i = k; i < m; i++)
        s += v[i] * a[i * n + j];
      s = 2 * s / length;
      for (int i = k; i < m; i++)
        a[i * n + j] -= s * v[i];
    }
  }
}

static double a[N * N], v[N];

int main(void) {
  for (int m = 0; m <= N; m += m < 3 ? 1 : 7)
    for (int n = 0; n <= N; n += n < 3 ? 1 : 9) {
      FILL(a, N * N, m);
      FILL(v, N, n);
      int rows = (int)hidden(m), columns = (int)hidden(n);
      reflections(rows, columns, a, v);
      SHOW("reflections", a, N * N);
      decompose(rows, columns, a, v);
      SHOW("decompose", a, N * N);
      SHOW("vector", v, N);
    }
  return 0;
}
