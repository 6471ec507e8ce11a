// C = beta C + alpha A B
// poly: optimizes kernel_gemm
// poly: one scop kernel_gemm
#include "harness.h"

#define NI BY_SIZE(20, 60, 200, 1000, 2000)
#define NJ BY_SIZE(25, 70, 220, 1100, 2300)
#define NK BY_SIZE(30, 80, 240, 1200, 2600)

KERNEL kernel_gemm(int ni, int nj, int nk, double alpha, double beta, double C[DIM(NI, ni)][DIM(NJ, nj)],
                   double A[DIM(NI, ni)][DIM(NK, nk)], double B[DIM(NK, nk)][DIM(NJ, nj)]) {
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++)
      C[i][j] *= beta;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

static void fill(double C[NI][NJ], double A[NI][NK], double B[NK][NJ]) {
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NJ; j++)
      C[i][j] = (double)((i * j + 1) % NI) / NI;
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NK; j++)
      A[i][j] = (double)(i * (j + 1) % NK) / NK;
  for (int i = 0; i < NK; i++)
    for (int j = 0; j < NJ; j++)
      B[i][j] = (double)(i * (j + 2) % NJ) / NJ;
}

int main(void) {
  double(*C)[NI][NJ] = allocate(sizeof *C);
  double(*A)[NI][NK] = allocate(sizeof *A);
  double(*B)[NK][NJ] = allocate(sizeof *B);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A, *B);
    start_clock();
    RUN(kernel_gemm)(NI, NJ, NK, 1.5, 1.2, *C, *A, *B);
    stop_clock();
  }
  show_work(2.0 * NI * NJ * NK, sizeof *A + sizeof *B + 2 * sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  free(B);
  return 0;
}
