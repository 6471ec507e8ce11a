// syrk by OpenBLAS
#include <cblas.h>

static void openblas_syrk(int n, int m, double alpha, double beta, void *C, void *A) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, A, m, beta, C, n);
}

#define RUN(kernel) openblas_syrk
#include "../syrk.c"
