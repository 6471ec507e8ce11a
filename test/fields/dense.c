// Dense linear algebra, as people write it with flat arrays and run-time sizes.
// poly: optimizes matmul gemm_lda gemm_transposed matmul_int matvec matvec_columns lu_decompose lu_pivot
// poly: optimizes cholesky_lower solve_many gram rank_one batched_small batched_32 complex_product matmul_rows
#include "bench.h"

KERNEL void matmul(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
BENCH(matmul, "product, flat, dot products") {
  int n = size(320);
  double *a = doubles((long)n * n, -1, 1), *b = doubles((long)n * n, -1, 1), *c = doubles((long)n * n, 0, 0);
  REPEAT matmul(a, b, c, n);
}

KERNEL void gemm_lda(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c,
              int ldc) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      c[i * ldc + j] *= beta;
    for (int l = 0; l < k; ++l) {
      float part = alpha * a[i * lda + l];
      for (int j = 0; j < n; ++j)
        c[i * ldc + j] += part * b[l * ldb + j];
    }
  }
}
BENCH(gemm_lda, "product, leading dimensions, float") {
  int m = size(384), n = size(352), k = size(416), ld = size(512);
  float *a = floats((long)m * ld, -1, 1), *b = floats((long)k * ld, -1, 1), *c = floats((long)m * ld, -1, 1);
  REPEAT gemm_lda(m, n, k, 1.5f, a, ld, b, ld, 0.5f, c, ld);
}

KERNEL void gemm_transposed(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[k * n + i] * b[j * n + k];
}
BENCH(gemm_transposed, "product, both operands transposed") {
  int n = size(288);
  double *a = doubles((long)n * n, -1, 1), *b = doubles((long)n * n, -1, 1), *c = doubles((long)n * n, 0, 0);
  REPEAT gemm_transposed(n, a, b, c);
}

KERNEL void matmul_int(const int *a, const int *b, int *c, int n, int m, int p) {
  memset(c, 0, sizeof(int) * (size_t)n * (size_t)p);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j < p; j++)
        c[i * p + j] += a[i * m + k] * b[k * p + j];
}
BENCH(matmul_int, "product of integers, memset before") {
  int n = size(300), m = size(310), p = size(320);
  int *a = ints((long)n * m, -99, 99), *b = ints((long)m * p, -99, 99), *c = ints((long)n * p, 1, 1);
  REPEAT matmul_int(a, b, c, n, m, p);
}

KERNEL void matvec(const double *a, const double *x, double *y, int rows, int cols) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0;
    for (int j = 0; j < cols; j++)
      y[i] += a[i * cols + j] * x[j];
  }
}
BENCH(matvec, "matrix times vector, sums in memory") {
  int n = size(1000), m = size(1100);
  double *a = doubles((long)n * m, -1, 1), *x = doubles(m, -1, 1), *y = doubles(n, 0, 0);
  REPEAT matvec(a, x, y, n, m);
}

KERNEL void matvec_columns(int n, int m, const float *a, const float *x, float *y) {
  for (int j = 0; j < m; j++) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += a[i * m + j] * x[i];
    y[j] = sum;
  }
}
BENCH(matvec_columns, "transposed matrix times vector, strided") {
  int n = size(1200), m = size(1300);
  float *a = floats((long)n * m, -1, 1), *x = floats(n, -1, 1), *y = floats(m, 0, 0);
  REPEAT matvec_columns(n, m, a, x, y);
}

KERNEL int lu_decompose(double *a, int n) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
  return 0;
}
BENCH(lu_decompose, "LU in place, flat") {
  int n = size(320);
  double *a = doubles((long)n * n, 1, 2);
  for (int i = 0; i < n; i++)
    a[i * n + i] += n;
  memcpy(bench_arrays[0].pristine, a, (size_t)n * (size_t)n * 8);
  REPEAT result(lu_decompose(a, n));
}

KERNEL int lu_pivot(double *a, int *perm, int n) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[p * n + k]))
        p = i;
    perm[k] = p;
    if (a[p * n + k] == 0.0)
      return -1;
    if (p != k)
      for (int j = 0; j < n; j++) {
        double t = a[k * n + j];
        a[k * n + j] = a[p * n + j];
        a[p * n + j] = t;
      }
    for (int i = k + 1; i < n; i++) {
      double f = a[i * n + k] / a[k * n + k];
      a[i * n + k] = f;
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
    }
  }
  return 0;
}
BENCH(lu_pivot, "LU with partial pivoting") {
  int n = size(320);
  double *a = doubles((long)n * n, -1, 1);
  int *perm = ints(n, 0, 0);
  REPEAT result(lu_pivot(a, perm, n));
}

KERNEL void cholesky_lower(double *a, int n) {
  for (int j = 0; j < n; j++) {
    double d = a[j * n + j];
    for (int k = 0; k < j; k++)
      d -= a[j * n + k] * a[j * n + k];
    d = sqrt(d);
    a[j * n + j] = d;
    for (int i = j + 1; i < n; i++) {
      double s = a[i * n + j];
      for (int k = 0; k < j; k++)
        s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s / d;
    }
  }
}
BENCH(cholesky_lower, "Cholesky, sums in scalars") {
  int n = size(400);
  double *a = doubles((long)n * n, 0, 1);
  for (int i = 0; i < n; i++)
    a[i * n + i] += n;
  memcpy(bench_arrays[0].pristine, a, (size_t)n * (size_t)n * 8);
  REPEAT cholesky_lower(a, n);
}

KERNEL void solve_many(const double *l, double *b, int n, int rhs) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      for (int j = 0; j < rhs; j++)
        b[i * rhs + j] -= l[i * n + k] * b[k * rhs + j];
    for (int j = 0; j < rhs; j++)
      b[i * rhs + j] /= l[i * n + i];
  }
}
BENCH(solve_many, "triangular solve, many right sides") {
  int n = size(360), rhs = size(240);
  double *l = doubles((long)n * n, 1, 2), *b = doubles((long)n * rhs, -1, 1);
  REPEAT solve_many(l, b, n, rhs);
}

KERNEL void gram(const double *x, double *g, int samples, int features) {
  for (int i = 0; i < features; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k < samples; k++)
        s += x[k * features + i] * x[k * features + j];
      g[i * features + j] = s;
      g[j * features + i] = s;
    }
}
BENCH(gram, "symmetric product, strided columns, mirrored") {
  int n = size(500), m = size(240);
  double *x = doubles((long)n * m, -1, 1), *g = doubles((long)m * m, 0, 0);
  REPEAT gram(x, g, n, m);
}

KERNEL void rank_one(int n, int m, double alpha, const double *x, const double *y, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += alpha * x[i] * y[j];
}
BENCH(rank_one, "outer product") {
  int n = size(700), m = size(800);
  double *x = doubles(n, -1, 1), *y = doubles(m, -1, 1), *a = doubles((long)n * m, -1, 1);
  REPEAT rank_one(n, m, 0.5, x, y, a);
}

KERNEL void batched_small(int batch, int n, const float *a, const float *b, float *c) {
  for (int t = 0; t < batch; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int k = 0; k < n; k++)
          s += a[(t * n + i) * n + k] * b[(t * n + k) * n + j];
        c[(t * n + i) * n + j] = s;
      }
}
BENCH(batched_small, "many 8x8 products") {
  int batch = size(2000), n = size(8);
  long all = (long)batch * n * n;
  float *a = floats(all, -1, 1), *b = floats(all, -1, 1), *c = floats(all, 0, 0);
  REPEAT batched_small(batch, n, a, b, c);
}

KERNEL void batched_32(int batch, const double (*a)[32][32], const double (*b)[32][32], double (*c)[32][32]) {
  for (int t = 0; t < batch; t++)
    for (int i = 0; i < 32; i++)
      for (int j = 0; j < 32; j++)
        for (int k = 0; k < 32; k++)
          c[t][i][j] += a[t][i][k] * b[t][k][j];
}
BENCH(batched_32, "many 32x32 products, constant sizes") {
  int batch = size(100);
  double *a = doubles(batch * 1024L, -1, 1), *b = doubles(batch * 1024L, -1, 1), *c = doubles(batch * 1024L, 0, 0);
  REPEAT batched_32(batch, (const double (*)[32][32])a, (const double (*)[32][32])b, (double (*)[32][32])c);
}

KERNEL void complex_product(int n, const double *ar, const double *ai, const double *br, const double *bi, double *cr,
                     double *ci) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double re = 0, im = 0;
      for (int k = 0; k < n; k++) {
        re += ar[i * n + k] * br[k * n + j] - ai[i * n + k] * bi[k * n + j];
        im += ar[i * n + k] * bi[k * n + j] + ai[i * n + k] * br[k * n + j];
      }
      cr[i * n + j] = re;
      ci[i * n + j] = im;
    }
}
BENCH(complex_product, "complex product, split parts") {
  int n = size(192);
  long all = (long)n * n;
  double *ar = doubles(all, -1, 1), *ai = doubles(all, -1, 1), *br = doubles(all, -1, 1), *bi = doubles(all, -1, 1);
  double *cr = doubles(all, 0, 0), *ci = doubles(all, 0, 0);
  REPEAT complex_product(n, ar, ai, br, bi, cr, ci);
}

double **rows_of(double *memory, int rows, int cols) {
  double **table = (double **)malloc(sizeof(double *) * (size_t)rows);
  for (int i = 0; i < rows; i++)
    table[i] = memory + (long)i * cols;
  return table;
}
KERNEL void matmul_rows(double **a, double **b, double **c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}
BENCH(matmul_rows, "product, tables of rows") {
  int n = size(320);
  double **a = rows_of(doubles((long)n * n, -1, 1), n, n), **b = rows_of(doubles((long)n * n, -1, 1), n, n);
  double **c = rows_of(doubles((long)n * n, 0, 0), n, n);
  REPEAT matmul_rows(a, b, c, n);
}
