// Each vector A[r][q] is multiplied by the matrix C4
// poly: optimizes kernel_doitgen
// poly: one scop kernel_doitgen
#include "harness.h"

#define NQ BY_SIZE(8, 20, 40, 140, 220)
#define NR BY_SIZE(10, 25, 50, 150, 250)
#define NP BY_SIZE(12, 30, 60, 160, 270)

KERNEL kernel_doitgen(int nr, int nq, int np, double A[DIM(NR, nr)][DIM(NQ, nq)][DIM(NP, np)],
                      double C4[DIM(NP, np)][DIM(NP, np)], double sum[DIM(NP, np)]) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < np; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < np; p++)
        A[r][q][p] = sum[p];
    }
}

static void fill(double A[NR][NQ][NP], double C4[NP][NP]) {
  for (int i = 0; i < NR; i++)
    for (int j = 0; j < NQ; j++)
      for (int k = 0; k < NP; k++)
        A[i][j][k] = (double)((i * j + k) % NP) / NP;
  for (int i = 0; i < NP; i++)
    for (int j = 0; j < NP; j++)
      C4[i][j] = (double)(i * j % NP) / NP;
}

int main(void) {
  double(*A)[NR][NQ][NP] = allocate(sizeof *A);
  double(*C4)[NP][NP] = allocate(sizeof *C4);
  double(*sum)[NP] = allocate(sizeof *sum);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *C4);
    start_clock();
    kernel_doitgen(NR, NQ, NP, *A, *C4, *sum);
    stop_clock();
  }
  show_work(2.0 * NR * NQ * NP * NP, 2 * sizeof *A + sizeof *C4);
  show_doubles("A", A, sizeof *A);
  free(A);
  free(C4);
  free(sum);
  return 0;
}
