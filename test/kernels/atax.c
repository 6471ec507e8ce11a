// y = A^T (A x)
// poly: optimizes kernel_atax
// poly: one scop kernel_atax
#include "harness.h"

#define M BY_SIZE(38, 116, 390, 1900, 1800)
#define N BY_SIZE(42, 124, 410, 2100, 2200)

KERNEL kernel_atax(int m, int n, double A[DIM(M, m)][DIM(N, n)], double x[DIM(N, n)], double y[DIM(N, n)],
                   double tmp[DIM(M, m)]) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  for (int i = 0; i < m; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < n; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}

static void fill(double A[M][N], double x[N]) {
  for (int i = 0; i < N; i++)
    x[i] = 1 + i / (double)N;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      A[i][j] = (double)((i + j) % N) / (5 * M);
}

int main(void) {
  double(*A)[M][N] = allocate(sizeof *A);
  double(*x)[N] = allocate(sizeof *x);
  double(*y)[N] = allocate(sizeof *y);
  double(*tmp)[M] = allocate(sizeof *tmp);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *x);
    start_clock();
    kernel_atax(M, N, *A, *x, *y, *tmp);
    stop_clock();
  }
  show_work(4.0 * M * N, sizeof *A + sizeof *x + sizeof *y);
  show_doubles("y", y, sizeof *y);
  show_doubles("tmp", tmp, sizeof *tmp);
  free(A);
  free(x);
  free(y);
  free(tmp);
  return 0;
}
