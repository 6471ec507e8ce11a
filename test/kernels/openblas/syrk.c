// syrk by OpenBLAS
#include <cblas.h>

#define main written_main
#include "../syrk.c"
#undef main

static void openblas_syrk(int n, int m, double alpha, double beta, double C[N][N], double A[N][M]) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, A[0], m, beta, C[0], n);
}

int main(void) {
  double(*C)[N][N] = allocate(sizeof *C);
  double(*A)[N][M] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*C, *A);
    start_clock();
    openblas_syrk(N, M, 1.5, 1.2, *C, *A);
    stop_clock();
  }
  show_work(1.0 * M * N * N, sizeof *A + sizeof *C);
  show_doubles("C", C, sizeof *C);
  free(C);
  free(A);
  return 0;
}
