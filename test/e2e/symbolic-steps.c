// Loops with steps that are parameters. Where a step does not lead to the bound, where the counter wraps around on its way, and where numbers are too large for the
// check, the original runs.
// poly: optimizes matrix
// poly: optimizes columns
// poly: optimizes vector
// poly: optimizes downwards
// poly: optimizes inclusive
// poly: optimizes unsigned_counter
// poly: optimizes size_counter
// poly: optimizes wide_counter
// poly: optimizes product
// poly: optimizes loaded_step
#include "check.h"

TEST_FUNCTION matrix(int n, int m, int s, double a[restrict][50], double b[restrict][50]) {
  for (int i = 0; i < n; i += s)
    for (int j = 0; j < m; j++)
      a[i][j] += b[j][i] * 0.5 + i;
}

// Every step-th column of every second-step-th row.
TEST_FUNCTION columns(int n, int s, int t, double *restrict a) {
  for (int i = 0; i < n; i += s)
    for (int j = 0; j < n; j += t)
      a[i * 50 + j] = a[i * 50 + j] * 0.5 + j;
}

TEST_VALUE(int) vector(int n, int first, int s, int32_t *a) {
  int i;
  for (i = first; i < n; i += s)
    a[i] += i;
  return i;
}

TEST_FUNCTION downwards(int n, int last, int s, double *a) {
  for (int i = n; i > last; i -= s)
    a[i] = a[i] * 0.5 + i;
}

TEST_FUNCTION inclusive(long n, long s, double *a) {
  for (long i = 1; i <= n; i += s)
    a[i] += i;
}

// The subscript has few values, so that the counter may wrap around.
TEST_FUNCTION unsigned_counter(unsigned n, unsigned s, int32_t *a) {
  for (unsigned i = 0; i < n; i += s)
    a[i >> 27] += 1;
}

TEST_FUNCTION size_counter(uint64_t n, uint64_t s, int32_t *a) {
  for (uint64_t i = 0; i < n; i += s)
    a[i >> 59] += 1;
}

TEST_FUNCTION wide_counter(int64_t n, int64_t s, int32_t *a) {
  for (int64_t i = 0; i < n; i += s)
    a[i >> 59] += 1;
}

// The step is the length of a row.
TEST_FUNCTION product(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n * m; i += m)
    for (int j = 0; j < m; j++)
      a[i + j] += 2 * b[i + j];
}

struct range {
  int first, end, step;
};

TEST_FUNCTION loaded_step(const struct range *r, double *a) {
  for (int i = r->first; i < r->end; i += r->step)
    a[i] += i;
}

TEST_FUNCTION tiles(int n, int t, double a[restrict][50], double b[restrict][50]) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < (ii + t < n ? ii + t : n); i++)
      for (int j = 0; j < n; j++)
        a[i][j] += b[j][i];
}

static double a[50][50], b[50][50], v[400];
static int32_t w[400];

static void reset(void) {
  FILL(&a[0][0], 2500, 1);
  FILL(&b[0][0], 2500, 2);
  FILL(v, 400, 3);
  FILL(w, 400, 4);
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 49, 50};
  static const int steps[] = {1, 2, 3, 7, 50, 1000, INT32_MAX};
  for (size_t k = 0; k < COUNT(sizes); k++)
    for (size_t l = 0; l < COUNT(steps); l++) {
      int n = (int)hidden(sizes[k]), s = (int)hidden(steps[l]);
      // Sums beyond the bound would overflow.
      int small = s == INT32_MAX ? 1000000 : s;
      reset();
      matrix(n, n, small, a, b);
      matrix(n, n / 2, small, b, a);
      columns(n, small, (int)hidden(3), &a[0][0]);
      tiles(n, small, a, b);
      SHOW("matrix", &a[0][0], 2500);
      SHOW("columns", &b[0][0], 2500);
      printf("%d\n", vector(n, (int)hidden(1), small, w));
      printf("%d\n", vector(n, (int)hidden(30), small, w));
      downwards(n, 0, small, v);
      downwards(n, 9, small, v);
      inclusive(n, s, v);
      SHOW("vector", w, 400);
      SHOW("steps", v, 400);
      if (s <= 50) {
        product(n, s > 7 ? 7 : s, v, &b[0][0]);
        SHOW("product", v, 400);
      }
      struct range r = {(int)hidden(2), n, small};
      loaded_step(&r, v);
      loaded_step(&r, &b[0][0]);
      SHOW("loaded_step", v, 400);
    }
  // Steps that do not lead to the bound, in loops that are not entered.
  static const int bad[] = {0, -1, -7, INT32_MIN};
  for (size_t k = 0; k < COUNT(bad); k++) {
    int s = (int)hidden(bad[k]);
    reset();
    matrix((int)hidden(0), 10, s, a, b);
    columns((int)hidden(-5), s, s, &a[0][0]);
    tiles((int)hidden(0), s, a, b);
    printf("%d\n", vector((int)hidden(3), (int)hidden(3), s, w));
    downwards((int)hidden(3), (int)hidden(5), s, v);
    inclusive((int)hidden(0), s, v);
    wide_counter(hidden(0), s, w);
    product((int)hidden(0), s, v, &b[0][0]);
    SHOW("not entered", &a[0][0], 2500);
    SHOW("not entered", v, 400);
  }
  // Counters that wrap around, and numbers near the ends of their types.
  reset();
  unsigned_counter((unsigned)hidden(4200000000u), (unsigned)hidden(3000000000u), w);
  unsigned_counter((unsigned)hidden(4000000000u), (unsigned)hidden(100000000u), w);
  size_counter((uint64_t)hidden((int64_t)(UINT64_C(1) << 63)) + 5, (uint64_t)hidden(INT64_C(1) << 62), w);
  size_counter((uint64_t)hidden(-(INT64_C(1) << 60)), (uint64_t)hidden((INT64_C(1) << 62) + (INT64_C(1) << 59)), w);
  size_counter((uint64_t)hidden(1000), (uint64_t)hidden(7), w);
  wide_counter(hidden(INT64_MAX - 1), hidden(INT64_MAX / 2), w);
  wide_counter(hidden(INT64_MAX), hidden(INT64_MAX), w);
  wide_counter(hidden(INT64_C(1) << 50), hidden(INT64_C(1) << 45), w);
  wide_counter(hidden(100), hidden(INT64_C(1) << 51), w);
  wide_counter(hidden(1000), hidden(9), w);
  printf("%d\n", vector((int)hidden(400), (int)hidden(399), (int)hidden(INT32_MAX - 399), w));
  SHOW("extremes", w, 400);
  return 0;
}
