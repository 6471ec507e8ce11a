// trmm by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../trmm.c"
#undef main

static void openblas_trmm(int m, int n, double alpha, double A[M][M], double B[M][N]) {
  cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasUnit, m, n, alpha, A[0], m, B[0], n);
}

int main(void) {
  double(*A)[M][M] = allocate(sizeof *A);
  double(*B)[M][N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B);
    start_clock();
    openblas_trmm(M, N, 1.5, *A, *B);
    stop_clock();
  }
  show_work(1.0 * M * M * N, sizeof *A / 2 + 2 * sizeof *B);
  show_doubles("B", B, sizeof *B);
  free(A);
  free(B);
  return 0;
}
