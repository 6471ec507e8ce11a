// Heat equation by alternating directions: in each step a tridiagonal solve along every column, then along every row
// poly: optimizes kernel_adi
// poly: one scop kernel_adi
#include "harness.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(20, 60, 200, 1000, 2000)

KERNEL kernel_adi(int tsteps, int n, double u[DIM(N, n)][DIM(N, n)], double v[DIM(N, n)][DIM(N, n)],
                  double p[DIM(N, n)][DIM(N, n)], double q[DIM(N, n)][DIM(N, n)]) {
  double dx = 1.0 / (double)n;
  double dy = 1.0 / (double)n;
  double dt = 1.0 / (double)tsteps;
  double b1 = 2.0;
  double b2 = 1.0;
  double mul1 = b1 * dt / (dx * dx);
  double mul2 = b2 * dt / (dy * dy);
  double a = -mul1 / 2.0;
  double b = 1.0 + mul1;
  double c = a;
  double d = -mul2 / 2.0;
  double e = 1.0 + mul2;
  double f = d;

  for (int t = 1; t <= tsteps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

static void fill(double u[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = (double)(i + N - j) / N;
}

int main(void) {
  double(*u)[N][N] = allocate(sizeof *u);
  double(*v)[N][N] = allocate(sizeof *v);
  double(*p)[N][N] = allocate(sizeof *p);
  double(*q)[N][N] = allocate(sizeof *q);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*u);
    start_clock();
    kernel_adi(TSTEPS, N, *u, *v, *p, *q);
    stop_clock();
  }
  show_work(30.0 * TSTEPS * N * N, 2 * sizeof *u);
  show_doubles("u", u, sizeof *u);
  free(u);
  free(v);
  free(p);
  free(q);
  return 0;
}
