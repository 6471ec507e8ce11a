// Products with sparse matrices in compressed rows: rows begin where the one before ends, which the compiler hands on from iteration to iteration.
// poly: optimizes product
// poly: optimizes from_inside
// poly: optimizes by_pointer
// poly: optimizes lengths
#include "check.h"

#define N 60
#define MOST (N * N)

TEST_FUNCTION product(int n, const int *restrict row, const int *restrict col, const double *restrict val,
                      const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// The rows begin somewhere in the table.
TEST_FUNCTION from_inside(int first, int last, const long *restrict row, const int *restrict col, const float *restrict val,
                          const float *restrict x, float *restrict y) {
  for (int i = first; i < last; i++) {
    float s = y[i];
    for (long k = row[i]; k < row[i + 1]; k++)
      s -= val[k] * x[col[k]];
    y[i] = s;
  }
}

TEST_FUNCTION by_pointer(int n, const int *restrict row, const int *restrict col, const double *restrict val,
                         const double *restrict x, double *restrict y) {
  const int *end = row + n;
  for (; row != end; row++, y++)
    for (int k = row[0]; k < row[1]; k++)
      *y += val[k] * x[col[k]];
}

// Different rows may write the same elements.
TEST_FUNCTION transposed(int n, const int *restrict row, const int *restrict col, const double *restrict val,
                         const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[col[k]] += val[k] * x[i];
}

// What a row begins with is written by the row before.
TEST_FUNCTION table(int n, int *restrict row, const int *restrict length) {
  for (int i = 0; i < n; i++)
    row[i + 1] = row[i] + length[i];
}

// The table is written too, behind what is read of it, and everything may overlap.
TEST_FUNCTION lengths(int n, int *row, const int *restrict col, int *restrict sum) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += col[k];
    sum[i] = s;
    row[i] = -s;
  }
}

// The values may overlap the result.
TEST_FUNCTION without_promise(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

static int row[N + 1], col[MOST], length[N], sum[N];
static long wide[N + 1];
static double val[MOST], x[MOST], y[MOST];
static float narrow_val[MOST], narrow_x[N], narrow_y[N];

static void rows(int n, int seed) {
  row[0] = seed % 3;
  for (int i = 0; i < N; i++)
    length[i] = (i * 7 + seed) % 11 > 8 ? 0 : (i * 5 + seed) % 13;
  table((int)hidden(n), row, length);
  for (int i = 0; i <= n; i++)
    wide[i] = row[i];
  for (int k = 0; k < MOST; k++)
    col[k] = (int)(((long)k * 31 + seed) % N);
}

int main(void) {
  FILL(val, MOST, 2);
  FILL(narrow_val, MOST, 2);
  FILL(x, MOST, 3);
  FILL(narrow_x, N, 3);
  for (int n = 0; n <= N; n = n * 2 + (n < 7)) {
    FILL(y, MOST, 4);
    FILL(narrow_y, N, 4);
    rows(n, n);
    product((int)hidden(n), row, col, val, x, y);
    SHOW("product", y, N);
    from_inside((int)hidden(n / 3), (int)hidden(n), wide, col, narrow_val, narrow_x, narrow_y);
    SHOW("from_inside", narrow_y, N);
    by_pointer((int)hidden(n), row, col, val, x, y);
    SHOW("by_pointer", y, N);
    transposed((int)hidden(n), row, col, val, x, y);
    SHOW("transposed", y, N);
    without_promise((int)hidden(n), row, col, val, x, y);
    SHOW("without_promise", y, N);
    // Every result is read as a value later.
    without_promise((int)hidden(n), row, col, y, x, y + 3);
    SHOW("without_promise", y, N);
    without_promise((int)hidden(n), row, col, val, y, y);
    SHOW("without_promise", y, N);
    // The rows are not in order: some are empty, some have elements in common.
    for (int i = 0; i < n / 2; i++)
      row[i * 2] = (i * 17) % (N - 1);
    product((int)hidden(n), row, col, val, x, y);
    SHOW("product", y, N);
    lengths((int)hidden(n), row, col, sum);
    for (int i = 0; i < N; i++)
      printf(" %d %d", sum[i], row[i]);
    printf("\n");
  }
  return 0;
}
