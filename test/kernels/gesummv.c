// y = alpha A x + beta B x
// poly: optimizes kernel_gesummv
// poly: one scop kernel_gesummv
#include "harness.h"

#define N BY_SIZE(30, 90, 250, 1300, 2800)

KERNEL kernel_gesummv(int n, double alpha, double beta, double A[DIM(N, n)][DIM(N, n)], double B[DIM(N, n)][DIM(N, n)],
                      double tmp[DIM(N, n)], double x[DIM(N, n)], double y[DIM(N, n)]) {
  for (int i = 0; i < n; i++) {
    tmp[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < n; j++) {
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

static void fill(double A[N][N], double B[N][N], double x[N]) {
  for (int i = 0; i < N; i++) {
    x[i] = (double)(i % N) / N;
    for (int j = 0; j < N; j++) {
      A[i][j] = (double)((i * j + 1) % N) / N;
      B[i][j] = (double)((i * j + 2) % N) / N;
    }
  }
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  double(*B)[N][N] = allocate(sizeof *B);
  double(*tmp)[N] = allocate(sizeof *tmp);
  double(*x)[N] = allocate(sizeof *x);
  double(*y)[N] = allocate(sizeof *y);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B, *x);
    start_clock();
    kernel_gesummv(N, 1.5, 1.2, *A, *B, *tmp, *x, *y);
    stop_clock();
  }
  show_work(4.0 * N * N, sizeof *A + sizeof *B);
  show_doubles("y", y, sizeof *y);
  free(A);
  free(B);
  free(tmp);
  free(x);
  free(y);
  return 0;
}
