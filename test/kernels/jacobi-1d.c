// Three-point stencil on a line, two arrays in turn
// poly: optimizes kernel_jacobi_1d
// poly: one scop kernel_jacobi_1d
#include "harness.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(30, 120, 400, 2000, 4000)

KERNEL kernel_jacobi_1d(int tsteps, int n, double A[DIM(N, n)], double B[DIM(N, n)]) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

static void fill(double A[N], double B[N]) {
  for (int i = 0; i < N; i++) {
    A[i] = ((double)i + 2) / N;
    B[i] = ((double)i + 3) / N;
  }
}

int main(void) {
  double(*A)[N] = allocate(sizeof *A);
  double(*B)[N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B);
    start_clock();
    kernel_jacobi_1d(TSTEPS, N, *A, *B);
    stop_clock();
  }
  show_work(6.0 * TSTEPS * N, 2 * sizeof *A + sizeof *B);
  show_doubles("A", A, sizeof *A);
  free(A);
  free(B);
  return 0;
}
