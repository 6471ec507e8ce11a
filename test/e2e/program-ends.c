// Branches to code that does not come back: checked before the loops; where the check fails the original loops run, and end where they always did.
// poly: optimizes bounded checked_twice matrix_vector found_index known_before multiplied by_data
#include "check.h"
#include <setjmp.h>

enum { N = 30 };
static double a[N * N], b[N * N], c[N];
static jmp_buf back;

__attribute__((noinline, noreturn)) static void out_of_bounds(long index, long size) {
  printf("index %ld of %ld\n", index, size);
  longjmp(back, 1);
}

typedef struct {
  double *data;
  long size;
} vector;

static inline double *at(vector v, long i) {
  if ((unsigned long)i >= (unsigned long)v.size)
    out_of_bounds(i, v.size);
  return v.data + i;
}

TEST_FUNCTION bounded(int n, int m, double *restrict x, const double *restrict y) {
  for (int i = 0; i < n; i++) {
    if (i >= m)
      out_of_bounds(i, m);
    x[i] = y[i] * 2;
  }
}

TEST_FUNCTION checked_twice(long n, vector x, vector y) {
  for (long i = 0; i < n; i++)
    *at(x, i) += *at(y, n - 1 - i) * 0.5;
}

TEST_FUNCTION matrix_vector(long n, vector m, vector x, vector y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      *at(y, i) += *at(m, j * N + i) * *at(x, j);
}

TEST_VALUE(double) found_index(int n, int bad, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == bad)
      out_of_bounds(i, n);
    sum += x[i] * i;
  }
  return sum;
}

TEST_FUNCTION known_before(int n, int m, double *restrict x, const double *restrict y) {
  if (n > m)
    out_of_bounds(n, m);
  for (int i = 0; i < n; i++) {
    if (i >= m)
      out_of_bounds(i, m);
    x[i] -= y[i];
  }
}

TEST_FUNCTION multiplied(int n, int first, int *x) {
  for (int i = 0; i < n; i++) {
    int value;
    if (__builtin_add_overflow(i, first, &value))
      out_of_bounds(i, first);
    x[i] = value;
  }
}

// The data decides.
TEST_FUNCTION by_data(int n, double *restrict x, const double *restrict y) {
  for (int i = 0; i < n; i++) {
    if (y[i] > 10)
      out_of_bounds(i, n);
    x[i] = y[i];
  }
}

#define TRY(call)                                                                                                                  \
  if (!setjmp(back))                                                                                                               \
  call

int main(void) {
  static int numbers[N];
  FILL(a, N * N, 1);
  FILL(b, N * N, 2);
  FILL(c, N, 3);
  for (volatile int n = 0; n <= N; n += 6)
    for (volatile int m = -3; m <= N + 3; m += 6) {
      TRY(bounded((int)hidden(n), (int)hidden(m), a, b));
      TRY(checked_twice(hidden(n), (vector){a, hidden(m)}, (vector){b, hidden(N)}));
      TRY(checked_twice(hidden(n), (vector){b, hidden(n)}, (vector){b + 3, hidden(m)}));
      TRY(matrix_vector(hidden(n), (vector){a, hidden(N * N)}, (vector){c, hidden(m)}, (vector){b, hidden(N)}));
      TRY(matrix_vector(hidden(n), (vector){a, hidden(m * m)}, (vector){c, hidden(N)}, (vector){b, hidden(m)}));
      TRY(printf("%a\n", found_index((int)hidden(n), (int)hidden(m), a)));
      TRY(known_before((int)hidden(n), (int)hidden(m), a, b));
      TRY(multiplied((int)hidden(n), (int)hidden(INT32_MAX - m), numbers));
      TRY(by_data((int)hidden(n), b, a));
    }
  SHOW("a", a, N * N);
  SHOW("b", b, N * N);
  SHOW("numbers", numbers, N);
  return 0;
}
