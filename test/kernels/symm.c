// C = alpha A B + beta C with A symmetric, of which the lower triangle is stored
// poly: one scop kernel_symm
#include "harness.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_symm(int m, int n, double alpha, double beta, double C[DIM(M, m)][DIM(N, n)],
                   double A[DIM(M, m)][DIM(M, m)], double B[DIM(M, m)][DIM(N, n)]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        sum += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
    }
}

static void fill(double C[M][N], double A[M][M], double B[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      C[i][j] = (double)((i + j) % 100) / M;
      B[i][j] = (double)((N + i - j) % 100) / M;
    }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      A[i][j] = j <= i ? (double)((i + j) % 100) / M : -999;
}

int main(void) {
  double(*C)[M][N] = allocate(sizeof *C);
  double(*A)[M][M] = allocate(sizeof *A);
  double(*B)[M][N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A, *B);
    start_clock();
    RUN(kernel_symm)(M, N, 1.5, 1.2, *C, *A, *B);
    stop_clock();
  }
  show_work(2.0 * M * M * N, sizeof *A / 2 + sizeof *B + 2 * sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  free(B);
  return 0;
}
