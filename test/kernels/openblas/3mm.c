// 3mm by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../3mm.c"
#undef main

static void openblas_3mm(int ni, int nj, int nk, int nl, int nm, double E[NI][NJ], double A[NI][NK], double B[NK][NJ], double F[NJ][NL],
                        double C[NJ][NM], double D[NM][NL], double G[NI][NL]) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, 1, A[0], nk, B[0], nj, 0, E[0], nj);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nj, nl, nm, 1, C[0], nm, D[0], nl, 0, F[0], nl);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nl, nj, 1, E[0], nj, F[0], nl, 0, G[0], nl);
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
    openblas_3mm(NI, NJ, NK, NL, NM, *E, *A, *B, *F, *C, *D, *G);
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
