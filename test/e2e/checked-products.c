// Bounds checks of linearized subscripts: tested before the loops. If one would fail, the original runs and fails where it did.
// poly: optimizes product transposed_sum triangular narrow_counters with_offset
#include "check.h"

#define N 16

static long a[N * N], b[N * N], c[N * N];
static int failures;

// Ends the program, at the last of several failures of the test.
__attribute__((noreturn, noinline)) static void out_of_range(long index, long length) {
  printf("index %ld of %ld, failure %d\n", index, length, failures);
  SHOW("c", c, N * N);
  exit(3);
}

static inline long *at(long *data, unsigned long length, unsigned long index) {
  if (index >= length)
    out_of_range((long)index, (long)length);
  return data + index;
}

TEST_FUNCTION product(long n, long *restrict x, unsigned long lx, long *restrict y, unsigned long ly, long *restrict z, unsigned long lz) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        *at(x, lx, (unsigned long)(i * n + j)) += *at(y, ly, (unsigned long)(i * n + k)) * *at(z, lz, (unsigned long)(k * n + j));
}

TEST_FUNCTION transposed_sum(long n, long m, long *restrict x, unsigned long lx, long *restrict y, unsigned long ly) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      *at(x, lx, (unsigned long)(i * m + j)) += *at(y, ly, (unsigned long)(j * n + i));
}

TEST_FUNCTION triangular(long n, long *restrict x, unsigned long lx, long *restrict y, unsigned long ly) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      *at(x, lx, (unsigned long)(i * n + j)) -= *at(y, ly, (unsigned long)(j * n + i));
}

TEST_FUNCTION narrow_counters(int n, int m, long *restrict x, unsigned lx, long *restrict y, unsigned ly) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      *at(x, lx, (unsigned)(i * m + j)) += 3 * *at(y, ly, (unsigned)(j * n + i));
}

TEST_FUNCTION with_offset(long n, long ld, long start, long *restrict x, unsigned long lx, long *restrict y, unsigned long ly) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      *at(x, lx, (unsigned long)(start + i * ld + j)) += *at(y, ly, (unsigned long)(j * ld + i));
}

int main(void) {
  static const int sizes[] = {0, 1, 5, N};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]);
    unsigned long all = (unsigned long)hidden(N * N);
    FILL(a, N * N, 1);
    FILL(b, N * N, 2);
    FILL(c, N * N, 3);
    product(n, c, all, a, all, b, all);
    SHOW("product", c, N * N);
    transposed_sum(n, n / 2 + 1, c, all, a, all);
    SHOW("transposed_sum", c, N * N);
    triangular(n, c, (unsigned long)hidden(n * n), b, all);
    SHOW("triangular", c, N * N);
    narrow_counters(n, n / 3 + 2 > N ? N : n / 3 + 2, c, N * N, b, (unsigned)hidden(N * N));
    SHOW("narrow_counters", c, N * N);
    with_offset(n / 2, N, hidden(N + 3), c, all, a, all);
    SHOW("with_offset", c, N * N);
    // Lengths that only the original can tell to be enough, and the parameters so large that the check fails.
    with_offset(n > 0 ? 1 : 0, hidden(1LL << 60), 5, c, all, a, all);
    SHOW("with_offset", c, N * N);
    triangular(n > 0 ? 1 : 0, c, (unsigned long)hidden(-1), b, 1);
    SHOW("triangular", c, N * N);
  }
  failures++;
  product(hidden(N - 3), c, (unsigned long)hidden(100), a, N * N, b, N * N); // ends the program with status 3
  return 0;
}
