// lu by OpenBLAS calls: LAPACK's blocked algorithm without its pivoting
#include <cblas.h>

#define main written_main
#include "../lu.c"
#undef main

#define BLOCK 64

static void openblas_lu(int n, double A[N][N]) {
  for (int s = 0; s < n; s += BLOCK) {
    int e = s + BLOCK < n ? s + BLOCK : n;
    for (int k = s; k < e; k++)
      for (int i = k + 1; i < n; i++) {
        A[i][k] /= A[k][k];
        for (int j = k + 1; j < e; j++)
          A[i][j] -= A[i][k] * A[k][j];
      }
    if (e == n)
      break;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, e - s, n - e, 1, &A[s][s], n, &A[s][e], n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n - e, n - e, e - s, -1, &A[e][s], n, &A[s][e], n, 1, &A[e][e], n);
  }
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A);
    start_clock();
    openblas_lu(N, *A);
    stop_clock();
  }
  show_work(2.0 / 3.0 * N * N * N, 2 * sizeof *A);
  show_doubles("A", A, sizeof *A);
  free(A);
  return 0;
}
