// cholesky by OpenBLAS's part of LAPACK
#include <stdlib.h>

extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

// LAPACK's columns are our rows, so that our lower triangle is its upper one.
static void openblas_cholesky(int n, void *A) {
  int info;
  dpotrf_("U", &n, A, &n, &info);
  if (info != 0)
    exit(3);
}

#define RUN(kernel) openblas_cholesky
#include "../cholesky.c"
