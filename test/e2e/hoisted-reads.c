// Elements at addresses that are not affine, which the compiler loads before an inner loop: by sums
// of numbers that may wrap around, and through an index array.
#include "check.h"

TEST_FUNCTION multiply(int m, int n, int k, double alpha, double *restrict a, double *restrict b,
                       double *restrict c) {
  for (int j = 0; j < n; j++)
    for (int l = 0; l < k; l++) {
      double t = alpha * b[l + j * k];
      for (int i = 0; i < m; i++)
        c[i + j * m] += t * a[i + l * m];
    }
}

TEST_FUNCTION in_one_column(unsigned m, unsigned k, unsigned step, double *restrict a, double *restrict b,
                            double *restrict c) {
  for (unsigned l = 0; l < k; l++) {
    double t = 3 * b[l * step + 1];
    for (unsigned i = 0; i < m; i++)
      c[i] += t * a[i + (size_t)l * m];
  }
}

TEST_FUNCTION picked(int m, int k, double *restrict a, const double *restrict b, const int *restrict p,
                     double *restrict c) {
  for (int l = 0; l < k; l++) {
    double t = 0.5 * b[p[l]];
    for (int i = 0; i < m; i++)
      c[i] += t * a[i + (long)l * m];
  }
}

// What picks the elements changes, and what is picked.
TEST_FUNCTION changing(int m, int k, double *restrict a, double *b, int *p, double *c) {
  for (int l = 0; l < k; l++) {
    double t = 0.5 * b[p[l]];
    p[(l + 1) % k] = (p[l] + l) % k;
    for (int i = 0; i < m; i++)
      c[i] += t * a[i + (long)l * m];
  }
}

enum { SIZE = 40 };
static double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
static int p[SIZE];

int main(void) {
  for (int n = 0; n < SIZE; n += 1 + n / 3) {
    for (int i = 0; i < SIZE * SIZE; i++) {
      a[i] = (i * 7 % 31) * 0.3;
      b[i] = (i * 11 % 37) - 9.7;
      c[i] = i % 5;
    }
    for (int i = 0; i < SIZE; i++)
      p[i] = n ? i * 5 % n : 0;
    int m = (int)hidden(n), k = (int)hidden(SIZE - 1 - n / 2);
    multiply(m, m, k < m ? k : m, 0.7, a, b, c);
    SHOW("multiply", c, SIZE * SIZE);
    in_one_column((unsigned)m, (unsigned)m, (unsigned)hidden(3), a, b, c);
    SHOW("in_one_column", c, SIZE);
    picked(m, m, a, b, p, c);
    SHOW("picked", c, SIZE);
    changing(m, m, a, b, p, c);
    SHOW("changing", c, SIZE);
    changing(m, m, a, b, p, b);
    SHOW("changing in place", b, SIZE);
  }
  return 0;
}
