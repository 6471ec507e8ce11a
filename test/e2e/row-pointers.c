// Arrays as double (*)[N], as pointers to whole arrays, and as rows reached through a table of pointers. Rows of a
// table can be the same row.
// poly: optimizes fixed_width
#include "check.h"

#define N 24

TEST_FUNCTION fixed_width(int n, double (*a)[N], double (*b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = a[i][j] + b[j][i] * 0.5;
}

TEST_FUNCTION whole(double (*a)[N][N], double (*b)[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      (*a)[i][j] -= (*b)[i][j] * (*b)[j][i];
}

TEST_FUNCTION table(int n, double **a, double **b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = a[i][j] * 0.5 + b[i][N - 1 - j];
}

TEST_FUNCTION table_product(int n, double **c, double **a, double **b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

static double x[2 * N][N], y[2 * N][N];

int main(void) {
  for (int n = 0; n <= N; n += 6) {
    FILL(&x[0][0], 2 * N * N, 1);
    FILL(&y[0][0], 2 * N * N, 2);
    fixed_width((int)hidden(n), x, y);
    fixed_width((int)hidden(n), x, x);
    fixed_width((int)hidden(n), x + hidden(1), x);
    SHOW("fixed_width", &x[0][0], 2 * N * N);
    whole((void *)x, (void *)y);
    whole((void *)y, (void *)(y + hidden(3)));
    SHOW("whole", &x[0][0], 2 * N * N);
    SHOW("whole", &y[0][0], 2 * N * N);
    double *p[N], *q[N], *r[N];
    for (int i = 0; i < N; i++) {
      p[i] = x[i];
      q[i] = y[i / 2];       // each row twice
      r[i] = x[(i * 7) % N]; // the rows of p in another order
    }
    table((int)hidden(n), p, q);
    table((int)hidden(n), q, p);
    table((int)hidden(n), p, r);
    for (int i = 0; i < 2 * N * N; i++) {
      (&x[0][0])[i] *= 0.0625;
      (&y[0][0])[i] *= 0.0625;
    }
    table_product((int)hidden(n), p, q, r);
    table_product((int)hidden(n), q, p, p);
    SHOW("table", &x[0][0], 2 * N * N);
    SHOW("table", &y[0][0], 2 * N * N);
    // Rows of one between those of the other; then one of them shares an element with its neighbour.
    for (int shared = 0; shared < 2; shared++) {
      for (int i = 0; i < N; i++)
        p[i] = x[2 * i], q[i] = x[2 * i + 1];
      q[N / 2] -= hidden(shared);
      FILL(&x[0][0], 2 * N * N, 3);
      table((int)hidden(n), p, q);
      table((int)hidden(n), q, p);
      table_product((int)hidden(n), p, q, q);
      SHOW("table", &x[0][0], 2 * N * N);
    }
  }
  return 0;
}
