// Calls of functions that read memory but change nothing: they see what was written before them and not what is written behind.
// poly: optimizes of_another of_itself of_several under_condition
#include "check.h"

#define N 20

static double table[N * N];

__attribute__((noinline, pure)) static double sum_of(const double *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 0.5 + p[i];
  return sum;
}

__attribute__((noinline, pure)) static double looked_up(int i) {
  return table[i] + table[N * N - 1 - i];
}

TEST_FUNCTION of_another(int n, double x[restrict N][N], double y[restrict N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      x[i][j] += sum_of(&y[i][j], 3);
}

// Each call sees what the iterations before it have written.
TEST_FUNCTION of_itself(int n, double x[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      x[i][j] = sum_of(&x[0][0], n * N) * 0.125 + i;
}

TEST_FUNCTION of_several(int n, double x[restrict N][N], double *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      x[i][j] = looked_up(i * N + j) + y[j];
    table[i] = x[i][n / 2];
    for (int j = 0; j < n; j++)
      y[j] = x[i][j] * 0.5 + looked_up(j);
  }
}

TEST_FUNCTION under_condition(int n, double x[restrict N][N], double y[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (y[j][i] > 0)
        x[i][j] = looked_up(j * N + i) - x[i][j];
}

// The same function writes: it must stay where it is.
__attribute__((noinline)) static double counted(const double *p) {
  table[0] += 1;
  return p[0] + table[0];
}

TEST_FUNCTION of_a_writer(int n, double x[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] = counted(&x[j][i]);
}

static double a[N][N], b[N][N], c[N];

int main(void) {
  static const int sizes[] = {0, 1, 6, N - 1};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]);
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(table, N * N, 3);
    FILL(c, N, 4);
    of_another(n, a, b);
    SHOW("of_another", &a[0][0], N * N);
    of_itself(n, a);
    SHOW("of_itself", &a[0][0], N * N);
    of_several(n, a, c);
    SHOW("of_several", &a[0][0], N * N);
    SHOW("of_several", c, N);
    under_condition(n, a, b);
    SHOW("under_condition", &a[0][0], N * N);
    of_a_writer(n, a);
    SHOW("of_a_writer", &a[0][0], N * N);
  }
  return 0;
}
