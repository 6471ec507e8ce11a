// Durbin's recursion: y solves the Yule-Walker equations with the symmetric Toeplitz matrix of r
// poly: one scop kernel_durbin
#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_durbin(int n, double r[DIM(N, n)], double y[DIM(N, n)]) {
  double z[DIM(N, n)];
  double beta = 1.0;
  double alpha = -r[0];
  y[0] = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    double sum = 0.0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}

static void fill(double r[N]) {
  for (int i = 0; i < N; i++)
    r[i] = N + 1 - i;
}

int main(void) {
  double(*r)[N] = allocate(sizeof *r);
  double(*y)[N] = allocate(sizeof *y);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*r);
    start_clock();
    kernel_durbin(N, *r, *y);
    stop_clock();
  }
  show_work(2.0 * N * N, sizeof *r + sizeof *y);
  show_doubles("y", y, sizeof *y);
  free(r);
  free(y);
  return 0;
}
