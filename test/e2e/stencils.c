// Stencils in one to three dimensions over time, with and without a second array, with boundaries.
// poly: optimizes heat_1d heat_2d
#include "check.h"

#define N 18

TEST_FUNCTION heat_1d(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    for (int i = 1; i < n - 1; i++)
      a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1];
  }
}

TEST_FUNCTION heat_2d(int steps, int n, double a[2][N][N]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[(t + 1) % 2][i][j] = 0.2 * (a[t % 2][i][j] + a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1] + a[t % 2][i][j + 1]);
}

TEST_FUNCTION heat_3d(int steps, int n, double a[N][N][N], double b[N][N][N]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2 * a[i][j][k] + a[i - 1][j][k]) + 0.125 * (a[i][j + 1][k] + a[i][j - 1][k]) +
                       0.125 * (a[i][j][k + 1] + a[i][j][k - 1]) + 0.5 * a[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[i][j][k] = b[i][j][k];
  }
}

TEST_FUNCTION seidel(int steps, int n, double a[N][N]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) * 0.2;
}

TEST_FUNCTION fields(int steps, int n, double ex[N][N], double ey[N][N], double hz[N][N]) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < n; j++)
      ey[0][j] = t;
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++)
        ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1; j++)
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

static double v[60], w[60], a[2][N][N], x[N][N], y[N][N], z[N][N], c[N][N][N], d[N][N][N];

int main(void) {
  for (int n = 0; n <= N; n += 6)
    for (int steps = 0; steps <= 8; steps = steps * 2 + 1) {
      FILL(v, 60, 1);
      FILL(w, 60, 2);
      FILL(&a[0][0][0], 2 * N * N, 3);
      FILL(&x[0][0], N * N, 4);
      FILL(&y[0][0], N * N, 5);
      FILL(&z[0][0], N * N, 6);
      FILL(&c[0][0][0], N * N * N, 7);
      heat_1d((int)hidden(steps * 3), (int)hidden(n * 3), v, w);
      SHOW("heat_1d", v, 60);
      heat_1d((int)hidden(steps), (int)hidden(n), v, v + hidden(5));
      SHOW("heat_1d", v, 60);
      heat_2d((int)hidden(steps), (int)hidden(n), a);
      SHOW("heat_2d", &a[0][0][0], 2 * N * N);
      heat_3d((int)hidden(steps), (int)hidden(n), c, d);
      double sum[N] = {0};
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          for (int k = 0; k < N; k++)
            sum[i] = sum[i] * 0.75 + c[i][j][k];
      SHOW("heat_3d", sum, N);
      seidel((int)hidden(steps), (int)hidden(n), x);
      SHOW("seidel", &x[0][0], N * N);
      fields((int)hidden(steps), (int)hidden(n), x, y, z);
      SHOW("fields", &x[0][0], N * N);
      SHOW("fields", &y[0][0], N * N);
      SHOW("fields", &z[0][0], N * N);
    }
  return 0;
}
