// L x = b by forward substitution, with L lower triangular
// poly: one scop kernel_trisolv
#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_trisolv(int n, double L[DIM(N, n)][DIM(N, n)], double x[DIM(N, n)], double b[DIM(N, n)]) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}

static void fill(double L[N][N], double x[N], double b[N]) {
  for (int i = 0; i < N; i++) {
    x[i] = -999;
    b[i] = i;
    for (int j = 0; j <= i; j++)
      L[i][j] = (double)(i + N - j + 1) * 2 / N;
  }
}

int main(void) {
  double(*L)[N][N] = allocate(sizeof *L);
  double(*x)[N] = allocate(sizeof *x);
  double(*b)[N] = allocate(sizeof *b);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*L, *x, *b);
    start_clock();
    kernel_trisolv(N, *L, *x, *b);
    stop_clock();
  }
  show_work(1.0 * N * N, sizeof *L / 2);
  show_doubles("x", x, sizeof *x);
  free(L);
  free(x);
  free(b);
  return 0;
}
