// Counters of 8 and 16 bits against wider bounds: the loop ends only if the bound is small enough, which is checked; otherwise the original runs (and these stop it by
// other means).
// poly: optimizes byte_counter short_counter signed_byte
#include "check.h"
#include <setjmp.h>

enum { N = 800 };
static double a[N];
static jmp_buf back;

TEST_FUNCTION byte_counter(int n, double *x) {
  for (uint8_t i = 0; i < n; i++)
    x[i] += 1;
}

TEST_FUNCTION short_counter(int n, double *x) {
  for (uint16_t i = 3; i <= n; i += 2)
    x[i] += i;
}

TEST_FUNCTION signed_byte(long n, long m, double *x) {
  for (int8_t i = -5; i < n; i++)
    for (uint8_t j = 0; j != m; j++)
      x[4 * i + j + 20] -= 0.5;
}

__attribute__((noinline, noreturn)) static void enough(int count) {
  printf("stopped after %d\n", count);
  longjmp(back, 1);
}

// Never ends for n > 255, unless by the count.
TEST_FUNCTION wraps(int n, int most, double *restrict x) {
  int count = 0;
  for (uint8_t i = 0; i < n; i++) {
    x[i] += 1;
    if (++count > most)
      enough(count);
  }
}

// The only iteration in which something happens is known by an equality modulo 256.
TEST_FUNCTION one_iteration(int n, int m, int rows, int columns, double x[rows][columns][30]) {
  for (unsigned char i = 1; i < m + 3; i++)
    for (long j = i - 2; j < n + 3; j++)
      if (j + i == 0) {
        for (int k = m - 2; k >= 1; k--)
          x[(i + m - 1) / 5 + 1][k + 1][i / 4 + 1] += 1;
        x[0][0][0] -= 1;
      }
}

static double cube[6 * 12 * 30];

int main(void) {
  FILL(a, N, 1);
  static const int bounds[] = {-300, -6, -5, -4, 0, 1, 2, 7, 100, 126, 127};
  static const int more[] = {128, 200, 254, 255};
  for (size_t k = 0; k < COUNT(bounds); k++) {
    byte_counter((int)hidden(bounds[k]), a);
    short_counter((int)hidden(bounds[k]), a);
    signed_byte(hidden(bounds[k]), hidden(k * 20), a);
  }
  for (size_t k = 0; k < COUNT(more); k++) {
    byte_counter((int)hidden(more[k]), a);
    short_counter((int)hidden(more[k] * 3), a);
  }
  for (volatile int n = 250; n < 260; n++)
    for (volatile int most = 240; most < 600; most += 120)
      if (!setjmp(back))
        wraps((int)hidden(n), (int)hidden(most), a);
  SHOW("a", a, N);
  FILL(cube, COUNT(cube), 2);
  for (int m = -1; m < 12; m += 3)
    one_iteration((int)hidden(m - 4), (int)hidden(m), (int)hidden(6), (int)hidden(12), (void *)cube);
  SHOW("cube", cube, COUNT(cube));
  return 0;
}
