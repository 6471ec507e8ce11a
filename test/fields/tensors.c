// Tensors: contractions and permutations.
// poly: optimizes contract_last contract_two permute mttkrp symmetrize sum_middle strided_view four_dimensions
#include "bench.h"

KERNEL void contract_last(int a, int b, int c, int d, const double *x, const double *y, double *z) {
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++)
      for (int l = 0; l < d; l++) {
        z[(i * b + j) * d + l] = 0;
        for (int k = 0; k < c; k++)
          z[(i * b + j) * d + l] += x[(i * b + j) * c + k] * y[k * d + l];
      }
}
BENCH(contract_last, "abc,cd->abd") {
  int a = size(60), b = size(50), c = size(70), d = size(80);
  double *x = doubles((long)a * b * c, -1, 1), *y = doubles((long)c * d, -1, 1), *z = doubles((long)a * b * d, 0, 0);
  REPEAT contract_last(a, b, c, d, x, y, z);
}

KERNEL void contract_two(int n, const double *x, const double *y, double *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
          double s = 0;
          for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++)
              s += x[((i * n + p) * n + j) * n + q] * y[((p * n + k) * n + q) * n + l];
          z[((i * n + j) * n + k) * n + l] = s;
        }
}
BENCH(contract_two, "ipjq,pkql->ijkl") {
  int n = size(16);
  long all = (long)n * n * n * n;
  double *x = doubles(all, -1, 1), *y = doubles(all, -1, 1), *z = doubles(all, 0, 0);
  REPEAT contract_two(n, x, y, z);
}

KERNEL void permute(int a, int b, int c, int d, const float *x, float *y) {
  for (int i = 0; i < a; i++)
    for (int j = 0; j < b; j++)
      for (int k = 0; k < c; k++)
        for (int l = 0; l < d; l++)
          y[((l * b + j) * a + i) * c + k] = x[((i * b + j) * c + k) * d + l];
}
BENCH(permute, "4-D permutation") {
  int a = size(24), b = size(32), c = size(40), d = size(28);
  long all = (long)a * b * c * d;
  float *x = floats(all, -1, 1), *y = floats(all, 0, 0);
  REPEAT permute(a, b, c, d, x, y);
}

KERNEL void mttkrp(int n, int m, int p, int r, const double *t, const double *b, const double *c, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++)
        for (int q = 0; q < r; q++)
          a[i * r + q] += t[(i * m + j) * p + k] * b[j * r + q] * c[k * r + q];
}
BENCH(mttkrp, "matricized tensor times Khatri-Rao product") {
  int n = size(60), m = size(50), p = size(70), r = size(16);
  double *t = doubles((long)n * m * p, -1, 1), *b = doubles((long)m * r, -1, 1), *c = doubles((long)p * r, -1, 1);
  double *a = doubles((long)n * r, 0, 0);
  REPEAT mttkrp(n, m, p, r, t, b, c, a);
}

KERNEL void symmetrize(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        y[(i * n + j) * n + k] = (x[(i * n + j) * n + k] + x[(j * n + k) * n + i] + x[(k * n + i) * n + j]) / 3;
}
BENCH(symmetrize, "sum over rotations of the indices") {
  int n = size(90);
  double *x = doubles((long)n * n * n, -1, 1), *y = doubles((long)n * n * n, 0, 0);
  REPEAT symmetrize(n, x, y);
}

KERNEL void sum_middle(int a, int b, int c, const double *x, double *y) {
  for (int i = 0; i < a; i++)
    for (int k = 0; k < c; k++) {
      double s = 0;
      for (int j = 0; j < b; j++)
        s += x[(i * b + j) * c + k];
      y[i * c + k] = s;
    }
}
BENCH(sum_middle, "sum over the middle index") {
  int a = size(40), b = size(200), c = size(100);
  double *x = doubles((long)a * b * c, -1, 1), *y = doubles((long)a * c, 0, 0);
  REPEAT sum_middle(a, b, c, x, y);
}

KERNEL void strided_view(int rows, int cols, long s0, long s1, const double *x, double *y) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      y[i * cols + j] += 2 * x[i * s0 + j * s1];
}
BENCH(strided_view, "view with two strides, transposed") {
  int rows = size(700), cols = size(800);
  double *x = doubles((long)rows * cols, -1, 1), *y = doubles((long)rows * cols, 0, 0);
  REPEAT strided_view(rows, cols, 1, size(700), x, y);
}

KERNEL void four_dimensions(unsigned a, unsigned b, unsigned c, unsigned d, const float *x, const float *w, float *y) {
  for (unsigned i = 0; i < a; i++)
    for (unsigned j = 0; j < b; j++)
      for (unsigned k = 0; k < c; k++)
        for (unsigned l = 0; l < d; l++)
          y[((i * b + j) * c + k) * d + l] += x[((i * b + j) * c + k) * d + l] * w[k * d + l];
}
BENCH(four_dimensions, "4-D with unsigned counters") {
  unsigned a = (unsigned)size(20), b = (unsigned)size(30), c = (unsigned)size(40), d = (unsigned)size(50);
  long all = (long)a * b * c * d;
  float *x = floats(all, -1, 1), *w = floats((long)c * d, -1, 1), *y = floats(all, 0, 0);
  REPEAT four_dimensions(a, b, c, d, x, w, y);
}
