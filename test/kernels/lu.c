// A = L U in place, without pivoting
// poly: optimizes kernel_lu
// poly: one scop kernel_lu
#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_lu(int n, double A[DIM(N, n)][DIM(N, n)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

// A = L L^T for L with ones on its diagonal and 1 - j/n below it, which makes A positive definite. The columns of L
// are constant below the diagonal, so that each sum of products is a prefix sum.
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
    RUN(kernel_lu)(N, *A);
    stop_clock();
  }
  show_work(2.0 / 3.0 * N * N * N, 2 * sizeof *A);
  show_doubles("A", A, sizeof *A);
  free(A);
  return 0;
}
