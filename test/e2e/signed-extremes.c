// Bounds at the ends of the signed ranges: sums of bounds and steps must not be computed in their own width.
#include <limits.h>

#include "check.h"

TEST_FUNCTION from_int(double *a, int first, int last) {
  for (int i = first; i < last; i++)
    a[(long)i - first] += 1.5;
}

TEST_FUNCTION up_to(double *a, int first, int last) {
  for (long i = first; i <= last; i++)
    a[i - first] *= 2;
}

TEST_FUNCTION from_long(double *a, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++)
    for (int64_t j = first; j < i; j++)
      a[i - first] += a[j - first];
}

TEST_FUNCTION steps(double *a, int first, int last) {
  long at = 0;
  for (long i = first; i < last; i += 1 << 28)
    a[at++] += 3;
}

int main(void) {
  double a[64];
  FILL(a, 64, 1);
  static const int firsts[] = {INT_MIN, INT_MIN + 1, -1, 0, INT_MAX - 40, INT_MAX - 1, INT_MAX};
  for (size_t k = 0; k < COUNT(firsts); k++) {
    int first = (int)hidden(firsts[k]);
    int last = first > INT_MAX - 30 ? INT_MAX : first + 30;
    from_int(a, first, last);
    SHOW("from_int", a, 64);
    up_to(a, first, last);
    SHOW("up_to", a, 64);
    from_int(a, last, first);
    up_to(a, last, first);
    SHOW("other way", a, 64);
    steps(a, first, last);
    steps(a, INT_MIN, first);
    SHOW("steps", a, 64);
  }
  from_long(a, hidden(INT64_MAX) - 20, hidden(INT64_MAX));
  SHOW("from_long", a, 64);
  from_long(a, hidden(INT64_MIN), hidden(INT64_MIN) + 20);
  SHOW("from_long", a, 64);
  from_long(a, hidden(INT64_MAX), hidden(INT64_MIN));
  SHOW("from_long", a, 64);
  return 0;
}
