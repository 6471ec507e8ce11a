// The lower triangle of C = beta C + alpha A A^T
// poly: optimizes kernel_syrk
// poly: one scop kernel_syrk
#include "harness.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_syrk(int n, int m, double alpha, double beta, double C[DIM(N, n)][DIM(N, n)],
                   double A[DIM(N, n)][DIM(M, m)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}

static void fill(double C[N][N], double A[N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] = (double)((i * j + 1) % N) / N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      C[i][j] = (double)((i * j + 2) % M) / M;
}

int main(void) {
  double(*C)[N][N] = allocate(sizeof *C);
  double(*A)[N][M] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A);
    start_clock();
    RUN(kernel_syrk)(N, M, 1.5, 1.2, *C, *A);
    stop_clock();
  }
  show_work(1.0 * M * N * N, sizeof *A + sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  return 0;
}
