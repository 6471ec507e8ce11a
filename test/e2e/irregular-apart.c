// Products with sparse matrices in which nothing says that the result is not a part of what is read: rows are given to
// threads where the index arrays say so. Vectors that are the result, or overlap it by a few bytes, values or row ends in its
// memory, rows that end before they begin, and every kind of number in index arrays.
#include <math.h>

#include "check.h"
#include "pages.h"

#define MOST 2200

TEST_FUNCTION product(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// Reads its own place.
TEST_FUNCTION accumulate(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = y[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

TEST_FUNCTION backwards(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = n - 1; i >= 0; i--) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// A step of Jacobi: more is read in each row.
TEST_FUNCTION scaled(int n, const int *row, const int *col, const double *val, const double *x, double *y, const double *b,
                     const double *scale) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      s -= val[k] * x[col[k]];
    y[i] = x[i] + s * scale[i];
  }
}

// Numbers from 1 on.
TEST_FUNCTION offset(int n, const long *row, const int *col, const float *val, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (long k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k] + 1L];
    y[i] = s;
  }
}

TEST_FUNCTION unsigned_columns(unsigned n, const unsigned *row, const unsigned short *col, const double *val, const double *x,
                               double *y) {
  for (unsigned i = 0; i < n; i++) {
    double s = 0;
    for (unsigned k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// Ends of rows that are found in two arrays, and results with others between them.
TEST_FUNCTION strided(int n, const int *begin, const int *end, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = begin[i]; k < end[i]; k++)
      s += val[k] * x[col[k]];
    y[2 * i] = s;
  }
}

static int row[MOST + 1], end[MOST], col[8 * MOST + 64];
static unsigned urow[MOST + 1];
static unsigned short ucol[8 * MOST + 64];
static long lrow[MOST + 1];
static float fval[8 * MOST + 64], fx[MOST + 2], fy[MOST];
// Vectors and values are parts of one array.
static double all[24 * MOST], b[MOST], scale[MOST];

enum rows { EVEN, EMPTY, DENSE, NONE, DECREASING };

static void make(int n, enum rows rows) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    row[i] = at;
    int many = rows == EVEN ? 4 : rows == EMPTY ? (i % 3 ? 0 : 6) : rows == DENSE ? (i == n / 2 ? 3 * n : 2) : rows == NONE ? 0 : 4;
    if (rows == DECREASING && i % 50 == 17)
      many = -3; // the row has no elements, and the next one some of others
    for (int k = 0; k < many; k++)
      col[at + k] = (int)((unsigned)(i * 7 + k * k * 31 + 5) % (unsigned)n);
    at += many;
    end[i] = at;
  }
  row[n] = at;
  for (int i = 0; i <= n; i++)
    lrow[i] = row[i], urow[i] = (unsigned)row[i];
  for (int k = 0; k < 8 * n; k++)
    ucol[k] = (unsigned short)col[k];
}

static void fill(void) {
  for (size_t i = 0; i < COUNT(all); i++)
    all[i] = i % 97 == 13 ? NAN : i % 101 == 5 ? -INFINITY : start_value((int64_t)i) * 0.37;
  for (int i = 0; i < MOST; i++)
    b[i] = i * 0.25, scale[i] = 0.5 / (i + 1), fy[i] = 0;
  for (int i = 0; i < MOST + 2; i++)
    fx[i] = (float)(i % 19);
  for (size_t k = 0; k < COUNT(fval); k++)
    fval[k] = (float)(k % 11) - 4;
}

// Which not-a-number a sum of two is, nobody promises.
#define SUM_OF_ALL(label)                                                                                                          \
  do {                                                                                                                             \
    for (size_t i = 0; i < COUNT(all); i++)                                                                                        \
      if (isnan(all[i]))                                                                                                           \
        all[i] = NAN;                                                                                                              \
    SUM(label, all, COUNT(all));                                                                                                   \
  } while (0)

// The result is so many bytes behind the vector.
static void run(int n, enum rows rows, long apart) {
  int m = (int)rows;
  make(n, rows);
  double *val = all, *x = all + 10 * MOST, *y = (double *)((char *)x + apart);
  fill();
  product(n, row, col, val, x, y);
  SUM_OF_ALL("product");
  accumulate(n, row, col, val, x, y);
  SUM_OF_ALL("accumulate");
  backwards(n, row, col, val, x, y);
  SUM_OF_ALL("backwards");
  scaled(n, row, col, val, x, y, b, scale);
  SUM_OF_ALL("scaled");
  unsigned_columns((unsigned)n, urow, ucol, val, x, y);
  SUM_OF_ALL("unsigned");
  strided(n, row, end, col, val, x, y);
  SUM_OF_ALL("strided");
  // The result in the values.
  product(n, row, col, val, x, val + n / 2);
  SUM_OF_ALL("in values");
  offset(n, lrow, col, fval, fx, fy);
  SUM("offset", fy, COUNT(fy));
  offset(n, lrow, col, fval, fx, fx + 2);
  SUM("offset in place", fx, COUNT(fx));
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 257, 2048, 2199};
  static const long apart[] = {0, 8, -8, 8 * MOST, -8 * MOST, 4 * 8 * MOST};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    int n = (int)hidden(sizes[i]);
    for (enum rows rows = EVEN; rows <= DECREASING; rows++)
      for (size_t k = 0; k < COUNT(apart); k++)
        if (n > 0 || rows == EVEN)
          run(n, rows, apart[k]);
  }
  return 0;
}
