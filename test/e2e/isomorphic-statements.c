// Statements that do the same on different instances: halves of matrices, diagonals, parts of loops, and what only looks like that.
// poly: optimizes halves signs constants arguments elements counters diagonal diagonal_float two_diagonals parts between shifted
#include <math.h>

#include "check.h"

#define N 53
#define M 600

// Left and right of the diagonal: the same, or what only looks so.
#define DEFINE_HALVES(name, left, right)                                                                                           \
  TEST_FUNCTION name(int n, double s, double t, double a[N][N]) {                                                                  \
    for (int i = 0; i < n; i++) {                                                                                                  \
      for (int j = 0; j < i; j++) {                                                                                                \
        for (int k = 0; k < j; k++)                                                                                                \
          a[i][j] left;                                                                                                            \
        a[i][j] /= a[j][j];                                                                                                        \
      }                                                                                                                            \
      for (int j = i; j < n; j++)                                                                                                  \
        for (int k = 0; k < i; k++)                                                                                                \
          a[i][j] right;                                                                                                           \
    }                                                                                                                              \
    (void)s;                                                                                                                       \
    (void)t;                                                                                                                       \
  }

DEFINE_HALVES(halves, -= a[i][k] * a[k][j], -= a[i][k] * a[k][j])
DEFINE_HALVES(signs, -= a[i][k] * a[k][j], += a[i][k] * a[k][j])
DEFINE_HALVES(constants, -= 0.5 * a[i][k] * a[k][j], -= 0.75 * a[i][k] * a[k][j])
DEFINE_HALVES(arguments, -= s * a[i][k] * a[k][j], -= t * a[i][k] * a[k][j])
DEFINE_HALVES(elements, -= a[i][k] * a[k][j], -= a[i][k] * a[k][j - 1])
DEFINE_HALVES(counters, -= k * a[i][k] * a[k][j], -= (k + 1) * a[i][k] * a[k][j])

// Below the diagonal, and on it with one load instead of two.
#define DEFINE_DIAGONAL(name, type, root)                                                                                          \
  TEST_FUNCTION name(int n, type a[N][N]) {                                                                                        \
    for (int i = 0; i < n; i++) {                                                                                                  \
      for (int j = 0; j < i; j++) {                                                                                                \
        for (int k = 0; k < j; k++)                                                                                                \
          a[i][j] -= a[i][k] * a[j][k];                                                                                            \
        a[i][j] /= a[j][j];                                                                                                        \
      }                                                                                                                            \
      for (int k = 0; k < i; k++)                                                                                                  \
        a[i][i] -= a[i][k] * a[i][k];                                                                                              \
      a[i][i] = root(a[i][i]);                                                                                                     \
    }                                                                                                                              \
  }

DEFINE_DIAGONAL(diagonal, double, sqrt)
DEFINE_DIAGONAL(diagonal_float, float, sqrtf)

// Three statements that fill a triangle together, one of them twice its neighbour's length away.
TEST_FUNCTION two_diagonals(int n, double a[restrict N][N], double b[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++)
        a[i][j] += b[i][k] * b[j][k];
      a[i][i] += b[i][k] * b[i][k];
      if (i + 1 < n)
        a[i][i + 1] += b[i][k] * b[i + 1][k];
    }
}

// Parts of one loop, the second one from its end on.
TEST_FUNCTION parts(int n, double a[restrict N][N], double b[N][N]) {
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i][j] += b[i][k] * b[k][j];
  for (int i = 20; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i][j] += b[i][k] * b[k][j];
}

// What is between the parts reads what the second one writes later.
TEST_FUNCTION between(int n, int64_t a[restrict M], int64_t b[restrict M], int64_t c[M]) {
  for (int t = 0; t < 40; t++) {
    for (int i = 0; i < 200; i++)
      a[i] = c[i] - a[i];
    for (int i = 0; i < n; i++)
      b[i] += a[i];
    for (int i = 200; i < n; i++)
      a[i] = c[i] - a[i];
  }
}

// The same elements at other times, and neighbouring ones at the same time.
TEST_FUNCTION shifted(int n, double a[restrict N][N], double b[N][N]) {
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++)
      for (int k = 0; k < n; k++)
        a[i][j] += b[i][k] * b[k][j];
    for (int j = i; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i][j] += b[i - 1][k] * b[k][j];
  }
}

static double a[N][N], b[N][N];
static float f[N][N];
static int64_t p[M], q[M], r[M];

// Large diagonals: nothing becomes infinite.
static void fill(void) {
  for (int i = 0; i < M; i++) {
    p[i] = q[i] = 0;
    r[i] = 7 * i + 1;
  }
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      a[i][j] = i == j ? 3.0 * N : (i * 31 + j * 17) % 23 / 23.0;
      f[i][j] = i == j ? 3.0f * N : (float)((i * 13 + (j < i ? j : i) * 7) % 19) / 19.0f;
      b[i][j] = (i * 5 + j * 3) % 11 / 7.0 - 0.5;
    }
  }
}

int main(void) {
  int sizes[] = {1, 2, 7, 20, 21, 40, N};
  for (unsigned at = 0; at < COUNT(sizes); at++) {
    int n = sizes[at];
    printf("n = %d\n", n);
    void (*of_halves[])(int, double, double, double[N][N]) = {halves, signs, constants, arguments, elements, counters};
    for (unsigned which = 0; which < COUNT(of_halves); which++) {
      fill();
      of_halves[which](n, 1.25, 0.75, a);
      SHOW("halves", &a[0][0], N * N);
    }
    fill();
    diagonal(n, a);
    SHOW("diagonal", &a[0][0], N * N);
    diagonal_float(n, f);
    SHOW("diagonal_float", &f[0][0], N * N);
    fill();
    two_diagonals(n, a, b);
    SHOW("two_diagonals", &a[0][0], N * N);
    fill();
    if (n >= 20)
      parts(n, a, b);
    SHOW("parts", &a[0][0], N * N);
    between(194 + 7 * n, p, q, r);
    SHOW("between", p, M);
    SHOW("between", q, M);
    fill();
    shifted(n, a, b);
    SHOW("shifted", &a[0][0], N * N);
  }
  return 0;
}
