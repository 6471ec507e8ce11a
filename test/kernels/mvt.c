// x1 += A y1, x2 += A^T y2
// poly: optimizes kernel_mvt
// poly: one scop kernel_mvt
#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_mvt(int n, double x1[DIM(N, n)], double x2[DIM(N, n)], double y1[DIM(N, n)], double y2[DIM(N, n)],
                  double A[DIM(N, n)][DIM(N, n)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x1[i] = x1[i] + A[i][j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x2[i] = x2[i] + A[j][i] * y2[j];
}

static void fill(double x1[N], double x2[N], double y1[N], double y2[N], double A[N][N]) {
  for (int i = 0; i < N; i++) {
    x1[i] = (double)(i % N) / N;
    x2[i] = (double)((i + 1) % N) / N;
    y1[i] = (double)((i + 3) % N) / N;
    y2[i] = (double)((i + 4) % N) / N;
    for (int j = 0; j < N; j++)
      A[i][j] = (double)(i * j % N) / N;
  }
}

int main(void) {
  double(*x1)[N] = allocate(sizeof *x1);
  double(*x2)[N] = allocate(sizeof *x2);
  double(*y1)[N] = allocate(sizeof *y1);
  double(*y2)[N] = allocate(sizeof *y2);
  double(*A)[N][N] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*x1, *x2, *y1, *y2, *A);
    start_clock();
    kernel_mvt(N, *x1, *x2, *y1, *y2, *A);
    stop_clock();
  }
  show_work(4.0 * N * N, sizeof *A);
  show_doubles("x1", x1, sizeof *x1);
  show_doubles("x2", x2, sizeof *x2);
  free(x1);
  free(x2);
  free(y1);
  free(y2);
  free(A);
  return 0;
}
