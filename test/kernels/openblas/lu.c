// lu by OpenBLAS calls: LAPACK's blocked algorithm without its pivoting
#include <cblas.h>

#define BLOCK 64

static void openblas_lu(int n, void *matrix) {
  double(*A)[n] = matrix;
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

#define RUN(kernel) openblas_lu
#include "../lu.c"
