// Unsigned counters beyond the signed range, and subscripts that are differences of them.
#include "check.h"

TEST_FUNCTION window(double *a, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i++)
    a[i - first] += (double)i;
}

TEST_FUNCTION backwards(double *a, uint32_t n) {
  for (uint32_t i = n; i-- > 0;)
    a[i] = a[i] * 2 + i;
}

TEST_FUNCTION wide(double *a, uint64_t first, uint64_t last) {
  for (uint64_t i = first; i < last; i += 2)
    a[(i - first) / 2] += (double)(i & 1023);
}

int main(void) {
  double a[64];
  static const uint32_t firsts[] = {0, 5, 2147483640u, 2147483647u, 2147483648u, 3000000000u, 4294967200u};
  for (size_t k = 0; k < COUNT(firsts); k++) {
    FILL(a, 64, (int)k);
    window(a, (uint32_t)hidden(firsts[k]), (uint32_t)hidden(firsts[k]) + 60);
    SHOW("window", a, 64);
    // the bounds the other way round: no iteration
    window(a, (uint32_t)hidden(firsts[k]) + 60, (uint32_t)hidden(firsts[k]));
    SHOW("none", a, 64);
    wide(a, (uint64_t)hidden(INT64_MAX) - 40 + k * 20, (uint64_t)hidden(INT64_MAX) - 40 + k * 20 + 100);
    SHOW("wide", a, 64);
  }
  for (int n = 0; n < 5; n++) {
    backwards(a, (uint32_t)hidden(n * 16));
    SHOW("backwards", a, 64);
  }
  return 0;
}
