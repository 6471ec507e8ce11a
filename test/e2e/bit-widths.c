// Counters and elements of widths that no machine has, and of 128 bits.
#include "check.h"

#define N 24

TEST_FUNCTION small_counter(unsigned _BitInt(5) n, double *a) {
  for (unsigned _BitInt(5) i = 0; i < n; i++)
    a[i] += 1.5;
}

TEST_FUNCTION signed_counter(_BitInt(9) first, _BitInt(9) last, double *a) {
  for (_BitInt(9) i = first; i < last; i++)
    for (_BitInt(9) j = first; j < i; j++)
      a[(int)i - (int)first] += a[(int)j - (int)first] * 0.25;
}

TEST_FUNCTION wrapping(unsigned _BitInt(5) first, unsigned _BitInt(5) last, double *a) {
  for (unsigned _BitInt(5) i = first; i != last; i++)
    a[i] = a[i] * 2 + (int)i;
}

TEST_FUNCTION elements(int n, _BitInt(37) *a, unsigned _BitInt(3) *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i] = a[i] / 2 + j;
      b[i] = (unsigned _BitInt(3))(b[i] + b[j] + 1);
    }
}

TEST_FUNCTION wide_counter(__int128 first, __int128 last, double *a) {
  for (__int128 i = first; i < last; i++)
    for (int j = 0; j < 3; j++)
      a[(int)(i - first)] += j + 0.5;
}

int main(void) {
  double a[64];
  _BitInt(37) words[N];
  unsigned _BitInt(3) bits[N];
  FILL(a, 64, 1);
  for (int i = 0; i < N; i++) {
    words[i] = start_value(i) * 100000;
    bits[i] = (unsigned _BitInt(3))(i & 7);
  }
  for (int n = 0; n < 32; n += 5) {
    small_counter((unsigned _BitInt(5))hidden(n), a);
    signed_counter((_BitInt(9))hidden(-256), (_BitInt(9))hidden(-256 + n), a);
    signed_counter((_BitInt(9))hidden(255 - n), (_BitInt(9))hidden(255), a);
    for (int i = 0; i < 64; i++)
      a[i] *= 0.0625;
    wrapping((unsigned _BitInt(5))hidden(n), (unsigned _BitInt(5))hidden((n + 20) % 32), a);
    SHOW("a", a, 64);
    elements((int)hidden(n % N), words, bits);
    for (int i = 0; i < N; i++)
      printf("%lld %d ", (long long)words[i], (int)bits[i]);
    __int128 far = (__int128)hidden(INT64_MAX) * 5;
    wide_counter(far, far + hidden(n), a);
    wide_counter(far, far - hidden(n), a);
    wide_counter(-far, -far + hidden(n), a);
    SHOW("wide", a, 64);
  }
  return 0;
}
