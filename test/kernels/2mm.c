// D = alpha A B C + beta D
// poly: optimizes kernel_2mm
// poly: one scop kernel_2mm
#include "harness.h"

#define NI BY_SIZE(16, 40, 180, 800, 1600)
#define NJ BY_SIZE(18, 50, 190, 900, 1800)
#define NK BY_SIZE(22, 70, 210, 1100, 2200)
#define NL BY_SIZE(24, 80, 220, 1200, 2400)

KERNEL kernel_2mm(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[DIM(NI, ni)][DIM(NJ, nj)],
                  double A[DIM(NI, ni)][DIM(NK, nk)], double B[DIM(NK, nk)][DIM(NJ, nj)],
                  double C[DIM(NJ, nj)][DIM(NL, nl)], double D[DIM(NI, ni)][DIM(NL, nl)]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      tmp[i][j] = 0.0;
      for (int k = 0; k < nk; k++)
        tmp[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      D[i][j] *= beta;
      for (int k = 0; k < nj; k++)
        D[i][j] += tmp[i][k] * C[k][j];
    }
}

static void fill(double A[NI][NK], double B[NK][NJ], double C[NJ][NL], double D[NI][NL]) {
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NK; j++)
      A[i][j] = (double)((i * j + 1) % NI) / NI;
  for (int i = 0; i < NK; i++)
    for (int j = 0; j < NJ; j++)
      B[i][j] = (double)(i * (j + 1) % NJ) / NJ;
  for (int i = 0; i < NJ; i++)
    for (int j = 0; j < NL; j++)
      C[i][j] = (double)((i * (j + 3) + 1) % NL) / NL;
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NL; j++)
      D[i][j] = (double)(i * (j + 2) % NK) / NK;
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
    RUN(kernel_2mm)(NI, NJ, NK, NL, 1.5, 1.2, *tmp, *A, *B, *C, *D);
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
