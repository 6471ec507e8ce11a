// Sums, products, minima and bit operations that leave the nest. Floating-point sums must keep their order.
#include <math.h>

#include "check.h"

#define N 40

TEST_VALUE(double) sum(int n, int m, double a[N][N]) {
  double s = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[i][j];
  return s;
}

TEST_VALUE(double) column_order(int n, int m, double a[N][N]) {
  double s = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      s = s * 0.75 + a[i][j];
  return s;
}

TEST_VALUE(int64_t) integers(int n, int m, int a[N][N]) {
  int64_t s = 7;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += (int64_t)a[j][i] * (i + 1);
  return s;
}

TEST_VALUE(uint32_t) wrapping_product(int n, uint32_t *a) {
  uint32_t p = 1;
  for (int i = 0; i < n; i++)
    p *= a[i] | 1;
  return p;
}

TEST_VALUE(double) largest(int n, int m, double a[N][N]) {
  double best = -INFINITY;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      best = a[i][j] > best ? a[i][j] : best;
  return best;
}

TEST_VALUE(int) several(int n, int m, int a[N][N], int *least, int *all, unsigned *any) {
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (a[i][j] > 3)
        count++;
      *least = a[i][j] < *least ? a[i][j] : *least;
      *all += a[i][j];
      *any |= (unsigned)a[i][j];
    }
  return count;
}

TEST_FUNCTION row_sums(int n, int m, double a[N][N], double *rows, double *columns) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      rows[i] += a[i][j];
      columns[j] += a[i][j];
    }
}

static double a[N][N], rows[N], columns[N];
static int k[N][N];
static uint32_t u[N];

int main(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&k[0][0], N * N, 2);
  FILL(u, N, 3);
  for (int i = 0; i < N * N; i++) // magnitudes so far apart that each order of adding gives another sum
    (&a[0][0])[i] = ldexp((&a[0][0])[i] + 0.3, (i * 13) % 60 - 30);
  for (int n = 0; n <= N; n = n * 2 + 4)
    for (int m = 0; m <= N; m = m * 3 + 3) {
      double s[] = {sum((int)hidden(n), (int)hidden(m), a), column_order((int)hidden(n), (int)hidden(m), a),
                    largest((int)hidden(n), (int)hidden(m), a)};
      SHOW("sums", s, 3);
      printf("%lld %u\n", (long long)integers((int)hidden(n), (int)hidden(m), k), wrapping_product((int)hidden(n), u));
      int least = 100, all = 3;
      unsigned any = 0;
      int count = several((int)hidden(n), (int)hidden(m), k, &least, &all, &any);
      printf("%d %d %d %u\n", count, least, all, any);
      row_sums((int)hidden(n), (int)hidden(m), a, rows, columns);
      SHOW("rows", rows, N);
      SHOW("columns", columns, N);
      row_sums((int)hidden(n), (int)hidden(m), a, rows, rows);
      SHOW("both", rows, N);
    }
  return 0;
}
