// Nine-point stencil in place: each point uses new values above and to the left, old ones below and to the right
// poly: one scop kernel_seidel_2d
#include "harness.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_seidel_2d(int tsteps, int n, double A[DIM(N, n)][DIM(N, n)]) {
  for (int t = 0; t <= tsteps - 1; t++)
    for (int i = 1; i <= n - 2; i++)
      for (int j = 1; j <= n - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] +
                   A[i + 1][j] + A[i + 1][j + 1]) /
                  9.0;
}

static void fill(double A[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[i][j] = ((double)i * (j + 2) + 2) / N;
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A);
    start_clock();
    kernel_seidel_2d(TSTEPS, N, *A);
    stop_clock();
  }
  show_work(9.0 * TSTEPS * N * N, 2 * sizeof *A);
  show_doubles("A", A, sizeof *A);
  free(A);
  return 0;
}
