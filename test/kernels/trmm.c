// B = alpha A^T B with A unit lower triangular, in place
// poly: optimizes kernel_trmm
// poly: one scop kernel_trmm
#include "harness.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_trmm(int m, int n, double alpha, double A[DIM(M, m)][DIM(M, m)], double B[DIM(M, m)][DIM(N, n)]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < m; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}

static void fill(double A[M][M], double B[M][N]) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < M; j++)
      A[i][j] = 0.0;
    for (int j = 0; j < i; j++)
      A[i][j] = (double)((i + j) % M) / M;
    A[i][i] = 1.0;
    for (int j = 0; j < N; j++)
      B[i][j] = (double)((N + (i - j)) % N) / N;
  }
}

int main(void) {
  double(*A)[M][M] = allocate(sizeof *A);
  double(*B)[M][N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B);
    start_clock();
    RUN(kernel_trmm)(M, N, 1.5, *A, *B);
    stop_clock();
  }
  show_work(1.0 * M * M * N, sizeof *A / 2 + 2 * sizeof *B);
  show_doubles("B", B, sizeof *B);
  free(A);
  free(B);
  return 0;
}
