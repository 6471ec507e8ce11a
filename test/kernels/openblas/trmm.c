// trmm by OpenBLAS
#include <cblas.h>

static void openblas_trmm(int m, int n, double alpha, void *A, void *B) {
  cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasUnit, m, n, alpha, A, m, B, n);
}

#define RUN(kernel) openblas_trmm
#include "../trmm.c"
