// gemm by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../gemm.c"
#undef main

static void openblas_gemm(int ni, int nj, int nk, double alpha, double beta, double C[NI][NJ], double A[NI][NK], double B[NK][NJ]) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, alpha, A[0], nk, B[0], nj, beta, C[0], nj);
}

int main(void) {
  double(*C)[NI][NJ] = allocate(sizeof *C);
  double(*A)[NI][NK] = allocate(sizeof *A);
  double(*B)[NK][NJ] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A, *B);
    start_clock();
    openblas_gemm(NI, NJ, NK, 1.5, 1.2, *C, *A, *B);
    stop_clock();
  }
  show_work(2.0 * NI * NJ * NK, sizeof *A + sizeof *B + 2 * sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  free(B);
  return 0;
}
