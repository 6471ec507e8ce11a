// Incomplete factorizations of Cholesky without fill-in: by columns, where an iteration changes
// those behind it, and by rows, where it looks for what two rows have in common.
// poly: optimizes by_columns
// poly: optimizes by_rows

#include "check.h"

// Does not set errno.
#define root __builtin_elementwise_sqrt
#define N 90
#define MOST (N * 12)

TEST_FUNCTION by_columns(int n, const int *column, const int *row, double *val) {
  for (int i = 0; i < n; i++) {
    val[column[i]] = root(val[column[i]]);
    for (int m = column[i] + 1; m < column[i + 1]; m++)
      val[m] /= val[column[i]];
    for (int m = column[i] + 1; m < column[i + 1]; m++)
      for (int k = column[row[m]]; k < column[row[m] + 1]; k++)
        for (int l = m; l < column[i + 1]; l++)
          if (row[l] == row[k])
            val[k] -= val[m] * val[l];
  }
}

TEST_FUNCTION by_rows(int n, const int *row, const int *col, double *val) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++) {
      int j = col[k];
      double s = val[k];
      for (int p = row[i]; p < k; p++)
        for (int q = row[j]; q < row[j + 1] - 1; q++)
          if (col[p] == col[q])
            s -= val[p] * val[q];
      val[k] = j < i ? s / val[row[j + 1] - 1] : root(s);
    }
}

static int start[N + 1], index_of[MOST];
static double val[MOST];
static unsigned state = 1;

static int below(int n) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 8) % (unsigned)n);
}

// The lower triangle by columns (or by rows), the diagonal first (or last).
static void make(int n, int reach, int is_by_rows) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    start[i] = at;
    for (int d = is_by_rows ? reach : 0; is_by_rows ? d >= 0 : d <= reach; d += is_by_rows ? -1 : 1) {
      int other = is_by_rows ? i - d : i + d;
      if (other >= 0 && other < n && (d == 0 || below(3) == 0) && at < start[i] + 11 + (d == 0))
        index_of[at++] = other;
    }
  }
  start[n] = at;
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      val[k] = index_of[k] == i ? 20 + i % 5 : -0.5 - k % 3;
}

int main(void) {
  const int sizes[] = {0, 1, 2, 30, N}, reaches[] = {1, 7, 30};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (size_t r = 0; r < COUNT(reaches); r++)
      for (int again = 0; again < 3; again++) {
        int n = (int)hidden(sizes[s]);
        // Twice with the same pattern, then with another one.
        state = again < 2 ? 5 : 6;
        make(n, reaches[r], 0);
        by_columns(n, start, index_of, val);
        SHOW("by columns", val, (size_t)start[n]);
        state = again < 2 ? 5 : 6;
        make(n, reaches[r], 1);
        by_rows(n, start, index_of, val);
        SHOW("by rows", val, (size_t)start[n]);
      }
  return 0;
}
