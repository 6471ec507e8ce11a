// 2mm by OpenBLAS
#include <cblas.h>

static void openblas_2mm(int ni, int nj, int nk, int nl, double alpha, double beta, void *tmp, void *A, void *B, void *C, void *D) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, alpha, A, nk, B, nj, 0, tmp, nj);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nl, nj, 1, tmp, nj, C, nl, beta, D, nl);
}

#define RUN(kernel) openblas_2mm
#include "../2mm.c"
