// The lower triangle of C = beta C + alpha (A B^T + B A^T)
// poly: optimizes kernel_syr2k
// poly: one scop kernel_syr2k
#include "harness.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_syr2k(int n, int m, double alpha, double beta, double C[DIM(N, n)][DIM(N, n)],
                    double A[DIM(N, n)][DIM(M, m)], double B[DIM(N, n)][DIM(M, m)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}

static void fill(double C[N][N], double A[N][M], double B[N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      A[i][j] = (double)((i * j + 1) % N) / N;
      B[i][j] = (double)((i * j + 2) % M) / M;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      C[i][j] = (double)((i * j + 3) % N) / M;
}

int main(void) {
  double(*C)[N][N] = allocate(sizeof *C);
  double(*A)[N][M] = allocate(sizeof *A);
  double(*B)[N][M] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A, *B);
    start_clock();
    RUN(kernel_syr2k)(N, M, 1.5, 1.2, *C, *A, *B);
    stop_clock();
  }
  show_work(2.0 * M * N * N, sizeof *A + sizeof *B + sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  free(B);
  return 0;
}
