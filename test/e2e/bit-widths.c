// Counters and elements of widths that no machine has, and of 128 bits.
// poly: optimizes wide_bound
// poly: optimizes unsigned_bound
// poly: optimizes wide_range
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

// Bounds that are loaded are integers of 128 bits as a whole.
TEST_FUNCTION wide_bound(int n, const __int128 *bound, double *a) {
  for (int i = 0; i < n; i++)
    if (i < *bound)
      a[i] += 0.5;
}

TEST_FUNCTION unsigned_bound(int n, const unsigned __int128 *bound, double *a) {
  for (unsigned __int128 i = 0; i < (unsigned)n && i < *bound; i++)
    a[(int)i] += 0.25;
}

TEST_FUNCTION wide_range(const __int128 *range, double *a) {
  __int128 first = range[0], last = range[1];
  for (__int128 i = first; i < last; i++)
    a[(int)(i - first)] *= 0.5;
}

TEST_FUNCTION odd_width(const _BitInt(100) *bound, double *a) {
  _BitInt(100) n = *bound;
  for (_BitInt(100) i = 0; i < n; i++)
    a[(int)i] += 1;
}

// Numbers near the ends of 64 and of 128 bits.
static void wide_numbers(double *a) {
  __int128 half = (__int128)1 << 64, most = half * (half / 4) + (half * (half / 4) - 1);
  __int128 numbers[] = {0, 1, 30, -1, half - 1, half, half + 7, 7 - half, -half, -half - 1, half / 2, -half / 2, (__int128)1 << 50, (__int128)1 << 114, most, -most - 1};
  for (size_t k = 0; k < COUNT(numbers); k++) {
    wide_bound((int)hidden(40), &numbers[k], a);
    unsigned __int128 bound = (unsigned __int128)numbers[k];
    unsigned_bound((int)hidden(40), &bound, a);
    for (int n = -2; n < 20; n += 7) {
      __int128 range[2] = {numbers[k], numbers[k]};
      if (n < 0 ? numbers[k] >= 0 : numbers[k] < 1)
        range[1] += hidden(n);
      wide_range(range, a);
      range[0] = range[1] - 3;
      if (numbers[k] >= 0)
        wide_range(range, a);
    }
    SHOW("wide numbers", a, 64);
  }
  for (int n = -20; n < 40; n += 20) {
    _BitInt(100) bound = hidden(n);
    odd_width(&bound, a);
  }
  _BitInt(100) least = -((_BitInt(100))1 << 98) * 2;
  odd_width(&least, a);
  SHOW("odd width", a, 64);
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
  wide_numbers(a);
  return 0;
}
