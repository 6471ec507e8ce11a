// Arrays read and written in the same nest: shifts, reversals, transposition, prefix sums, Pascal's triangle.
// poly: optimizes shift_rows
#include "check.h"

#define N 28

TEST_FUNCTION shift_left(int n, int by, double *a) {
  for (int i = 0; i < n - by; i++)
    a[i] = a[i + by] + 1;
}

TEST_FUNCTION shift_right(int n, int by, double *a) {
  for (int i = by; i < n; i++)
    a[i] = a[i - by] + 1;
}

TEST_FUNCTION reverse(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = a[n - 1 - i] * 0.5 + i;
}

TEST_FUNCTION shift_rows(int n, double a[N][N]) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 1; j < n; j++)
      a[i][j] = a[i + 1][j - 1] * 0.5 + j;
}

TEST_FUNCTION skewed(int n, double a[N][N]) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n - 1; j++)
      a[i][j] = a[i - 1][j + 1] + a[i][j] * 0.5;
}

TEST_FUNCTION transpose(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double t = a[i][j];
      a[i][j] = a[j][i];
      a[j][i] = t;
    }
}

TEST_FUNCTION prefix(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      a[i][j] += a[i][j - 1] * 0.5;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += a[i - 1][j] * 0.5;
}

TEST_FUNCTION pascal(int n, uint32_t *row) {
  row[0] = 1;
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0; j--)
      row[j] += row[j - 1];
}

TEST_FUNCTION ping_pong(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.25;
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}

TEST_FUNCTION every_point(int n, int steps, double *a) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      a[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.25;
}

static double a[N][N], v[100], w[100];
static uint32_t row[40];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 3) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    FILL(v, 100, 2);
    FILL(w, 100, 3);
    for (int by = 0; by < 12; by = by * 2 + 1) {
      shift_left(h * 3, (int)hidden(by), v);
      shift_right(h * 3, (int)hidden(by), w);
    }
    SHOW("shift_left", v, 100);
    SHOW("shift_right", w, 100);
    reverse(h, v);
    SHOW("reverse", v, 100);
    shift_rows(h, a);
    SHOW("shift_rows", &a[0][0], N * N);
    skewed(h, a);
    SHOW("skewed", &a[0][0], N * N);
    transpose(h, a);
    SHOW("transpose", &a[0][0], N * N);
    prefix(h, a);
    SHOW("prefix", &a[0][0], N * N);
    memset(row, 0, sizeof row);
    pascal(h, row);
    SHOW("pascal", row, 40);
    ping_pong(h, h / 2, v, w);
    SHOW("ping_pong", v, 100);
    ping_pong(h, h / 2, v, v + hidden(1));
    SHOW("ping_pong", v, 100);
    every_point(h * 3, h, w);
    SHOW("every_point", w, 100);
  }
  return 0;
}
