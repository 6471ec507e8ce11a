// Five-point stencil, two arrays in turn
// poly: optimizes kernel_jacobi_2d
// poly: one scop kernel_jacobi_2d
#include "harness.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(30, 90, 250, 1300, 2800)

KERNEL kernel_jacobi_2d(int tsteps, int n, double A[DIM(N, n)][DIM(N, n)], double B[DIM(N, n)][DIM(N, n)]) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}

static void fill(double A[N][N], double B[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = ((double)i * (j + 2) + 2) / N;
      B[i][j] = ((double)i * (j + 3) + 3) / N;
    }
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  double(*B)[N][N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B);
    start_clock();
    kernel_jacobi_2d(TSTEPS, N, *A, *B);
    stop_clock();
  }
  show_work(10.0 * TSTEPS * N * N, 2 * sizeof *A + sizeof *B);
  show_doubles("A", A, sizeof *A);
  show_doubles("B", B, sizeof *B);
  free(A);
  free(B);
  return 0;
}
