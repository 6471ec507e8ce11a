// gemm by OpenBLAS
#include <cblas.h>

static void openblas_gemm(int ni, int nj, int nk, double alpha, double beta, void *C, void *A, void *B) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, alpha, A, nk, B, nj, beta, C, nj);
}

#define RUN(kernel) openblas_gemm
#include "../gemm.c"
