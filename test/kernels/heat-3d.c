// Seven-point stencil in space, two arrays in turn
// poly: optimizes kernel_heat_3d
// poly: one scop kernel_heat_3d
#include "harness.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(10, 20, 40, 120, 200)

KERNEL kernel_heat_3d(int tsteps, int n, double A[DIM(N, n)][DIM(N, n)][DIM(N, n)],
                      double B[DIM(N, n)][DIM(N, n)][DIM(N, n)]) {
  for (int t = 1; t <= tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                       0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                       0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                       0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                       0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
  }
}

static void fill(double A[N][N][N], double B[N][N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        A[i][j][k] = B[i][j][k] = (double)(i + j + (N - k)) * 10 / N;
}

int main(void) {
  double(*A)[N][N][N] = allocate(sizeof *A);
  double(*B)[N][N][N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B);
    start_clock();
    kernel_heat_3d(TSTEPS, N, *A, *B);
    stop_clock();
  }
  show_work(30.0 * TSTEPS * N * N * N, 2 * sizeof *A + sizeof *B);
  show_doubles("A", A, sizeof *A);
  free(A);
  free(B);
  return 0;
}
