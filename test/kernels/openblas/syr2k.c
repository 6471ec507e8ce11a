// syr2k by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../syr2k.c"
#undef main

static void openblas_syr2k(int n, int m, double alpha, double beta, double C[N][N], double A[N][M], double B[N][M]) {
  cblas_dsyr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, A[0], m, B[0], m, beta, C[0], n);
}

int main(void) {
  double(*C)[N][N] = allocate(sizeof *C);
  double(*A)[N][M] = allocate(sizeof *A);
  double(*B)[N][M] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A, *B);
    start_clock();
    openblas_syr2k(N, M, 1.5, 1.2, *C, *A, *B);
    stop_clock();
  }
  show_work(2.0 * M * N * N, sizeof *A + sizeof *B + sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  free(B);
  return 0;
}
