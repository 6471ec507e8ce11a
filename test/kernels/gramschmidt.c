// A = Q R by the modified Gram-Schmidt process; the columns of A are made orthogonal in place
// poly: optimizes kernel_gramschmidt
// poly: one scop kernel_gramschmidt
#include <math.h>

#include "harness.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_gramschmidt(int m, int n, double A[DIM(M, m)][DIM(N, n)], double R[DIM(N, n)][DIM(N, n)],
                          double Q[DIM(M, m)][DIM(N, n)]) {
  for (int k = 0; k < n; k++) {
    double norm = 0.0;
    for (int i = 0; i < m; i++)
      norm += A[i][k] * A[i][k];
    R[k][k] = sqrt(norm);
    for (int i = 0; i < m; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      R[k][j] = 0.0;
      for (int i = 0; i < m; i++)
        R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < m; i++)
        A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
}

static void fill(double A[M][N], double R[N][N], double Q[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (double)(i * j % M) / M * 100 + 10;
      Q[i][j] = 0.0;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      R[i][j] = 0.0;
}

int main(void) {
  double(*A)[M][N] = allocate(sizeof *A);
  double(*R)[N][N] = allocate(sizeof *R);
  double(*Q)[M][N] = allocate(sizeof *Q);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *R, *Q);
    start_clock();
    kernel_gramschmidt(M, N, *A, *R, *Q);
    stop_clock();
  }
  show_work(2.0 * M * N * N, 2 * sizeof *A + sizeof *R + sizeof *Q);
  show_doubles("R", R, sizeof *R);
  show_doubles("Q", Q, sizeof *Q);
  free(A);
  free(R);
  free(Q);
  return 0;
}
