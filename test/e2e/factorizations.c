// Factorizations large enough for blocks inside of blocks: sizes around multiples of theirs, both storage orders, two element types, a part of a matrix.
// poly: optimizes lower_and_upper lower_and_upper_float large lower lower_transposed part right_looking right_looking_flat
#include <math.h>

#include "check.h"

#define N 197
#define M 653

#define DEFINE_LOWER_AND_UPPER(name, type, size)                                                                                   \
  TEST_FUNCTION name(int n, type a[size][size]) {                                                                                  \
    for (int i = 0; i < n; i++) {                                                                                                  \
      for (int j = 0; j < i; j++) {                                                                                                \
        for (int k = 0; k < j; k++)                                                                                                \
          a[i][j] -= a[i][k] * a[k][j];                                                                                            \
        a[i][j] /= a[j][j];                                                                                                        \
      }                                                                                                                            \
      for (int j = i; j < n; j++)                                                                                                  \
        for (int k = 0; k < i; k++)                                                                                                \
          a[i][j] -= a[i][k] * a[k][j];                                                                                            \
    }                                                                                                                              \
  }

DEFINE_LOWER_AND_UPPER(lower_and_upper, double, N)
DEFINE_LOWER_AND_UPPER(lower_and_upper_float, float, N)
DEFINE_LOWER_AND_UPPER(large, double, M)

TEST_FUNCTION lower(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = sqrt(a[i][i]);
  }
}

// The same in the upper triangle.
TEST_FUNCTION lower_transposed(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[j][i] -= a[k][i] * a[k][j];
      a[j][i] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[k][i] * a[k][i];
    a[i][i] = sqrt(a[i][i]);
  }
}

// Rows and columns from `first` on.
TEST_FUNCTION part(int first, int n, double a[N][N]) {
  for (int i = first; i < n; i++) {
    for (int j = first; j < i; j++) {
      for (int k = first; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = first; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// The division of a column lies on a face of the tiles of what is to its right.
TEST_FUNCTION right_looking(int n, double a[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

TEST_FUNCTION right_looking_flat(int n, float *a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

static double a[N][N], b[M][M];
static float f[N][N];

// Symmetric, with large diagonals.
static void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i == j ? 2.0 * N : start_value(i * j) / 101.0;
      f[i][j] = (float)a[i][j];
    }
}

int main(void) {
  int sizes[] = {3, 143, 144, N};
  for (unsigned at = 0; at < COUNT(sizes); at++) {
    int n = sizes[at];
    printf("n = %d\n", n);
    fill();
    lower_and_upper(n, a);
    SHOW("lower_and_upper", &a[0][0], N * N);
    lower_and_upper_float(n, f);
    SHOW("lower_and_upper_float", &f[0][0], N * N);
    fill();
    lower(n, a);
    SHOW("lower", &a[0][0], N * N);
    fill();
    lower_transposed(n, a);
    SHOW("lower_transposed", &a[0][0], N * N);
    fill();
    part(n / 3, n, a);
    SHOW("part", &a[0][0], N * N);
    fill();
    right_looking(n, a);
    SHOW("right_looking", &a[0][0], N * N);
    right_looking_flat(n, &f[0][0]);
    SHOW("right_looking_flat", &f[0][0], N * N);
  }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      b[i][j] = i == j ? 2.0 * M : start_value(i + 3 * j) / 101.0;
  large(M, b);
  for (int i = 0; i < M; i += 31)
    SHOW("large", &b[i][0], M);
  return 0;
}
