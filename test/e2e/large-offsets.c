// Subscripts with large factors and far-away parts of a large array: products in 32 bits would overflow.
#include "check.h"

#define ROW 1000003L

TEST_FUNCTION far_rows(double *a, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * ROW + j] = a[i * ROW + j] * 0.5 + i - j;
}

TEST_FUNCTION pitched(double *a, long n, long m, long pitch) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * pitch + j] += a[j * pitch + i] * 0.25;
}

TEST_FUNCTION huge_width(double (*a)[ROW], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      a[i][j * 200000] += a[j % 3][i] + j;
}

// no iteration, with extents that would overflow any product
TEST_FUNCTION nothing(long n, long m, long l, double *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 1; j++)
      for (long k = 0; k < 1; k++)
        a[(i * m + j) * l + k] += 1;
}

int main(void) {
  size_t count = 20 * ROW;
  double *a = calloc(count, sizeof *a);
  if (a == NULL)
    return 2;
  far_rows(a, (int)hidden(20), (int)hidden(30));
  pitched(a, hidden(20), hidden(15), hidden(1000000));
  huge_width((void *)a, (int)hidden(19));
  nothing(hidden(0), hidden(INT64_MAX), hidden(INT64_MAX), a);
  nothing(hidden(1), hidden(INT64_MAX), hidden(1), a);
  nothing(hidden(3), hidden(0), hidden(INT64_MIN), a);
  nothing(hidden(2), hidden(1) << 40, hidden(0), a);
  for (size_t i = 0; i < count; i++)
    if (a[i] != 0)
      printf("%zu %a\n", i, a[i]);
  free(a);
  return 0;
}
