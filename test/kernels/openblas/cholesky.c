// cholesky by OpenBLAS's part of LAPACK
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

#define main written_main
#include "../cholesky.c"
#undef main

// LAPACK's columns are our rows, so that our lower triangle is its upper one.
static void openblas_cholesky(int n, double A[N][N]) {
  int info;
  dpotrf_("U", &n, A[0], &n, &info);
  if (info != 0)
    exit(3);
}

int main(void) {
  double(*A)[N][N] = allocate(sizeof *A);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A);
    start_clock();
    openblas_cholesky(N, *A);
    stop_clock();
  }
  show_work(1.0 / 3.0 * N * N * N, sizeof *A);
  show_doubles("A", A, sizeof *A);
  free(A);
  return 0;
}
