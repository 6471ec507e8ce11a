/* Loops of PolyBench with the inputs and outputs of systems in examples/equations. */
#include <stdint.h>
#include <stdlib.h>

static inline int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }

/* As many sizes as the system has: strides that are known to be equal are less work. */
int gemm_c(int64_t n, int64_t m, int64_t l, const double *restrict A_, const double *restrict B_, double *restrict C_) {
  const double (*A)[l] = (const double (*)[l])A_, (*B)[m] = (const double (*)[m])B_;
  double (*C)[m] = (double (*)[m])C_;
  for (int64_t i = 0; i < n; i++) for (int64_t j = 0; j < m; j++) {
    C[i][j] = 0;
    for (int64_t k = 0; k < l; k++) C[i][j] += A[i][k] * B[k][j];
  }
  return 0;
}

int lu_c(int n, const double *restrict A_, double *restrict L_, double *restrict U_) {
  const double (*A)[n] = (const double (*)[n])A_;
  double (*L)[n] = (double (*)[n])L_, (*U)[n] = (double (*)[n])U_;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      L[i][j] = A[i][j];
      for (int k = 0; k < j; k++) L[i][j] -= L[i][k] * U[k][j];
      L[i][j] /= U[j][j];
    }
    L[i][i] = 1;
    for (int j = i; j < n; j++) {
      U[i][j] = A[i][j];
      for (int k = 0; k < i; k++) U[i][j] -= L[i][k] * U[k][j];
    }
  }
  return 0;
}

int lu_packed_c(int n, const double *restrict A_, double *restrict LU_) {
  const double (*A0)[n] = (const double (*)[n])A_;
  double (*A)[n] = (double (*)[n])LU_;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A0[i][j];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
  }
  return 0;
}

int jacobi2d_c(int t, int n, const double *restrict A0_, double *restrict A_) {
  double *restrict B_ = malloc(sizeof(double) * n * n);
  if (!B_) return 1;
  const double (*A0)[n] = (const double (*)[n])A0_;
  double (*A)[n] = (double (*)[n])A_, (*B)[n] = (double (*)[n])B_;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { A[i][j] = A0[i][j]; B[i][j] = A0[i][j]; }
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
      B[i][j] = 0.2 * (A[i][j] + A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
      A[i][j] = 0.2 * (B[i][j] + B[i-1][j] + B[i+1][j] + B[i][j-1] + B[i][j+1]);
  }
  free(B_);
  return 0;
}

/* The table is the function's own, as only the number of pairs is an output. */
int nussinov_c(int n, const uint8_t s[restrict n], int64_t *restrict pairs) {
  int64_t *restrict P_ = calloc((size_t)n * n, sizeof(int64_t));
  if (!P_) return 1;
  int64_t (*P)[n] = (int64_t (*)[n])P_;
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0) P[i][j] = max64(P[i][j], P[i][j-1]);
      if (i + 1 < n) P[i][j] = max64(P[i][j], P[i+1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        if (i < j - 1) P[i][j] = max64(P[i][j], P[i+1][j-1] + (s[i] + s[j] == 3 ? 1 : 0));
        else P[i][j] = max64(P[i][j], P[i+1][j-1]);
      }
      for (int k = i + 1; k < j; k++) P[i][j] = max64(P[i][j], P[i][k] + P[k+1][j]);
    }
  *pairs = P[0][n - 1];
  free(P_);
  return 0;
}
