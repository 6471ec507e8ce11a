// Elimination in place and its like: within one step, all rows read one row or column that is written, too. Cut there, loops are free of dependences.
// poly: optimizes paths distances closure jordan inverse symmetric add_row sweep_from between two_rows columns
#include "check.h"

#define N 37

// Numbers may be negative: row and column k change in step k.
TEST_FUNCTION paths(int n, int32_t p[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
}

TEST_FUNCTION distances(int n, double p[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double by = p[i][k] + p[k][j];
        if (by < p[i][j])
          p[i][j] = by;
      }
}

TEST_FUNCTION closure(int n, uint32_t p[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[i][j] |= p[i][k] & p[k][j];
}

// All of a row changes, also the column that the factor is in.
TEST_FUNCTION jordan(int n, double a[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (i != k)
        for (int j = 0; j < n; j++)
          a[i][j] -= 0.015625 * a[i][k] * a[k][j];
}

// The inverse in the place of the matrix.
TEST_FUNCTION inverse(int n, double a[N][N]) {
  for (int k = 0; k < n; k++) {
    double pivot = 1.0 / (a[k][k] + 64.0);
    a[k][k] = 1.0;
    for (int j = 0; j < n; j++)
      a[k][j] *= pivot;
    for (int i = 0; i < n; i++) {
      if (i == k)
        continue;
      double factor = a[i][k];
      a[i][k] = 0.0;
      for (int j = 0; j < n; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
}

// One triangle, with the row of the step read along a row and along a column.
TEST_FUNCTION symmetric(int n, double a[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        a[i][j] -= 0.015625 * a[i][k] * a[j][k];
}

// The row is given; itself, it is doubled in between.
TEST_FUNCTION add_row(int n, int r, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += a[r][j];
}

// The first element is written first.
TEST_FUNCTION sweep_from(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * a[i] + a[0];
}

TEST_FUNCTION between(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * a[i] + a[17];
}

TEST_FUNCTION two_rows(int n, double a[N][N]) {
  for (int k = 0; k < n - 1; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = 0.5 * a[i][j] + 0.25 * a[k][j] + 0.125 * a[k + 1][j];
}

// The same rows, in an array by columns.
TEST_FUNCTION columns(int n, int32_t p[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[j][i] = p[j][i] < p[k][i] + p[j][k] ? p[j][i] : p[k][i] + p[j][k];
}

static int32_t p[N][N];
static uint32_t u[N][N];
static double a[N][N];
static double v[N];

#define EACH(name, array)                                                                                                          \
  FILL(&array[0][0], N *N, n + 3);                                                                                                 \
  name(n, array);                                                                                                                  \
  SHOW(#name, &array[0][0], N *N);

int main(void) {
  const int sizes[] = {0, 1, 2, 3, 7, 16, 33, N};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    int n = (int)hidden(sizes[s]);
    EACH(paths, p)
    EACH(columns, p)
    EACH(closure, u)
    EACH(distances, a)
    EACH(jordan, a)
    EACH(inverse, a)
    EACH(symmetric, a)
    EACH(two_rows, a)
    for (int r = 0; r < N; r += 18) {
      FILL(&a[0][0], N * N, r);
      add_row(n, (int)hidden(r), a);
      SHOW("row", &a[0][0], N * N);
    }
    FILL(v, N, n);
    sweep_from(n, v);
    between(n, v);
    SHOW("sweep", v, N);
  }
}
