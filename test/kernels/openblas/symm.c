// symm by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../symm.c"
#undef main

static void openblas_symm(int m, int n, double alpha, double beta, double C[M][N], double A[M][M], double B[M][N]) {
  cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, m, n, alpha, A[0], m, B[0], n, beta, C[0], n);
}

int main(void) {
  double(*C)[M][N] = allocate(sizeof *C);
  double(*A)[M][M] = allocate(sizeof *A);
  double(*B)[M][N] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A, *B);
    start_clock();
    openblas_symm(M, N, 1.5, 1.2, *C, *A, *B);
    stop_clock();
  }
  show_work(2.0 * M * M * N, sizeof *A / 2 + sizeof *B + 2 * sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  free(B);
  return 0;
}
