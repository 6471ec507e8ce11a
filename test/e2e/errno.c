// Mathematical functions that leave their errors in errno: the value found there after the loops
// must be the same.
// poly: optimizes factorize overwritten growth cosines somewhere logarithms separated iterated not_used beside_integers roots watched weighted bounded
#include "check.h"
#include <errno.h>
#include <math.h>

static double a[20][20], b[20][20];

TEST_FUNCTION roots(int n, double x[20][20], double y[20][20]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j][i] = sqrt(y[j][i]) + exp(y[j][i] * 100);
}

// Roots between sums. Only they set errno, and always to the same value, so that they may change places.
TEST_FUNCTION factorize(int n, double x[20][20]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        x[i][j] -= x[i][k] * x[j][k];
      x[i][j] /= x[j][j];
    }
    for (int k = 0; k < i; k++)
      x[i][i] -= x[i][k] * x[i][k];
    x[i][i] = sqrt(x[i][i]);
  }
}

// Only range errors.
TEST_FUNCTION growth(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j][i] = exp(y[j][i]) + sinh(y[i][j]) * cosh(y[j][i]) + expm1(y[i][j]);
}

// Only domain errors.
TEST_FUNCTION cosines(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j][i] = cos(y[j][i]) + acos(y[i][j]);
}

// One number has no root, whichever thread comes to it.
TEST_FUNCTION somewhere(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      x[i][j] = sqrt(y[i][j]) + cos(y[j][i]);
}

// The last error is that of the last call that has one.
TEST_FUNCTION both_errors(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    x[i] = sqrt(y[i]);
  for (int i = 0; i < n; i++)
    x[i] += exp(y[i] * 100);
}

// Nobody sees the roots, but their errors.
TEST_FUNCTION overwritten(int n, double x[restrict 20][20], double y[20][20]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      x[j][i] = sqrt(y[j][i]);
    for (int j = 0; j < n; j++)
      x[j][i] = 2 * y[j][i];
  }
}

// Roots of some elements only.
TEST_FUNCTION chosen(int n, double x[20][20], double y[20][20]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (y[i][j] > -1)
        x[i][j] = sqrt(y[i][j] + 0.5);
}

// Somebody looks at errno in between.
TEST_FUNCTION watched(int n, double *x, double *y, int *seen, int *place) {
  for (int i = 0; i < n; i++) {
    x[i] = sqrt(y[i]);
    seen[i] = *place;
    if (i == 10)
      *place = 0;
  }
}

// A number of any type may be where errno is.
static void any_type(int n, double *x, const double *y, char *place) {
  for (int i = 0; i < n; i++) {
    x[i] = sqrt(y[i]);
    place[0] = (char)i;
  }
}

// Logarithms of zero and of negative numbers leave different errors: the last one in the order
// of the source counts, and here another order would be faster.
TEST_FUNCTION logarithms(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j][i] = log(y[j][i]);
}

// The product may be computed in any order, its logarithms may not.
TEST_FUNCTION separated(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i][j] = 0;
      for (int k = 0; k < n; k++)
        x[i][j] += y[i][k] * y[k][j];
      x[i][j] += sqrt(x[i][j] + 40) * log(x[i][j] + 30) + exp(x[j][i]);
    }
}

// How often depends on data.
TEST_FUNCTION iterated(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double t = y[i][j];
      while (t > 0.5)
        t = log(t);
      x[i][j] = t;
    }
}

// Only the errors are left of these logarithms.
TEST_FUNCTION not_used(int n, double x[restrict 20][20], double y[restrict 20][20]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      (void)log(y[i][j]);
      x[i][j] = y[i][j] + 1;
    }
}

// Integers that cannot be errno.
TEST_FUNCTION beside_integers(int n, double x[restrict 20][20], int count[restrict 20][20]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      count[i][j]++;
      x[i][j] = pow(x[i][j], 1.5) + log10(x[i][j]);
    }
}

// The weight may be errno itself, which the calls change.
TEST_FUNCTION weighted(int n, const int *weight, double x[20][20], double y[20][20]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      x[i][j] = exp(y[i][j] * 100) * (*weight + 1);
}

// So may the bound.
TEST_FUNCTION bounded(const int *n, double x[20][20], double y[20][20]) {
  for (int j = 0; j < *n && j < 20; j++)
    for (int i = 0; i < *n && i < 20; i++)
      x[i][j] = sqrt(y[i][j]) + 1;
}

static void neighbours(int n) {
  for (int where = 0; where < 2; where++) {
    int own = 3;
    FILL(&a[0][0], 400, 3);
    errno = 0;
    weighted(n, where ? &errno : &own, a, b);
    printf("%d\n", errno);
    SHOW("weighted", &a[0][0], 400);
    FILL(&a[0][0], 400, 3);
    own = n;
    errno = n;
    bounded(where ? &errno : &own, a, b);
    printf("%d\n", errno);
    SHOW("bounded", &a[0][0], 400);
  }
}

// The place of the last error goes through all of the matrix, with an error of the other kind
// before it and behind it.
static void places(int n) {
  static int count[20][20];
  for (int p = 0; p < n * n; p += 7)
    for (int kind = 0; kind < 2; kind++) {
      FILL(&b[0][0], 400, 1);
      for (int i = 0; i < 400; i++)
        b[i / 20][i % 20] = fabs(b[i / 20][i % 20]) + 0.75;
      b[p / n][p % n] = kind ? 0 : -1;
      b[p % n][p / n] -= kind ? 100 : 0;
      errno = 0;
      logarithms(n, a, b);
      printf("%d", errno);
      errno = 0;
      not_used(n, a, b);
      printf(" %d", errno);
      errno = 0;
      iterated(n, a, b);
      printf(" %d", errno);
      errno = 0;
      beside_integers(n, b, count);
      printf(" %d", errno);
      b[p / n][p % n] = kind ? 25 : -35;
      errno = 0;
      separated(n, a, b);
      printf(" %d\n", errno);
    }
  for (int p = 0; p < n * n; p += 7) {
    const double special[] = {-1, INFINITY, NAN, 0};
    for (int kind = 0; kind < 4; kind++) {
      b[p / n][p % n] = special[kind];
      errno = 0;
      somewhere(n, a, b);
      printf(" %d", errno);
    }
  }
  SHOW("count", &count[0][0], 400);
  FILL(&b[0][0], 400, 1);
}

static void kinds(int n) {
  for (int scale = 1; scale <= 10000; scale *= 100) {
    for (int i = 0; i < 400; i++)
      b[i / 20][i % 20] = start_value(i) * 0.25 * scale;
    errno = 0;
    growth(n, a, b);
    printf("%d\n", errno);
    SHOW("growth", &a[0][0], 400);
    for (int i = 0; i < 400; i++)
      b[i / 20][i % 20] = start_value(i) * (scale > 100 ? 0.1 : 0.01);
    errno = 0;
    cosines(n, a, b);
    printf("%d\n", errno);
    SHOW("cosines", &a[0][0], 400);
    errno = 0;
    both_errors(n, a[0], b[0]);
    printf("%d\n", errno);
  }
  FILL(&b[0][0], 400, 1);
}

static void more(int n) {
  FILL(&a[0][0], 400, 2);
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (int i = 0; i < 20; i++)
      a[i][i] = 100 + i;
    // The last root of all is of a negative number.
    if (n > 0)
      a[n - 1][n - 1] *= sign;
    errno = 0;
    factorize(n, a);
    printf("%d\n", errno);
    SHOW("factorized", &a[0][0], 400);
  }
  errno = 7;
  overwritten(n, a, b);
  printf("%d\n", errno);
  SHOW("overwritten", &a[0][0], 400);
  errno = 0;
  chosen(n, a, b);
  printf("%d\n", errno);
  SHOW("chosen", &a[0][0], 400);
  errno = 0;
  int seen[20] = {0};
  watched(n, a[0], b[1], seen, &errno);
  printf("%d\n", errno);
  SHOW("seen", seen, 20);
  errno = 0;
  any_type(n, a[0], b[1], (char *)&errno);
  printf("%d\n", errno);
}

int main(void) {
  FILL(&b[0][0], 400, 1);
  for (int n = 0; n <= 20; n += 5) {
    errno = 0;
    roots((int)hidden(n), a, b);
    printf("%d\n", errno);
    SHOW("a", &a[0][0], 400);
    more((int)hidden(n));
    kinds((int)hidden(n));
    places((int)hidden(n));
    neighbours((int)hidden(n));
  }
  return 0;
}
