// Item 9: calls.
#include <math.h>

__attribute__((const, nothrow)) double constant_function(double);
__attribute__((pure, nothrow)) double pure_function(const double *);
double unknown_function(double);

// shape: readnone function
void readnone(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += constant_function(B[j][i]);
}

// shape: readonly function
void readonly(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += pure_function(&B[j][i]);
}

// shape: unknown function
void unknown(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += unknown_function(B[j][i]);
}

// shape: square root with errno
void square_root(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += sqrt(B[j][i]);
}

// shape: exponential with errno
void exponential(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += exp(B[j][i]);
}

// shape: logarithm with errno, of several errors
void logarithm(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += log(B[j][i]);
}

// shape: power of a product of matrices, with errno
void power_of_product(int n, double A[restrict 500][500], double B[restrict 500][500], double C[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += B[i][k] * C[k][j];
      A[i][j] = pow(sum, 1.5);
    }
}

// shape: absolute values (no errno)
void absolute(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += fabs(B[j][i]);
}

// shape: fma intrinsic
void multiply_add(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = __builtin_fma(A[i][j], 2.0, B[j][i]);
}

// shape: bit counting intrinsics
void bits(int n, int A[restrict 500][500], int B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += __builtin_popcount(B[j][i]) + __builtin_clz(B[j][i] | 1);
}

static __attribute__((noinline)) double local_function(double x, double y) { return x > y ? x * y : x - y; }

// shape: function of the same file, not inlined
void same_file(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += local_function(A[i][j], B[j][i]);
}

// shape: assumption for the optimizer
void assumed(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      __builtin_assume(j < 500);
      A[i][j] += B[j][i];
    }
}
