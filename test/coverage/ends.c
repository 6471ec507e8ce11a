// Item 5: branches that never return or that are rare.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

// shape: assertion about counters
void asserted(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      assert(i < m && j < m);
      A[i][j] += B[j][i];
    }
}

__attribute__((noreturn)) void out_of_range(long index, long length);

static inline double *at(double *data, long length, long index) {
  if ((unsigned long)index >= (unsigned long)length)
    out_of_range(index, length);
  return data + index;
}

// shape: bounds checks that call a function which does not return
void checked(long n, double *restrict a, long la, double *restrict b, long lb) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      *at(a, la, i) += *at(b, lb, j);
}

// shape: bounds checks, product of matrices
void checked_product(long n, double *restrict c, long lc, double *restrict a, long la, double *restrict b, long lb) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        *at(c, lc, i * n + j) += *at(a, la, i * n + k) * *at(b, lb, k * n + j);
}

// shape: trap
void trapping(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (j >= m)
        __builtin_trap();
      A[i][j] += B[j][i];
    }
}

// shape: report of an error, then exit
void reported(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > m) {
        fprintf(stderr, "out of range: %d\n", i + j);
        exit(1);
      }
      A[i][j] += B[j][i];
    }
}

// shape: rare logging by an affine condition, the loop goes on
void logged(int n, int verbose, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    if (verbose)
      printf("row %d\n", i);
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
}

// shape: rare logging of one iteration
void traced(int n, int row, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    if (i == row)
      printf("row %d\n", i);
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
}

// shape: report of an error, then return
int returned(int n, int limit, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > limit) {
        printf("error at %d, %d\n", i, j);
        return -1;
      }
      A[i][j] += B[j][i];
    }
  return 0;
}

// shape: error report about data, the loop goes on
void reported_data(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (B[j][i] != B[j][i])
        printf("not a number at %d %d\n", i, j);
      A[i][j] += B[j][i];
    }
}

// shape: checked addition (overflow ends the program)
void overflow_checked(int n, int k, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int index;
      if (__builtin_sadd_overflow(j, k, &index))
        abort();
      A[i][index] += B[j][i];
    }
}

// shape: assertion about data
void asserted_data(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (B[j][i] != B[j][i])
        abort();
      A[i][j] += B[j][i];
    }
}

// shape: bounds checks of a subscript that is loaded
void gathered(int n, int m, unsigned size, const unsigned *index, double C[restrict 500][500], double A[restrict 500][500], const double *v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (index[j] >= size)
        abort();
      C[j][i] += A[j][i] * v[index[j]];
    }
}

// shape: bounds check by a counter, in a branch by data
void checked_if_positive(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[j][i] > 0) {
        if (j >= m)
          abort();
        A[i][j] += B[j][i];
      }
}

// shape: bounds check of a loaded index, in a branch by data
void gathered_if_positive(int n, int m, double A[restrict 500][500], double B[restrict 500][500], const int *restrict index) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[j][i] > 0) {
        if ((unsigned)index[j] >= (unsigned)m)
          abort();
        A[i][index[j]] += B[j][i];
      }
}

// shape: error report in one of two branches by data
void reported_if_negative(int n, int level, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[j][i] < 0) {
        if (level > 3)
          fprintf(stderr, "negative: %d, %d\n", i, j);
        A[i][j] -= B[j][i];
      } else
        A[i][j] += B[j][i];
}
