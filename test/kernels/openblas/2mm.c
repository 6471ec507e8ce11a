// 2mm by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../2mm.c"
#undef main

static void openblas_2mm(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[NI][NJ], double A[NI][NK], double B[NK][NJ],
                        double C[NJ][NL], double D[NI][NL]) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, alpha, A[0], nk, B[0], nj, 0, tmp[0], nj);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nl, nj, 1, tmp[0], nj, C[0], nl, beta, D[0], nl);
}

int main(void) {
  double(*tmp)[NI][NJ] = allocate(sizeof *tmp);
  double(*A)[NI][NK] = allocate(sizeof *A);
  double(*B)[NK][NJ] = allocate(sizeof *B);
  double(*C)[NJ][NL] = allocate(sizeof *C);
  double(*D)[NI][NL] = allocate(sizeof *D);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B, *C, *D);
    start_clock();
    openblas_2mm(NI, NJ, NK, NL, 1.5, 1.2, *tmp, *A, *B, *C, *D);
    stop_clock();
  }
  show_work(2.0 * NI * NJ * NK + 2.0 * NI * NL * NJ, sizeof *A + sizeof *B + sizeof *C + 2 * sizeof *D);
  show_doubles("tmp", tmp, sizeof *tmp);
  show_doubles("D", D, sizeof *D);
  free(tmp);
  free(A);
  free(B);
  free(C);
  free(D);
  return 0;
}
