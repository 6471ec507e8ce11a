// G = (A B) (C D)
// poly: optimizes kernel_3mm
// poly: one scop kernel_3mm
#include "harness.h"

#define NI BY_SIZE(16, 40, 180, 800, 1600)
#define NJ BY_SIZE(18, 50, 190, 900, 1800)
#define NK BY_SIZE(20, 60, 200, 1000, 2000)
#define NL BY_SIZE(22, 70, 210, 1100, 2200)
#define NM BY_SIZE(24, 80, 220, 1200, 2400)

KERNEL kernel_3mm(int ni, int nj, int nk, int nl, int nm, double E[DIM(NI, ni)][DIM(NJ, nj)],
                  double A[DIM(NI, ni)][DIM(NK, nk)], double B[DIM(NK, nk)][DIM(NJ, nj)],
                  double F[DIM(NJ, nj)][DIM(NL, nl)], double C[DIM(NJ, nj)][DIM(NM, nm)],
                  double D[DIM(NM, nm)][DIM(NL, nl)], double G[DIM(NI, ni)][DIM(NL, nl)]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      E[i][j] = 0.0;
      for (int k = 0; k < nk; k++)
        E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < nj; i++)
    for (int j = 0; j < nl; j++) {
      F[i][j] = 0.0;
      for (int k = 0; k < nm; k++)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      G[i][j] = 0.0;
      for (int k = 0; k < nj; k++)
        G[i][j] += E[i][k] * F[k][j];
    }
}

static void fill(double A[NI][NK], double B[NK][NJ], double C[NJ][NM], double D[NM][NL]) {
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NK; j++)
      A[i][j] = (double)((i * j + 1) % NI) / (5 * NI);
  for (int i = 0; i < NK; i++)
    for (int j = 0; j < NJ; j++)
      B[i][j] = (double)((i * (j + 1) + 2) % NJ) / (5 * NJ);
  for (int i = 0; i < NJ; i++)
    for (int j = 0; j < NM; j++)
      C[i][j] = (double)(i * (j + 3) % NL) / (5 * NL);
  for (int i = 0; i < NM; i++)
    for (int j = 0; j < NL; j++)
      D[i][j] = (double)((i * (j + 2) + 2) % NK) / (5 * NK);
}

int main(void) {
  double(*E)[NI][NJ] = allocate(sizeof *E);
  double(*A)[NI][NK] = allocate(sizeof *A);
  double(*B)[NK][NJ] = allocate(sizeof *B);
  double(*F)[NJ][NL] = allocate(sizeof *F);
  double(*C)[NJ][NM] = allocate(sizeof *C);
  double(*D)[NM][NL] = allocate(sizeof *D);
  double(*G)[NI][NL] = allocate(sizeof *G);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *B, *C, *D);
    start_clock();
    RUN(kernel_3mm)(NI, NJ, NK, NL, NM, *E, *A, *B, *F, *C, *D, *G);
    stop_clock();
  }
  show_work(2.0 * NI * NJ * NK + 2.0 * NJ * NL * NM + 2.0 * NI * NL * NJ, sizeof *A + sizeof *B + sizeof *C + sizeof *D + sizeof *G);
  show_doubles("E", E, sizeof *E);
  show_doubles("F", F, sizeof *F);
  show_doubles("G", G, sizeof *G);
  free(E);
  free(A);
  free(B);
  free(F);
  free(C);
  free(D);
  free(G);
  return 0;
}
