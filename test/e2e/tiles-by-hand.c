// Loops that are tiled by hand, with tile sizes that are known at run time only.
// poly: optimizes one closed_ends open_ends downwards product product_of_rows triangle several wide from_rows blocked_rows uses_counter skewed_start unsigned_counter
#include "check.h"
#include <limits.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define N 70
typedef double Matrix[N][N];

TEST_FUNCTION one(int n, int t, Matrix a, Matrix b) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < MIN(ii + t, n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] += b[j][i];
}

TEST_FUNCTION closed_ends(int n, int t, Matrix a, Matrix b) {
  for (int ii = 1; ii <= n; ii += t)
    for (int jj = 1; jj <= n; jj += t)
      for (int i = ii; i <= MIN(ii + t - 1, n); i++)
        for (int j = jj; j <= MIN(jj + t - 1, n); j++)
          a[i][j] += b[j][i];
}

TEST_FUNCTION open_ends(int n, int t, Matrix a, Matrix b) {
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int i = ii; i < ii + t; i++)
        for (int j = jj; j < jj + t; j++)
          a[i][j] += b[j][i];
}

TEST_FUNCTION downwards(int n, int t, Matrix a, Matrix b) {
  for (int ii = n; ii > 0; ii -= t)
    for (int jj = n; jj > 0; jj -= t)
      for (int i = ii; i > MAX(ii - t, 0); i--)
        for (int j = jj; j > MAX(jj - t, 0); j--)
          a[i][j] += b[j][i];
}

TEST_FUNCTION product(int n, int t, Matrix c, Matrix a, Matrix b) {
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int kk = 0; kk < n; kk += t)
        for (int i = ii; i < MIN(ii + t, n); i++)
          for (int j = jj; j < MIN(jj + t, n); j++)
            for (int k = kk; k < MIN(kk + t, n); k++)
              c[i][j] += a[i][k] * b[k][j];
}

TEST_FUNCTION product_of_rows(int64_t n, int64_t ti, int64_t tj, int64_t tk, Matrix c, Matrix a, Matrix b) {
  for (int64_t kk = 0; kk < n; kk += tk)
    for (int64_t ii = 0; ii < n; ii += ti)
      for (int64_t jj = 0; jj < n; jj += tj)
        for (int64_t i = ii; i < MIN(ii + ti, n); i++)
          for (int64_t k = kk; k < MIN(kk + tk, n); k++)
            for (int64_t j = jj; j < MIN(jj + tj, n); j++)
              c[i][j] += a[i][k] * b[k][j];
}

TEST_FUNCTION triangle(int n, int t, Matrix a, Matrix b) {
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int i = ii; i < MIN(ii + t, n); i++)
        for (int j = jj; j < MIN(jj + t, i); j++)
          a[i][j] += b[j][i] * a[i][j];
}

TEST_FUNCTION several(int n, int t, Matrix a, Matrix b, double *sums) {
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int i = ii; i < MIN(ii + t, n); i++)
        for (int j = jj; j < MIN(jj + t, n); j++) {
          a[i][j] = b[j][i] * 0.5;
          sums[i] += a[i][j];
          b[j][i] = a[i][j] + 1.0;
        }
}

// Only one of two dimensions is tiled, and the other one is between.
TEST_FUNCTION wide(int n, int t, Matrix c, Matrix a, Matrix b) {
  for (int jj = 0; jj < n; jj += t)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        for (int j = jj; j < MIN(jj + t, n); j++)
          c[i][j] += a[i][k] * b[k][j];
}

// Two loops over the points of one tile.
TEST_FUNCTION from_rows(int n, int t, Matrix a, Matrix b) {
  for (int ii = 0; ii < n; ii += t) {
    for (int i = ii; i < MIN(ii + t, n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] = b[j][i] * 0.5;
    for (int i = ii; i < MIN(ii + t, n); i++)
      for (int j = 0; j < n; j++)
        b[j][i] = a[i][j] + 1.0;
  }
}

TEST_FUNCTION blocked_rows(int n, int t, Matrix a, double *x, double *y) {
  for (int jj = 0; jj < n; jj += t)
    for (int i = 0; i < n; i++)
      for (int j = jj; j < MIN(jj + t, n); j++)
        y[i] += a[i][j] * x[j];
}

TEST_FUNCTION uses_counter(int n, int t, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int i = ii; i < MIN(ii + t, n); i++)
        for (int j = jj; j < MIN(jj + t, n); j++)
          a[j][i] = a[j][i] * 0.5 + i * j + (i ^ 3);
}

TEST_FUNCTION skewed_start(int n, int t, Matrix a, Matrix b) {
  for (int ii = 0; ii < n - 2; ii += t)
    for (int jj = 0; jj < n - 2; jj += t)
      for (int i = ii + 1; i < MIN(ii + t + 1, n - 1); i++)
        for (int j = jj + 1; j < MIN(jj + t + 1, n - 1); j++)
          b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}

TEST_FUNCTION unsigned_counter(unsigned n, unsigned t, Matrix a, Matrix b) {
  for (unsigned ii = 0; ii < n; ii += t)
    for (unsigned jj = 0; jj < n; jj += t)
      for (unsigned i = ii; i < MIN(ii + t, n); i++)
        for (unsigned j = jj; j < MIN(jj + t, n); j++)
          a[i][j] += b[j][i];
}

// The order of tiles matters here: a sweep in both directions.
TEST_FUNCTION sweep_backwards(int n, int t, Matrix a) {
  for (int ii = 1; ii < n - 1; ii += t)
    for (int jj = 1; jj < n - 1; jj += t)
      for (int i = ii; i < MIN(ii + t, n - 1); i++)
        for (int j = jj; j < MIN(jj + t, n - 1); j++)
          a[i][j] = (a[i][j] + a[i + 1][j - 1] + a[i - 1][j + 1]) * 0.3;
}

// Here it does not.
TEST_FUNCTION sweep_forwards(int n, int t, Matrix a) {
  for (int ii = 1; ii < n - 1; ii += t)
    for (int jj = 1; jj < n - 1; jj += t)
      for (int i = ii; i < MIN(ii + t, n - 1); i++)
        for (int j = jj; j < MIN(jj + t, n - 1); j++)
          a[i][j] = (a[i][j] + a[i + 1][j] + a[i - 1][j] + a[i][j - 1] + a[i][j + 1]) * 0.2;
}

// Time is tiled, too, without skewing: that is another program than the loops without tiles.
TEST_FUNCTION time_tiles(int steps, int n, int t, double *a) {
  for (int ss = 0; ss < steps; ss += t)
    for (int ii = 1; ii < n - 1; ii += t)
      for (int s = ss; s < MIN(ss + t, steps); s++)
        for (int i = ii; i < MIN(ii + t, n - 1); i++)
          a[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.3;
}

TEST_FUNCTION skewed_time_tiles(int steps, int n, int t, double *a) {
  for (int ss = 0; ss < steps; ss += t)
    for (int ii = 1; ii < n - 1 + steps; ii += t)
      for (int s = ss; s < MIN(ss + t, steps); s++)
        for (int i = MAX(ii, s + 1); i < MIN(ii + t, n - 1 + s); i++)
          a[i - s] = (a[i - s - 1] + a[i - s] + a[i - s + 1]) * 0.3;
}

// Transposes in place: the mirror image of a tile is another one.
TEST_FUNCTION mirrored(int n, int t, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int i = ii; i < MIN(ii + t, n); i++)
        for (int j = jj; j < MIN(jj + t, n); j++)
          a[i][j] = a[j][i] + 1.0;
}

// What is executed for every tile, or depends on where it begins.
TEST_FUNCTION counts_tiles(int n, int t, Matrix a, double *count) {
  for (int ii = 0; ii < n; ii += t) {
    count[0] += 1.0;
    for (int i = ii; i < MIN(ii + t, n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] += 1.0;
  }
}

TEST_FUNCTION sums_of_tiles(int n, int t, Matrix c, Matrix a, Matrix b) {
  for (int kk = 0; kk < n; kk += t)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int k = kk; k < MIN(kk + t, n); k++)
          sum += a[i][k] * b[k][j];
        c[i][j] += sum;
      }
}

TEST_FUNCTION offsets_in_tiles(int n, int t, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < MIN(ii + t, n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] = a[i][j] * 0.5 + (i - ii) + 2 * ii + MIN(i, ii + t - 2);
}

TEST_FUNCTION buffered(int n, int t, Matrix a, double *buffer) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < MIN(ii + t, n); i++)
      for (int j = 0; j < n; j++)
        buffer[i - ii] += a[i][j];
}

TEST_FUNCTION gaps(int n, int t, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < MIN(ii + t / 2, n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] += j;
}

TEST_FUNCTION overlapping(int n, int t, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < MIN(ii + t + 1, n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] += j;
}

TEST_FUNCTION in_some_tiles(int n, int t, int at, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < MIN(ii + t, n); i++)
      if (ii < at)
        for (int j = 0; j < n; j++)
          a[i][j] += j;
}

TEST_FUNCTION against_the_tiles(int n, int t, Matrix a) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = MIN(ii + t, n) - 1; i >= ii; i--)
      for (int j = 1; j < n; j++)
        a[i][j] += a[i][j - 1] + (i > 0 ? a[i - 1][j] : 0.0);
}

// The last value that a point leaves is that of the last tile.
TEST_VALUE(double) last_value(int n, int t, Matrix a) {
  double last = 0.0;
  for (int ii = 0; ii < n; ii += t)
    for (int jj = 0; jj < n; jj += t)
      for (int i = ii; i < MIN(ii + t, n); i++)
        for (int j = jj; j < MIN(jj + t, n); j++) {
          a[i][j] += 1.0;
          last = last * 0.5 + a[i][j];
        }
  return last;
}

// Row k of b is written while rows are read ahead.
TEST_FUNCTION reads_what_changes(int n, int t, Matrix c, Matrix b) {
  for (int jj = 0; jj < n; jj += t)
    for (int i = 0; i < n - 1; i++)
      for (int k = 0; k < n; k++)
        for (int j = jj; j < MIN(jj + t, n); j++)
          c[i + 1][j] += c[i][k] * b[k][j];
}

static Matrix a, b, c;
static double x[N], y[N];

static void reset(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  FILL(x, N, 4);
  FILL(y, N, 5);
}

static void show(const char *name) {
  SHOW(name, &a[0][0], N * N);
  SHOW(name, &b[0][0], N * N);
  SHOW(name, &c[0][0], N * N);
  SHOW(name, x, N);
  SHOW(name, y, N);
}

#define RUN(name, ...) (reset(), name(__VA_ARGS__), show(#name))

static void all(int n, int t) {
  RUN(one, n, t, a, b);
  RUN(product, n, t, c, a, b);
  RUN(product_of_rows, n, t, t + 1, 2 * t, c, a, b);
  RUN(triangle, n, t, a, b);
  RUN(several, n, t, a, b, x);
  RUN(wide, n, t, c, a, b);
  RUN(from_rows, n, t, a, b);
  RUN(blocked_rows, n, t, a, x, y);
  RUN(uses_counter, n, t, a);
  RUN(skewed_start, n, t, a, b);
  RUN(unsigned_counter, (unsigned)n, (unsigned)t, a, b);
  RUN(sweep_backwards, n, t, a);
  RUN(sweep_forwards, n, t, a);
  RUN(time_tiles, 20, n, t, x);
  RUN(skewed_time_tiles, 20, n, t, x);
  RUN(mirrored, n, t, a);
  RUN(counts_tiles, n, t, a, x);
  RUN(sums_of_tiles, n, t, c, a, b);
  RUN(offsets_in_tiles, n, t, a);
  RUN(buffered, n, t, a, x);
  RUN(gaps, n, t, a);
  RUN(overlapping, n, t, a);
  RUN(in_some_tiles, n, t, 7, a);
  RUN(against_the_tiles, n, t, a);
  RUN(reads_what_changes, n, t, c, b);
  reset();
  y[0] = last_value(n, t, a);
  show("last_value");
  if (n < N) {
    RUN(closed_ends, n, t, a, b);
    RUN(downwards, n, t, a, b);
  }
  if ((n + t - 1) / t * t <= N)
    RUN(open_ends, n, t, a, b);
}

int main(void) {
  const int sizes[] = {0, 1, 2, 7, 30, 48, 69, 70};
  const int tiles[] = {1, 3, 8, 16, 35, 69, 70, 100};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (size_t t = 0; t < COUNT(tiles); t++)
      all((int)hidden(sizes[s]), (int)hidden(tiles[t]));
  // Never entered, so any tile size will do.
  const int none[] = {0, -1, INT_MIN, INT_MAX};
  for (size_t t = 0; t < COUNT(none); t++) {
    RUN(one, (int)hidden(0), (int)hidden(none[t]), a, b);
    RUN(product, (int)hidden(-5), (int)hidden(none[t]), c, a, b);
    RUN(downwards, (int)hidden(0), (int)hidden(none[t]), a, b);
  }
  // As large as a tile can be without overflow.
  RUN(one, (int)hidden(1), (int)hidden(INT_MAX), a, b);
  RUN(product, (int)hidden(40), (int)hidden(INT_MAX - 40), c, a, b);
  RUN(product_of_rows, hidden(40), hidden(INT64_MAX - 40), hidden(5), hidden(7), c, a, b);
  // Unsigned counters may wrap around: the tile ends before it begins, and the next one is another one.
  RUN(unsigned_counter, (unsigned)hidden(20), (unsigned)hidden(UINT_MAX - 3), a, b);
  return 0;
}
