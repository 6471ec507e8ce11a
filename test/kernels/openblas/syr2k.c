// syr2k by OpenBLAS
#include <cblas.h>

static void openblas_syr2k(int n, int m, double alpha, double beta, void *C, void *A, void *B) {
  cblas_dsyr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, A, m, B, m, beta, C, n);
}

#define RUN(kernel) openblas_syr2k
#include "../syr2k.c"
