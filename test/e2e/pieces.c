// Conditions that leave something out in the middle of a loop: domains of pieces that come one after the other, with
// neighbours before and behind, of every small size.
// poly: optimizes jacobi products but_three middle
#include "check.h"

TEST_FUNCTION jacobi(int n, int steps, const double *a, const double *b, double *x, double *y) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int j = 0; j < n; j++)
        if (j != i)
          s -= a[i * n + j] * x[j];
      y[i] = s / a[i * n + i];
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  }
}

// The loop in the middle is the one with the hole.
TEST_FUNCTION products(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (k != i)
        for (int j = 0; j < n; j++)
          c[i * n + j] += a[i * n + k] * b[k * n + j];
}

TEST_FUNCTION but_three(int n, const double *restrict a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    y[i] *= 0.5;
    for (int j = 0; j < n; j++)
      if (j != i && j != 7 && j != 11)
        y[i] += a[i * n + j] * x[j];
    y[i] = y[i] - 3.0;
  }
}

// Both ends, and nothing of the middle.
TEST_FUNCTION middle(int n, const double *restrict a, double *restrict y) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (j < i - 2 || j > i + 3)
        y[i] = 0.75 * y[i] + a[i * n + j];
}

enum { MOST = 70 };

int main(void) {
  static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], x[MOST], y[MOST], z[MOST];
  static const int sizes[] = {1, 2, 3, 5, 8, 12, 17, 33, 64, MOST};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    int n = (int)hidden(sizes[s]);
    size_t rows = (size_t)n, all = rows * rows;
    FILL(a, all, 1);
    FILL(b, all, 2);
    FILL(c, all, 3);
    FILL(x, rows, 4);
    FILL(y, rows, 5);
    FILL(z, rows, 6);
    for (int i = 0; i < n; i++)
      a[i * n + i] = 40.0 * n;
    jacobi(n, 3, a, z, x, y);
    SHOW("jacobi", x, rows);
    products(n, a, b, c);
    SHOW("products", c, all);
    but_three(n, a, x, y);
    SHOW("but_three", y, rows);
    middle(n, b, z);
    SHOW("middle", z, rows);
  }
  return 0;
}
