// Counters, bounds and subscripts of different widths and signs in one nest.
#include "check.h"

TEST_FUNCTION short_counter(short n, double *a, long stride) {
  for (short i = 0; i < n; i++)
    a[i * stride] += i;
}

TEST_FUNCTION size_counter(size_t n, int m, double *a) {
  for (size_t i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * 20 + (size_t)j] += (double)i - j;
}

TEST_FUNCTION int_in_long(long n, unsigned m, double *a) {
  for (int i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      a[i + j] = a[i + j] * 0.5 + i;
}

TEST_FUNCTION char_offset(int n, signed char offset, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      a[i + offset] += a[i] * 0.25 + j;
}

TEST_FUNCTION truncated(int n, long big, double *a) {
  for (int i = 0; i < n; i++)
    a[(unsigned char)(big + i)] += i;
}

TEST_FUNCTION truncated_bound(long n, double *a) {
  for (int i = 0; i < (int)n; i++)
    a[i] += 1;
}

TEST_FUNCTION unsigned_difference(unsigned n, unsigned m, double *a) {
  for (unsigned i = 0; i < n - m; i++) // zero or four thousand million iterations if m is larger
    a[i] += 2;
}

static double a[1000];

int main(void) {
  FILL(a, 1000, 1);
  for (int n = -3; n < 40; n += 7) {
    short_counter((short)hidden(n), a, hidden(11));
    short_counter((short)hidden(n), a + 500, hidden(-11));
    SHOW("short_counter", a, 1000);
    size_counter((size_t)hidden(n < 0 ? 0 : n), (int)hidden(17), a);
    size_counter((size_t)hidden(n < 0 ? 0 : n), (int)hidden(33), a); // rows overlap
    SHOW("size_counter", a, 1000);
    int_in_long(hidden(n), (unsigned)hidden(19), a);
    SHOW("int_in_long", a, 1000);
    char_offset((int)hidden(n), (signed char)hidden(-100), a + 200);
    char_offset((int)hidden(n), (signed char)hidden(3), a + 200);
    char_offset((int)hidden(n), (signed char)hidden(127), a + 200);
    SHOW("char_offset", a, 1000);
    truncated((int)hidden(n * 10), hidden(1L << 40) + 250, a);
    SHOW("truncated", a, 1000);
    truncated_bound(hidden(1L << 32) + hidden(n), a);
    SHOW("truncated_bound", a, 1000);
    unsigned_difference((unsigned)hidden(n + 10), (unsigned)hidden(7), a);
    SHOW("unsigned_difference", a, 1000);
    for (int i = 0; i < 1000; i++)
      a[i] *= 0.25;
  }
  return 0;
}
