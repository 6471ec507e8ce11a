// A += u1 v1^T + u2 v2^T; x = beta A^T y + z; w = alpha A x
// poly: optimizes kernel_gemver
// poly: one scop kernel_gemver
#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_gemver(int n, double alpha, double beta, double A[DIM(N, n)][DIM(N, n)], double u1[DIM(N, n)],
                     double v1[DIM(N, n)], double u2[DIM(N, n)], double v2[DIM(N, n)], double w[DIM(N, n)],
                     double x[DIM(N, n)], double y[DIM(N, n)], double z[DIM(N, n)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
}

static void fill(double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N], double w[N], double x[N], double y[N],
                 double z[N]) {
  double n = N;
  for (int i = 0; i < N; i++) {
    u1[i] = i;
    u2[i] = (i + 1) / n / 2.0;
    v1[i] = (i + 1) / n / 4.0;
    v2[i] = (i + 1) / n / 6.0;
    y[i] = (i + 1) / n / 8.0;
    z[i] = (i + 1) / n / 9.0;
    x[i] = 0.0;
    w[i] = 0.0;
    for (int j = 0; j < N; j++)
      A[i][j] = (double)(i * j % N) / N;
  }
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  double(*u1)[N] = allocate(sizeof *u1);
  double(*v1)[N] = allocate(sizeof *v1);
  double(*u2)[N] = allocate(sizeof *u2);
  double(*v2)[N] = allocate(sizeof *v2);
  double(*w)[N] = allocate(sizeof *w);
  double(*x)[N] = allocate(sizeof *x);
  double(*y)[N] = allocate(sizeof *y);
  double(*z)[N] = allocate(sizeof *z);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *u1, *v1, *u2, *v2, *w, *x, *y, *z);
    start_clock();
    kernel_gemver(N, 1.5, 1.2, *A, *u1, *v1, *u2, *v2, *w, *x, *y, *z);
    stop_clock();
  }
  show_work(8.0 * N * N, 2 * sizeof *A);
  show_doubles("w", w, sizeof *w);
  show_doubles("x", x, sizeof *x);
  show_doubles("A", A, sizeof *A);
  free(A);
  free(u1);
  free(v1);
  free(u2);
  free(v2);
  free(w);
  free(x);
  free(y);
  free(z);
  return 0;
}
