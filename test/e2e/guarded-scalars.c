// Scalars that live across iterations and statements, where an assumption fails: arrays that overlap, a sum that is kept in memory which the loop may read,
// bounds that change, rows that are too wide, steps of extreme sizes.
// poly: optimizes row_sums carried last_of_row sum_in_memory product two_results bounded_sum wide_sums backwards maxima
#include "check.h"

enum { N = 20, SIZE = 2400 };

TEST_FUNCTION row_sums(int n, int m, double *x, const double *y) {
  for (int i = 0; i < n; i++) {
    double s = 1;
    for (int j = 0; j < m; j++)
      s = s * 0.5 + y[j * n + i];
    x[i] = s;
  }
}

TEST_FUNCTION carried(int n, int m, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double before = i;
    for (int j = 0; j < m; j++) {
      double now = x[i * m + j];
      y[i * m + j] += before * 0.25;
      before = now;
    }
    x[i * m] = before;
  }
}

// A value that is used behind the loops.
TEST_VALUE(double) last_of_row(int n, int m, double *x, const double *y) {
  double last = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      last = last * 0.5 + y[i * m + j];
      x[j * n + i] += last;
    }
  return last;
}

// The sum may be an element of what is added.
TEST_FUNCTION sum_in_memory(int n, int m, int *sum, const int *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum[i] += x[i * m + j] & 63;
}

TEST_FUNCTION product(int n, double *C, const double *A, const double *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = C[i * n + j] * 0.5;
      for (int k = 0; k < n; k++)
        s += A[i * n + k] * B[k * n + j];
      C[i * n + j] = s;
    }
}

TEST_VALUE(int) two_results(int n, int m, int *x, const int *y) {
  int sum = 0, bits = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      sum += y[j * n + i] & 63;
      bits ^= y[j * n + i];
      x[j * n + i] -= 1;
    }
  return sum * 64 + (bits & 63);
}

// What is written may be the bound.
TEST_VALUE(int) bounded_sum(const int *n, int m, int *x, const int *y) {
  int sum = 0;
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < m; j++) {
      sum += y[i * m + j] & 3;
      x[i * m + j] = (y[i * m + j] & 7) + 1;
    }
  return sum;
}

// Rows of the width m, of which w elements are used.
TEST_FUNCTION wide_sums(int n, int m, int w, double *restrict x, const double *restrict y) {
  for (int i = 1; i < n; i++) {
    double s = 0;
    for (int j = 0; j < w; j++) {
      s = s * 0.5 + y[i * m + j];
      x[i * m + j] = x[(i - 1) * m + j] * 0.5 + s;
    }
    x[i * m] += s;
  }
}

// Steps of any size: where there is only one row, extreme ones.
TEST_VALUE(int) backwards(int64_t n, int64_t step, int *restrict x, const int *restrict y) {
  int before = 1;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 5; j >= 0; j--) {
      x[i * step + j] += before;
      before = y[i * 6 + j];
    }
  return before;
}

TEST_VALUE(int) maxima(unsigned n, int *x, const int *y) {
  int most = -100;
  for (unsigned i = 0; i < n; i++) {
    int here = -100;
    for (unsigned j = 0; j < 5; j++)
      here = y[i + j * 20] > here ? y[i + j * 20] : here;
    most = here > most ? here : most;
    x[i] = here;
  }
  return most;
}

static double a[SIZE], b[SIZE], c[SIZE];
static int u[SIZE], v[SIZE];

static void restart(int seed) {
  FILL(a, SIZE, seed);
  FILL(b, SIZE, seed + 1);
  FILL(c, SIZE, seed + 2);
  for (int i = 0; i < SIZE; i++) {
    u[i] = start_value(i + seed);
    v[i] = start_value(i + seed + 5);
  }
}

static void show_value(const char *label, double value) {
  SHOW(label, &value, 1);
}

int main(void) {
  static const int offsets[] = {0, 1, -1, 19, 20, -19, -20, 39, 399, 400, 401, -399, -400, -401, 800};
  for (size_t k = 0; k < COUNT(offsets); k++) {
    int64_t offset = hidden(offsets[k]);
    restart((int)k);
    row_sums((int)hidden(N), (int)hidden(N), a + 800, a + 800 + offset);
    row_sums((int)hidden(N), (int)hidden(N), a + 100, b);
    SHOW("row_sums", a, SIZE);
    carried((int)hidden(N), (int)hidden(N), a + 800, a + 800 + offset);
    carried((int)hidden(N), (int)hidden(N), a, b);
    SHOW("carried", a, SIZE);
    show_value("last_of_row", last_of_row((int)hidden(N), (int)hidden(N), a + 800, a + 800 + offset));
    show_value("last_of_row", last_of_row((int)hidden(N), (int)hidden(N), a, b));
    SHOW("last_of_row", a, SIZE);
    sum_in_memory((int)hidden(N), (int)hidden(N), u + 800, u + 800 + offset);
    sum_in_memory((int)hidden(N), (int)hidden(N), u, v);
    SHOW("sum_in_memory", u, SIZE);
    printf("two_results %d\n", two_results((int)hidden(N), (int)hidden(N), u + 800, u + 800 + offset));
    printf("two_results %d\n", two_results((int)hidden(N), (int)hidden(N), u, v));
    SHOW("two_results", u, SIZE);
    for (int i = 0; i < SIZE; i++)
      a[i] = b[i] = start_value(i) / 4096.0;
    product((int)hidden(N), a + 800, a + 800 + offset, b);
    product((int)hidden(N), a + 800, b, a + 800 + offset);
    product((int)hidden(N), a, b, c);
    SHOW("product", a, SIZE);
    restart((int)k);
    printf("maxima %d\n", maxima((unsigned)hidden(N), u + 800, u + 800 + offset));
    printf("maxima %d\n", maxima((unsigned)hidden(N), u, v));
    SHOW("maxima", u, SIZE);
  }
  for (int64_t at = 0; at < 80; at += 6) {
    restart((int)at);
    u[100 + at] = (int)hidden(10);
    printf("inside %d\n", bounded_sum(u + 100 + hidden(at), (int)hidden(6), u + 100, v));
    SHOW("inside", u, 200);
    int outside = (int)hidden(10);
    printf("outside %d\n", bounded_sum(&outside, (int)hidden(6), u + 100, v));
    printf("outside %d\n", bounded_sum(&outside, (int)hidden(6), u + 100, u + 100 + at));
    SHOW("outside", u, 200);
  }
  static const int widths[][3] = {{20, 20, 20}, {20, 20, 21}, {20, 20, 45}, {40, 1, 30}, {30, 0, 30}, {30, 30, 7}, {20, -20, 20}, {20, -20, 30}};
  for (size_t k = 0; k < COUNT(widths); k++) {
    restart((int)k);
    wide_sums((int)hidden(widths[k][0]), (int)hidden(widths[k][1]), (int)hidden(widths[k][2]), a + 900, b + 900);
    SHOW("wide_sums", a, SIZE);
  }
  static const int64_t steps[] = {0, 1, 5, 6, 7, 50, -1, -6, -9, INT64_MAX, INT64_MAX / 4 + 1, INT64_MIN, -(INT64_MAX / 4)};
  for (size_t k = 0; k < COUNT(steps); k++) {
    restart((int)k);
    int64_t step = hidden(steps[k]);
    printf("backwards %d\n", backwards(hidden(-100 < step && step < 100 ? 20 : 1), step, u + 1000, v));
    SHOW("backwards", u, SIZE);
  }
  return 0;
}
