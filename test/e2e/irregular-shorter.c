// Index arrays that have become shorter between two executions: what says how long they are is
// compared first, and what is behind their ends is not looked at.
// poly: optimizes solve
#include "check.h"
#include "pages.h"

#define ROWS 200

TEST_FUNCTION solve(int n, const int *row, const int *col, const double *val, double *restrict x) {
  for (int i = 0; i < n; i++) {
    double s = x[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      if (col[k] < i)
        s -= val[k] * x[col[k]];
    x[i] = s / (1 + i % 5);
  }
}

// A matrix with so many entries in a row, whose columns and values end where nothing can be accessed.
static void run(int n, int entries, double *x) {
  int count = n * entries;
  int *row = bounded((size_t)(n + 1) * sizeof(int), 1), *col = bounded((size_t)count * sizeof(int), 1);
  double *val = bounded((size_t)count * sizeof(double), 1);
  for (int i = 0; i <= n; i++)
    row[i] = i * entries;
  for (int k = 0; k < count; k++) {
    col[k] = (k * 7 + k / entries) % (k / entries + 1);
    val[k] = 0.25 + k % 9;
  }
  for (int repeat = 0; repeat < 3; repeat++) {
    for (int i = 0; i < n; i++)
      x[i] = 1 + (i + repeat) % 11;
    solve(n, row, col, val, x);
    SHOW("x", x, (size_t)n);
  }
}

int main(void) {
  static double x[ROWS];
  static const int entries[] = {40, 3, 41, 1, 1, 25};
  for (size_t i = 0; i < COUNT(entries); i++)
    run(ROWS, (int)hidden(entries[i]), x);
  return 0;
}
