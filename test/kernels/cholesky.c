// A = L L^T in the lower triangle, in place
// poly: one scop kernel_cholesky
#include <math.h>

#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_cholesky(int n, double A[DIM(N, n)][DIM(N, n)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}

// As in lu: A = L L^T for L with ones on its diagonal and 1 - j/n below it.
static void fill(double A[N][N]) {
  double *below = malloc(N * sizeof(double));
  double *squares = malloc(N * sizeof(double));
  double sum = 0;
  for (int j = 0; j < N; j++) {
    below[j] = (double)(-j % N) / N + 1;
    squares[j] = sum;
    sum += below[j] * below[j];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int least = i < j ? i : j;
      A[i][j] = squares[least] + (i == j ? 1 : below[least]);
    }
  free(below);
  free(squares);
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A);
    start_clock();
    RUN(kernel_cholesky)(N, *A);
    stop_clock();
  }
  show_work(1.0 / 3.0 * N * N * N, sizeof *A);
  show_doubles("A", A, sizeof *A);
  free(A);
  return 0;
}
