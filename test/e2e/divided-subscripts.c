// Subscripts and bounds with quotients and remainders, of negative numbers too: C rounds towards zero.
#include "check.h"

TEST_FUNCTION halves(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[(i + j) / 2] = a[(i + j) / 2] * 0.5 + b[i] + j;
}

TEST_FUNCTION remainders(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i % 7] += b[i / 3] * 0.5;
}

TEST_FUNCTION around_zero(int n, double *a) { // a is the middle of an array
  for (int i = -n; i < n; i++) {
    a[i / 4] += i;
    a[i % 5] -= 1;
  }
}

TEST_FUNCTION divided_bounds(int n, double *a) {
  for (int i = 0; i < n / 3; i++)
    for (int j = i / 2; j < (n - i) / 2; j++)
      a[i + j] += j;
}

TEST_FUNCTION shifted(unsigned n, double *a) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < (i >> 2); j++)
      a[(i << 1) + (j & 3)] += i * j;
}

TEST_FUNCTION folded(int n, double a[8][8]) {
  for (int i = 0; i < n; i++)
    a[i / 8 % 8][i % 8] += i;
}

static double a[200], b[200], m[8][8];

int main(void) {
  for (int n = 0; n < 50; n = n * 2 + 1) {
    int h = (int)hidden(n);
    FILL(a, 200, 1);
    FILL(b, 200, 2);
    FILL(&m[0][0], 64, 3);
    halves(h, a, b);
    SHOW("halves", a, 200);
    halves(h, b, b);
    remainders(h, a, b);
    remainders(h, b, b);
    SHOW("remainders", a, 200);
    SHOW("remainders", b, 200);
    around_zero(h, a + 100);
    SHOW("around_zero", a, 200);
    divided_bounds(h, a);
    divided_bounds(-h, a);
    SHOW("divided_bounds", a, 200);
    shifted((unsigned)h, a);
    SHOW("shifted", a, 200);
    folded(h * 3, m);
    SHOW("folded", &m[0][0], 64);
  }
  return 0;
}
