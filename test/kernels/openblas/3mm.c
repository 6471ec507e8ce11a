// 3mm by OpenBLAS
#include <cblas.h>

static void openblas_3mm(int ni, int nj, int nk, int nl, int nm, void *E, void *A, void *B, void *F, void *C, void *D, void *G) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, 1, A, nk, B, nj, 0, E, nj);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nj, nl, nm, 1, C, nm, D, nl, 0, F, nl);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nl, nj, 1, E, nj, F, nl, 0, G, nl);
}

#define RUN(kernel) openblas_3mm
#include "../3mm.c"
