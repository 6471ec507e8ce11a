// Reductions of which threads may compute parts: sums, products, minima, maxima and bit operations, in scalars and in memory, of signed integers (whose
// sums in another order may overflow), narrow ones, and floating-point numbers whose flags allow another order.
// poly: optimizes sum_of_signed least_and_most sum_of_doubles rows_at_once
#include "check.h"

#define N 41

TEST_VALUE(int) sum_of_signed(int n, int m, int a[N][N]) {
  int s = 5;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      s += a[i][j];
  return s;
}

// Every partial sum in the order of the source is small; in others it would not be.
TEST_VALUE(int) nearly_overflows(int n, int a[N][2]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      s += a[i][j];
  return s;
}

TEST_VALUE(int16_t) sum_of_shorts(int n, int m, int16_t a[N][N]) {
  int16_t s = 1;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      s += a[i][j];
  return s;
}

TEST_FUNCTION least_and_most(int n, int m, int a[N][N], uint8_t b[N][N], int *result, uint8_t *bytes) {
  int least = a[0][0], most = a[0][0];
  uint8_t low = 200, high = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      least = a[i][j] < least ? a[i][j] : least;
      most = a[i][j] > most ? a[i][j] : most;
      low = b[i][j] < low ? b[i][j] : low;
      high = b[i][j] > high ? b[i][j] : high;
    }
  result[0] = least;
  result[1] = most;
  bytes[0] = low;
  bytes[1] = high;
}

// The sums are exact in any order.
TEST_VALUE(double) sum_of_doubles(int n, int m, double a[N][N], double b[N][N]) {
#pragma clang fp reassociate(on)
  double s = 0.25;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      s += a[i][j] * b[i][j];
  return s;
}

// These are not: their order must be kept.
TEST_VALUE(double) sum_in_order(int n, int m, double a[N][N]) {
  double s = 1e17;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      s += a[i][j] / 3;
  return s;
}

TEST_VALUE(float) negative_zero(int n, float *a) {
#pragma clang fp reassociate(on)
  float s = -0.0f;
  for (int i = 0; i < n; i++)
    s += a[i] * 0.0f;
  return s;
}

// Nothing may be read or written if nothing is added.
TEST_FUNCTION maybe_nothing(int n, int m, int64_t a[N][N], int64_t *s) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++) {
      s[0] += a[j][i];
      s[1] ^= a[j][i];
    }
}

TEST_FUNCTION rows_at_once(int n, int m, uint32_t a[N][N], uint32_t *sums, uint32_t *products) {
  for (int i = 0; i < n; i++) {
    sums[i] = 1;
    for (int j = 0; j < m; j++) {
      sums[i] += a[i][j];
      products[0] *= a[i][j] | 1;
    }
  }
}

TEST_FUNCTION chained(int n, int64_t *a, int64_t *b, int64_t *s) {
  for (int i = 0; i < n; i++) {
    s[0] += a[i];
    s[0] += b[i];
    s[0] -= 3 * i;
  }
}

TEST_FUNCTION two_at_once(int n, uint32_t *a, uint32_t *s) {
  for (int i = 0; i < n; i++) {
    s[i / 64] += a[i];
    s[1] |= a[i];
  }
}

static int a[N][N], edges[N][2], extremes[2];
static int16_t shorts[N][N];
static uint8_t bytes[N][N], limits[2];
static double d[N][N], e[N][N];
static float zeros[N];
static int64_t wide[N][N], line[N], other[N], s[2];
static uint32_t words[N][N], sums[N], products[1] = {3}, pair[4];

int main(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&shorts[0][0], N * N, 2);
  FILL(&d[0][0], N * N, 3);
  FILL(&e[0][0], N * N, 4);
  FILL(&wide[0][0], N * N, 5);
  FILL(&words[0][0], N * N, 6);
  FILL(line, N, 7);
  FILL(other, N, 8);
  FILL(zeros, N, 9);
  for (int i = 0; i < N; i++) {
    edges[i][0] = i % 2 ? -INT32_MAX : INT32_MAX;
    edges[i][1] = i % 2 ? INT32_MAX - i : -INT32_MAX + i;
    for (int j = 0; j < N; j++) {
      bytes[i][j] = (uint8_t)(7 + (i * 31 + j * 17) % 240);
      shorts[i][j] = (int16_t)(shorts[i][j] * 700);
    }
    zeros[i] = i % 3 ? -zeros[i] : zeros[i];
  }
  for (int n = 0; n <= N; n = n * 2 + 3)
    for (int m = 0; m <= N; m = m * 3 + 4) {
      int rows = (int)hidden(n), columns = (int)hidden(m);
      printf("%d %d %d\n", sum_of_signed(rows, columns, a), nearly_overflows(rows, edges), sum_of_shorts(rows, columns, shorts));
      least_and_most(rows, columns, a, bytes, extremes, limits);
      printf("%d %d %d %d\n", extremes[0], extremes[1], limits[0], limits[1]);
      printf("%a %a %a\n", sum_of_doubles(rows, columns, d, e), sum_in_order(rows, columns, d), negative_zero(rows, zeros));
      int64_t *none = rows == 0 || columns == 0 ? NULL : s;
      maybe_nothing(rows, columns, wide, none);
      SHOW("maybe", s, 2);
      rows_at_once(rows, columns, words, sums, products);
      SHOW("sums", sums, N);
      SHOW("products", products, 1);
      chained(rows, line, other, s);
      SHOW("chained", s, 2);
      two_at_once(rows, &words[0][0], pair);
      SHOW("two", pair, 4);
    }
  return 0;
}
