// Offsets that depend on the way that control has taken, and products that may wrap around: rows of triangular arrays begin at i * n, which optimizers
// replace by 0 where i is 0.
// poly: optimizes cholesky cholesky_int solve solve_array two_places by_parity factor wrapping_rows wrapping_triangle
#include "check.h"
#include <math.h>

enum { N = 23, SIZE = 4000 };

TEST_FUNCTION cholesky(long n, double A[n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (long k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}

TEST_FUNCTION cholesky_int(int n, double *A) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i * n + j] -= A[i * n + k] * A[j * n + k];
      A[i * n + j] /= A[j * n + j];
    }
    for (int k = 0; k < i; k++)
      A[i * n + i] -= A[i * n + k] * A[i * n + k];
    A[i * n + i] = sqrt(A[i * n + i]);
  }
}

TEST_FUNCTION solve(unsigned n, const double *L, double *x, const double *b) {
  for (unsigned i = 0; i < n; i++) {
    x[i] = b[i];
    for (unsigned j = 0; j < i; j++)
      x[i] -= L[i * n + j] * x[j];
    x[i] = x[i] / (L[i * n + i] + 100);
  }
}

TEST_FUNCTION solve_array(long n, const double L[n][n], double *x, const double *b) {
  for (long i = 0; i < n; i++) {
    x[i] = b[i];
    for (long j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / (L[i][i] + 100);
  }
}

// Two halves with rows in different places.
TEST_FUNCTION two_places(long n, long m, double *x, const double *y) {
  for (long i = 0; i < n; i++) {
    long row;
    if (i < 7) {
      row = i * m;
      x[i] += 1;
    } else {
      row = (2 * i - 3) * m;
      x[i] -= 1;
    }
    for (long j = 0; j < m; j++)
      x[40 + i] += y[row + j];
  }
}

TEST_FUNCTION by_parity(long n, long m, double *restrict x, const double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      x[i * m + j] += y[(i % 2 ? i * m : (n - i) * m) + j];
}

TEST_FUNCTION factor(long n, double *restrict A) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
      A[i * n + j] /= A[j * n + j];
    }
    for (long j = i; j < n; j++)
      for (long k = 0; k < i; k++)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
  }
}

// With a large step the product wraps around, and element (i, j) is j - i.
TEST_FUNCTION wrapping_rows(unsigned n, unsigned m, unsigned step, int *restrict x, const int *restrict y) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = n; j < m; j++)
      x[i * step + j] = (x[i * step + j] & 1023) * 3 + y[j * 2 + i];
}

TEST_FUNCTION wrapping_triangle(unsigned n, unsigned step, int *restrict x, const int *restrict y) {
  for (unsigned i = 0; i < n; i++) {
    for (unsigned j = i; j < n; j++)
      x[i * step + j] += y[j] - (int)i;
    x[i * step + i] ^= 5;
  }
}

static double a[SIZE], b[SIZE], c[SIZE];
static int u[SIZE], v[SIZE];

// Diagonally dominant, so that nothing becomes infinite.
static void matrix(double *A, int n, int seed) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * n + j] = (start_value((i < j ? i * 31 + j : j * 31 + i) + seed) + (i == j ? 4000 : 0)) / 16.0;
}

int main(void) {
  for (int n = 0; n <= N; n = n < 4 ? n + 1 : n + 6) {
    int h = (int)hidden(n);
    matrix(a, h, 1);
    cholesky(h, (void *)a);
    SHOW("cholesky", a, (size_t)h * h);
    matrix(a, h, 2);
    cholesky_int(h, a);
    SHOW("cholesky_int", a, (size_t)h * h);
    matrix(a, h, 3);
    factor(h, a);
    SHOW("factor", a, (size_t)h * h);
    static const int places[] = {0, 1, 30, -30, 529, 600};
    for (size_t k = 0; k < COUNT(places); k++) {
      FILL(a, SIZE, n);
      FILL(b, SIZE, n + 3);
      solve((unsigned)h, a + 1000, b, c);
      solve((unsigned)h, a + 1000, a + 1000 + hidden(places[k]), b);
      SHOW("solve", a, SIZE);
      solve_array(h, (void *)(a + 1000), c, b);
      SHOW("solve_array", c, 30);
      solve_array(h, (void *)(a + 1000), b, a + 1000 + hidden(places[k]));
      solve_array(h, (void *)(a + 1000), a + 1000 + hidden(places[k]), b);
      SHOW("solve_array", a, SIZE);
    }
    FILL(a, SIZE, n);
    FILL(b, SIZE, n + 3);
    two_places(h, hidden(n), a, b);
    two_places(h, hidden(-3), a, b + 1000);
    two_places(h, hidden(5), a, a + hidden(n));
    by_parity(h, hidden(n / 2), a, b);
    by_parity(h, hidden(1), a, b);
    SHOW("chosen", a, SIZE);
  }
  static const unsigned steps[] = {0, 1, 19, 20, 21, 60, 4294967295u, 4294967294u, 4294967276u, 2147483648u, 2147483649u};
  for (size_t k = 0; k < COUNT(steps); k++) {
    FILL(u, SIZE, (int)k);
    FILL(v, SIZE, (int)k + 9);
    unsigned step = (unsigned)hidden(steps[k]);
    int is_far = step == 2147483648u || step == 2147483649u || step == 4294967294u || step == 4294967276u;
    // One row, or rows whose places wrap around to where there is an element.
    wrapping_rows((unsigned)hidden(is_far ? 1 : 20), (unsigned)hidden(30), step, u, v);
    SHOW("wrapping_rows", u, SIZE);
    wrapping_triangle((unsigned)hidden(is_far ? 1 : 20), step, u, v);
    SHOW("wrapping_triangle", u, SIZE);
  }
  return 0;
}
