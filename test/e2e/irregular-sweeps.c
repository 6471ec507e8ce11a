// Sweeps over rows of sparse matrices that are executed several at once where rows read near
// themselves: numbers of rows and sweeps from none on, every pattern, also ones for which that is
// not legal, rows in both directions, blocks of unknowns, elements of index arrays of every type,
// vectors that overlap, rows by tables of pointers, and places outside of what is written.
#include <math.h>

#include "check.h"

#define N 150
#define MOST (N * N + 8)
#define ALL (8 * N + 50 * N)

TEST_FUNCTION forwards(int n, int sweeps, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s * 0.3;
    }
}

TEST_FUNCTION backwards(int n, int sweeps, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = n - 1; i >= 0; i--) {
      double s = b[i], d = 1;
      for (int k = row[i]; k < row[i + 1]; k++) {
        if (col[k] == i)
          d = val[k] + 3;
        else
          s -= val[k] * x[col[k]];
      }
      x[i] += 1.25 * (s / d - x[i]);
    }
}

// Numbers from 1 on, as in Fortran, and unsigned ones.
TEST_FUNCTION from_one(long n, unsigned sweeps, const long *row, const unsigned *col, const float *val, const float *b,
                       float *x) {
  for (unsigned t = 1; t <= sweeps; t++)
    for (long i = 1; i <= n; i++) {
      float s = b[i - 1];
      for (long k = row[i - 1]; k < row[i]; k++)
        s -= val[k - 1] * x[col[k - 1] - 1];
      x[i - 1] = s * 0.25f;
    }
}

TEST_FUNCTION narrow(int n, int sweeps, const size_t *row, const unsigned short *col, const double *restrict val,
                     double *restrict x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = 0.5;
      for (size_t k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s * 0.3;
    }
}

// Three unknowns in each row.
TEST_FUNCTION blocks(int n, int sweeps, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double p = b[3 * i], q = b[3 * i + 1], r = b[3 * i + 2];
      for (int k = row[i]; k < row[i + 1]; k++) {
        const double *from = x + 3 * col[k];
        p -= val[k] * from[0];
        q -= val[k] * from[1] + from[0];
        r -= val[k] * from[2] - from[1];
      }
      x[3 * i] = p * 0.125, x[3 * i + 1] = q * 0.125, x[3 * i + 2] = r * 0.125;
    }
}

// The diagonal is the last element of a row, and rows are where tables say.
TEST_FUNCTION tables(int n, int sweeps, int *const *cols, double *const *vals, const int *length, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = 0; k < length[i]; k++)
        s -= vals[i][k] * x[cols[i][k]];
      x[i] = s * 0.25;
    }
}

// A row is computed only where something says so, and another vector is written, too.
TEST_FUNCTION some_rows(int n, int sweeps, const int *row, const int *col, const double *val, const int *is_free, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++)
      if (is_free[i]) {
        double s = 1;
        for (int k = row[i]; k < row[i + 1]; k++)
          s -= val[k] * x[col[k]];
        x[i] = s * 0.3;
      }
}

TEST_FUNCTION with_changes(int n, int sweeps, const int *row, const int *col, const double *val, double *x, double *change) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      change[i] = s * 0.3 - x[i];
      x[i] = s * 0.3;
    }
}

// The number of the sweep, and what the last one has found, matter.
TEST_FUNCTION weighted(int n, int sweeps, const int *row, const int *col, const double *val, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = t;
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s * 0.3;
    }
}

TEST_VALUE(double) until(int n, int sweeps, const int *row, const int *col, const double *val, double *x) {
  double last = 0;
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s * 0.3;
      last = s;
    }
  return last;
}

enum shape { BANDED, WIDE, GRID, CHAIN, AHEAD, EMPTY, ONE_DENSE_ROW, DUPLICATES, RANDOM, OUTSIDE, SHAPES };

static int row[N + 2], col[MOST], length[N], is_free[N], *cols[N];
static long wide_row[N + 2];
static size_t size_row[N + 2];
static unsigned unsigned_col[MOST];
static unsigned short narrow_col[MOST];
static double val[MOST], *vals[N], memory[ALL], *const x = memory + 2 * N, b[4 * N], change[N];
static float narrow_val[MOST], narrow_x[2 * N], narrow_b[N];
static unsigned state = 1;

static int below(int n) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 8) % (unsigned)n);
}

static int columns(enum shape shape, int n, int i, int *to) {
  int k = 0;
  int distances[] = {-12, -1, 0, 1, 12};
  switch (shape) {
  case BANDED:
  case WIDE:
    for (int d = shape == WIDE ? -40 : -2; d <= 2; d++)
      if (i + d >= 0 && i + d < n)
        to[k++] = i + d;
    return k;
  case GRID:
    for (int d = 0; d < 5; d++)
      if (i + distances[d] >= 0 && i + distances[d] < n)
        to[k++] = i + distances[d];
    return k;
  case CHAIN:
    to[0] = i > 0 ? i - 1 : 0;
    return 1;
  case AHEAD:
    to[0] = i + 3 < n ? i + 3 : i;
    return 1;
  case EMPTY:
    return 0;
  case ONE_DENSE_ROW:
    for (int j = 0; j < n; j++)
      if (i == n / 2 || j == i)
        to[k++] = j;
    return k;
  case DUPLICATES:
    for (; k < 6; k++)
      to[k] = i - k % 3 > 0 ? i - k % 3 : 0;
    return k;
  case OUTSIDE:
    // Behind the rows, and near.
    to[0] = n + i % 5, to[1] = i > 0 ? i - 1 : 0, to[2] = 2 * N - 1 - i % 3;
    return 3;
  default:
    for (int count = below(7); k < count; k++)
      to[k] = below(n);
    return k;
  }
}

static void fill(enum shape shape, int n) {
  row[0] = 0;
  for (int i = 0; i < n; i++) {
    length[i] = columns(shape, n, i, col + row[i]);
    row[i + 1] = row[i] + length[i];
    cols[i] = col + row[i], vals[i] = val + row[i];
    is_free[i] = i % 7 != 3;
  }
  for (int i = 0; i <= n; i++)
    wide_row[i] = row[i] + 1, size_row[i] = (size_t)row[i];
  for (int k = 0; k < row[n]; k++)
    unsigned_col[k] = (unsigned)col[k] + 1, narrow_col[k] = (unsigned short)col[k];
}

static void start(void) {
  for (int i = 0; i < ALL; i++)
    memory[i] = 0.25 * (i % 61) - 7;
  for (int i = 0; i < 4 * N; i++)
    b[i] = 1 + i % 13;
  for (int i = 0; i < 2 * N; i++)
    narrow_x[i] = 0.5f * (float)(i % 29);
  for (int i = 0; i < N; i++)
    narrow_b[i] = (float)(1 + i % 7);
  for (int k = 0; k < MOST; k++)
    val[k] = 0.01 * (k % 31) - 0.1, narrow_val[k] = 0.02f * (float)(k % 17);
}

static void show(const char *label) {
  unsigned long sum = 14695981039346656037u;
  for (int i = 0; i < ALL; i++) {
    double value = isnan(memory[i]) ? 0.5 : memory[i];
    unsigned long word;
    memcpy(&word, &value, 8);
    sum = (sum ^ word) * 1099511628211u;
  }
  printf("%s %016lx\n", label, sum);
}

static void sweep(int n, int sweeps) {
  start();
  forwards(n, sweeps, row, col, val, b, x);
  show("forwards");
  backwards(n, sweeps, row, col, val, b, x);
  show("backwards");
  // The right side overlaps the vector: with what is computed, and with what is not yet.
  forwards(n, sweeps, row, col, val, x + 5, x);
  show("right side ahead");
  backwards(n, sweeps, row, col, val, x, x + 5);
  show("right side behind");
  forwards(n, sweeps, row, col, val, x, x);
  show("right side in place");
  // Elements of the matrix are unknowns, too.
  forwards(n, sweeps, row, col, x + 3, b, x);
  show("elements");
  narrow(n, sweeps, size_row, narrow_col, val, x);
  show("narrow");
  blocks(n, sweeps, row, col, val, b, x);
  show("blocks");
  tables(n, sweeps, cols, vals, length, x);
  show("tables");
  some_rows(n, sweeps, row, col, val, is_free, x);
  show("some rows");
  with_changes(n, sweeps, row, col, val, x, change);
  show("with changes");
  with_changes(n, sweeps, row, col, val, x, x + 4);
  show("changes in the vector");
  weighted(n, sweeps, row, col, val, x);
  show("weighted");
  printf("%a\n", until(n, sweeps, row, col, val, x));
  from_one(n, (unsigned)sweeps, wide_row, unsigned_col, narrow_val, narrow_b, narrow_x);
  for (int i = 0; i < 2 * N; i++)
    x[i] = narrow_x[i];
  show("from one");
}

int main(void) {
  const int sizes[] = {0, 1, 2, 37, 64, N}, times[] = {0, 1, 2, 3, 4, 5, 9};
  for (int shape = 0; shape < SHAPES; shape++)
    for (size_t s = 0; s < COUNT(sizes); s++)
      for (size_t t = 0; t < COUNT(times); t++) {
        int n = (int)hidden(sizes[s]);
        fill((enum shape)shape, n);
        sweep(n, (int)hidden(times[t]));
      }
  // Numbers that are none, and ones that are very large.
  fill(GRID, N);
  start();
  b[17] = NAN, b[60] = INFINITY, b[80] = -0.0, b[81] = 1e-310;
  forwards((int)hidden(N), 5, row, col, val, b, x);
  show("special");
  return 0;
}
