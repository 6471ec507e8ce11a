// symm by OpenBLAS
#include <cblas.h>

static void openblas_symm(int m, int n, double alpha, double beta, void *C, void *A, void *B) {
  cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, m, n, alpha, A, m, B, n, beta, C, n);
}

#define RUN(kernel) openblas_symm
#include "../symm.c"
