// Stencils over time whose statements may go through a tile one after the other, in blocks of eight rows: sizes around blocks and vectors, none, and one.
// poly: optimizes there_and_back fields crossed
#include "check.h"

#define N 36

// Seven points, two arrays in turn: 42 loads for eight rows.
TEST_FUNCTION there_and_back(int steps, int n, double a[N][N][N], double b[N][N][N]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2 * a[i][j][k] + a[i - 1][j][k]) +
                       0.125 * (a[i][j + 1][k] - 2 * a[i][j][k] + a[i][j - 1][k]) +
                       0.125 * (a[i][j][k + 1] - 2 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[i][j][k] = 0.125 * (b[i + 1][j][k] - 2 * b[i][j][k] + b[i - 1][j][k]) +
                       0.125 * (b[i][j + 1][k] - 2 * b[i][j][k] + b[i][j - 1][k]) +
                       0.125 * (b[i][j][k + 1] - 2 * b[i][j][k] + b[i][j][k - 1]) + b[i][j][k];
  }
}

// Three statements, each of which needs what the others have written, in this step or the one before.
TEST_FUNCTION fields(int steps, int n, int m, double ex[N][N], double ey[N][N], double hz[N][N]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

// The second statement overwrites what the first one of the same step reads: they may part only in this order.
TEST_FUNCTION crossed(int steps, int n, double a[N][N], double b[N][N]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i - 1][j] + 0.5 * a[i + 1][j] - a[i][j - 1] + 0.25 * a[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.5 * b[i][j] + 0.125 * a[i][j];
  }
}

static double a[N][N][N], b[N][N][N], x[N][N], y[N][N], z[N][N];

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 9, 10, 11, 18, 19, 35, 36};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int steps = 0; steps <= 9; steps = steps * 2 + 1) {
      int n = sizes[s];
      FILL(&a[0][0][0], N * N * N, 1);
      FILL(&b[0][0][0], N * N * N, 2);
      FILL(&x[0][0], N * N, 3);
      FILL(&y[0][0], N * N, 4);
      FILL(&z[0][0], N * N, 5);
      there_and_back((int)hidden(steps), (int)hidden(n), a, b);
      double sum[N] = {0};
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          for (int k = 0; k < N; k++)
            sum[i] += (j * N + k + 1) * a[i][j][k] + b[i][j][k];
      SHOW("there_and_back", sum, N);
      fields((int)hidden(steps), (int)hidden(n), (int)hidden(N - n), x, y, z);
      SHOW("fields", &z[0][0], N * N);
      fields((int)hidden(steps), (int)hidden(n), (int)hidden(n), x, y, z);
      SHOW("fields", &x[0][0], N * N);
      crossed((int)hidden(steps), (int)hidden(n), x, y);
      SHOW("crossed", &x[0][0], N * N);
    }
  return 0;
}
