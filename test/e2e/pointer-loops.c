// Loops over pointers instead of counters, and pointers into the middle of arrays.
#include "check.h"

TEST_FUNCTION copy_until(double *to, const double *from, const double *end) {
  while (from != end)
    *to++ = *from++ * 2;
}

TEST_FUNCTION add_rows(double *a, const double *b, int n, int pitch) {
  for (double *row = a; row < a + n * pitch; row += pitch)
    for (int j = 0; j < n; j++)
      row[j] += b[j];
}

TEST_FUNCTION centered(double *middle, int n) {
  for (int i = -n; i <= n; i++)
    for (int j = -n; j <= i; j++)
      middle[i] = middle[i] * 0.5 + j;
}

TEST_FUNCTION based(double *a, int n, int m) {
  double *b = a + n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i - n] += b[j] * 0.5; // overlaps itself: the same memory under two names
}

TEST_FUNCTION two_ends(double *a, int n) {
  double *low = a, *high = a + n - 1;
  while (low < high) {
    double t = *low;
    *low++ = *high;
    *high-- = t;
  }
}

TEST_FUNCTION chosen(int which, double *a, double *b, int n) {
  double *p = which ? a : b;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p[i] += a[j] * 0.5 + b[i];
}

TEST_FUNCTION restricted(double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] = a[i] * 0.5 + b[j];
}

static double a[400], b[400];

int main(void) {
  for (int n = 0; n < 20; n = n * 2 + 1) {
    int h = (int)hidden(n);
    FILL(a, 400, 1);
    FILL(b, 400, 2);
    copy_until(a, b, b + hidden(n * 7));
    copy_until(a + hidden(3), a, a + hidden(n));
    copy_until(a, a + hidden(3), a + 3 + hidden(n));
    SHOW("copy_until", a, 400);
    add_rows(a, b, h, (int)hidden(20));
    add_rows(a, a + hidden(5), h, (int)hidden(n + 1));
    add_rows(a, b, h, (int)hidden(n / 2 + 1)); // rows overlap
    SHOW("add_rows", a, 400);
    centered(a + 200, h);
    SHOW("centered", a, 400);
    based(a, h, (int)hidden(n / 2));
    based(a, h, (int)hidden(-3));
    SHOW("based", a, 400);
    if (n)
      two_ends(a, h);
    SHOW("two_ends", a, 400);
    chosen((int)hidden(n & 2), a, b, h);
    SHOW("chosen", a, 400);
    SHOW("chosen", b, 400);
    for (int i = 0; i < 400; i++)
      a[i] *= 0.03125;
    restricted(a, b, h);
    SHOW("restricted", a, 400);
  }
  return 0;
}
