// Loops inside of nests that the compiler turns into memset and memcpy, and calls of these with other lengths.
// poly: optimizes cleared_rows copied_rows copied_part every_other_row
#include "check.h"

enum { N = 26 };
static double a[N * N], b[N * N], c[N * N];
static int u[N * N], v[N * N];

TEST_FUNCTION cleared_rows(int n, double x[restrict n][n], const double *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      x[i][j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        x[i][j] += y[k] * y[j + k];
  }
}

TEST_FUNCTION copied_rows(int n, double x[N][N], double y[N][N], double z[N][N]) {
  for (int i = 0; i < n; i++) {
    memcpy(x[i], y[i], N * sizeof(double));
    for (int j = 0; j < n; j++)
      z[j][i] += x[i][j] * 0.5;
  }
}

TEST_FUNCTION copied_part(int n, int m, double (*restrict x)[N], double *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      x[i][j + 1] = y[j];
    y[i] += x[i][i] * 0.25;
  }
}

// A move within one array.
TEST_FUNCTION moved(int n, int m, int *x) {
  for (int i = 0; i < n; i++) {
    memmove(x + 1, x, (size_t)m * sizeof(int));
    x[0] += i;
    x[m] -= x[1];
  }
}

TEST_FUNCTION every_other_row(int n, int fill, int (*restrict x)[N], int *restrict y) {
  for (int i = 0; i < n; i++) {
    if (i % 2)
      memset(x[i], fill, N * sizeof(int));
    for (int j = 0; j < N; j++)
      y[j] += x[i][j];
  }
}

// Parts of elements.
TEST_FUNCTION bytes(int n, int *x, int *y) {
  for (int i = 0; i < n; i++) {
    memset((char *)(x + i) + 1, i, 2);
    y[i] += x[n - 1 - i];
    memcpy((char *)(y + i) + 2, (char *)x + i, 2);
  }
}

TEST_FUNCTION unknown_length(int n, const int *lengths, int *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++) {
    memset(x + i, i, (size_t)lengths[i] * sizeof(int));
    for (int j = 0; j < n; j++)
      y[j] += x[i + j] * j;
  }
}

int main(void) {
  static int lengths[N];
  FILL(a, N * N, 1);
  FILL(b, N * N, 2);
  FILL(c, N * N, 3);
  for (int i = 0; i < N * N; i++) {
    u[i] = start_value(i);
    v[i] = start_value(i + 9);
  }
  for (int i = 0; i < N; i++)
    lengths[i] = i % 5;
  for (int n = 0; n <= N / 2; n++) {
    int size = (int)hidden(n);
    cleared_rows(size, (double(*)[n ? n : 1])a, b);
    copied_rows(size * 2, (double(*)[N])a, (double(*)[N])b, (double(*)[N])c);
    copied_rows(size, (double(*)[N])c, (double(*)[N])(c + N * N / 2), (double(*)[N])(c + 3));
    copied_part(size, (int)hidden(n + 3), (double(*)[N])b, a);
    copied_part(size, (int)hidden(N + 4), (double(*)[N])b, a); // over the end of the rows
    copied_part(size, (int)hidden(-n), (double(*)[N])b, a);
    moved(size, (int)hidden(n + 5), u);
    every_other_row(size * 2, (int)hidden(n), (int(*)[N])u, v);
    bytes(size, u, v);
    bytes(size, u, u + 1);
    unknown_length(size, lengths, u, v);
  }
  SHOW("a", a, N * N);
  SHOW("b", b, N * N);
  SHOW("c", c, N * N);
  SHOW("u", u, N * N);
  SHOW("v", v, N * N);
  return 0;
}
