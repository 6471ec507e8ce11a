// Subscripts that are not affine: such an access may touch any element of its array; the rest of the nest is optimized around it.
// poly: optimizes gather scatter histogram product_of_counters rows_of_a_table indirect_twice
#include "check.h"

enum { N = 40 };
static double a[N * N], b[N * N];
static double row[N][N];
static int index_of[N], count[N * N];

TEST_FUNCTION gather(int n, int m, double *restrict x, const double *restrict y, const int *restrict at) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[j] += y[at[i]] * j;
}

TEST_FUNCTION scatter(int n, double *restrict x, const double *restrict y, const int *restrict at) {
  for (int i = 0; i < n; i++) {
    x[at[i]] = y[i];
    x[i] += 1;
  }
}

TEST_FUNCTION histogram(int n, int *restrict counts, const int *restrict at) {
  for (int i = 0; i < n; i++)
    counts[at[i]]++;
}

TEST_FUNCTION product_of_counters(int n, double *restrict x, const double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += y[i * j];
}

// A two-dimensional array of which one access is affine and one is not.
TEST_FUNCTION rows_of_a_table(int n, double (*restrict x)[N], const int *restrict at) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < N; j++)
      x[i][j] += x[at[i]][j] * 0.5;
}

TEST_FUNCTION indirect_twice(int n, double *restrict x, const int *restrict at) {
  for (int i = 0; i < n; i++)
    if (at[at[i]] % 3)
      x[at[at[i]]] -= i;
}

int main(void) {
  FILL(a, N * N, 1);
  FILL(b, N * N, 2);
  FILL(&row[0][0], N * N, 3);
  for (int i = 0; i < N; i++)
    index_of[i] = (i * 7 + 3) % (N / 2);
  for (int n = 0; n <= N; n += 20) {
    gather((int)hidden(n), (int)hidden(n / 2), a, b, index_of);
    scatter((int)hidden(n), b, a, index_of);
    histogram((int)hidden(n), count, index_of);
    product_of_counters((int)hidden(n), a, b);
    rows_of_a_table((int)hidden(n), row, index_of);
    indirect_twice((int)hidden(n), a, index_of);
  }
  SHOW("a", a, N * N);
  SHOW("b", b, N * N);
  SHOW("row", &row[0][0], N * N);
  SHOW("count", count, N * N);
  return 0;
}
