// A = L U in place without pivoting, then A x = b by forward and backward substitution
// poly: one scop kernel_ludcmp
#include "harness.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

KERNEL kernel_ludcmp(int n, double A[DIM(N, n)][DIM(N, n)], double b[DIM(N, n)], double x[DIM(N, n)],
                     double y[DIM(N, n)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      double w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}

// As in lu: A = L L^T for L with ones on its diagonal and 1 - j/n below it.
static void fill(double A[N][N], double b[N], double x[N], double y[N]) {
  double *below = malloc(N * sizeof(double));
  double *squares = malloc(N * sizeof(double));
  double sum = 0;
  for (int j = 0; j < N; j++) {
    below[j] = (double)(-j % N) / N + 1;
    squares[j] = sum;
    sum += below[j] * below[j];
    x[j] = 0.0;
    y[j] = 0.0;
    b[j] = (j + 1) / (double)N / 2.0 + 4;
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
  double(*b)[N] = allocate(sizeof *b);
  double(*x)[N] = allocate(sizeof *x);
  double(*y)[N] = allocate(sizeof *y);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *b, *x, *y);
    start_clock();
    kernel_ludcmp(N, *A, *b, *x, *y);
    stop_clock();
  }
  show_work(2.0 / 3.0 * N * N * N, 2 * sizeof *A);
  show_doubles("x", x, sizeof *x);
  show_doubles("A", A, sizeof *A);
  free(A);
  free(b);
  free(x);
  free(y);
  return 0;
}
