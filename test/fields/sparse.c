// Sparse matrices and graphs.
// poly: optimizes spmv_csr spmv_ell spmv_diagonals gauss_seidel_csr rank_pages triangles scatter_forces
// poly: optimizes relax_levels
#include "bench.h"

// A pattern of `per` entries in every row, at random columns in order.
static void pattern(int n, int per, int *start, int *column) {
  for (int i = 0; i <= n; i++)
    start[i] = i * per;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < per; k++)
      column[i * per + k] = (int)((long)k * n / per + (long)(bench_random() % (uint64_t)(n / per)));
}

KERNEL void spmv_csr(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += value[k] * x[column[k]];
    y[i] = s;
  }
}
BENCH(spmv_csr, "CSR product") {
  int n = size(8000), per = 9;
  int *start = ints(n + 1, 0, 0), *column = ints((long)n * per, 0, 0);
  pattern(n, per, start, column);
  memcpy(bench_arrays[0].pristine, start, bench_arrays[0].bytes);
  memcpy(bench_arrays[1].pristine, column, bench_arrays[1].bytes);
  double *value = doubles((long)n * per, -1, 1), *x = doubles(n, -1, 1), *y = doubles(n, 0, 0);
  REPEAT spmv_csr(n, start, column, value, x, y);
}

KERNEL void spmv_ell(int n, int width, const int *column, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < width; k++)
      s += value[k * n + i] * x[column[k * n + i]];
    y[i] = s;
  }
}
BENCH(spmv_ell, "ELL product, column-major") {
  int n = size(8000), width = size(9);
  int *column = ints((long)n * width, 0, n - 1);
  double *value = doubles((long)n * width, -1, 1), *x = doubles(n, -1, 1), *y = doubles(n, 0, 0);
  REPEAT spmv_ell(n, width, column, value, x, y);
}

KERNEL void spmv_diagonals(int n, int diagonals, const int *offset, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  for (int d = 0; d < diagonals; d++) {
    int from = offset[d] < 0 ? -offset[d] : 0, to = offset[d] > 0 ? n - offset[d] : n;
    for (int i = from; i < to; i++)
      y[i] += value[d * n + i] * x[i + offset[d]];
  }
}
BENCH(spmv_diagonals, "product with diagonals") {
  int n = size(20000), d = size(7);
  int *offset = ints(d, -3, 3);
  for (int i = 0; i < d; i++)
    offset[i] = (i - 3) * (i - 3) * (i - 3) * 10;
  memcpy(bench_arrays[0].pristine, offset, bench_arrays[0].bytes);
  double *value = doubles((long)n * d, -1, 1), *x = doubles(n, -1, 1), *y = doubles(n, 0, 0);
  REPEAT spmv_diagonals(n, d, offset, value, x, y);
}

KERNEL void gauss_seidel_csr(int n, int sweeps, const int *start, const int *column, const double *value, const double *b,
                      double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int k = start[i]; k < start[i + 1]; k++)
        s -= value[k] * x[column[k]];
      x[i] += s * 0.05;
    }
}
BENCH(gauss_seidel_csr, "Gauss-Seidel on CSR") {
  int n = size(5000), per = 7;
  int *start = ints(n + 1, 0, 0), *column = ints((long)n * per, 0, 0);
  pattern(n, per, start, column);
  memcpy(bench_arrays[0].pristine, start, bench_arrays[0].bytes);
  memcpy(bench_arrays[1].pristine, column, bench_arrays[1].bytes);
  double *value = doubles((long)n * per, -0.1, 0.1), *b = doubles(n, -1, 1), *x = doubles(n, 0, 0);
  REPEAT gauss_seidel_csr(n, size(5), start, column, value, b, x);
}

KERNEL void rank_pages(int n, const float *link, const float *rank, float *next, float damping) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += link[j * n + i] * rank[j];
    next[i] = (1 - damping) / (float)n + damping * s;
  }
}
BENCH(rank_pages, "page rank, dense, by columns") {
  int n = size(900);
  float *link = floats((long)n * n, 0, 0.01f), *rank = floats(n, 0, 1), *next = floats(n, 0, 0);
  REPEAT rank_pages(n, link, rank, next, 0.85f);
}

KERNEL long triangles(int n, const unsigned char *a) {
  long count = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (a[i * n + j])
        for (int k = j + 1; k < n; k++)
          count += a[i * n + k] & a[j * n + k];
  return count;
}
BENCH(triangles, "triangles of a graph") {
  int n = size(300);
  unsigned char *a = bytes((long)n * n, 0, 1);
  REPEAT result((double)triangles(n, a));
}

KERNEL void scatter_forces(int edges, const int *from, const int *to, const double *x, double *f) {
  for (int e = 0; e < edges; e++) {
    double g = x[to[e]] - x[from[e]];
    f[from[e]] += g;
    f[to[e]] -= g;
  }
}
BENCH(scatter_forces, "edges of a mesh") {
  int n = size(10000), edges = size(60000);
  int *from = ints(edges, 0, n - 1), *to = ints(edges, 0, n - 1);
  double *x = doubles(n, -1, 1), *f = doubles(n, 0, 0);
  REPEAT scatter_forces(edges, from, to, x, f);
}

KERNEL int relax_levels(int n, const unsigned char *edge, int *level) {
  int changed = 1, rounds = 0;
  while (changed) {
    changed = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (edge[i * n + j] && level[i] + 1 < level[j]) {
          level[j] = level[i] + 1;
          changed = 1;
        }
    rounds++;
  }
  return rounds;
}
BENCH(relax_levels, "levels of a graph until nothing changes") {
  int n = size(400);
  unsigned char *edge = bytes((long)n * n, 0, 255);
  for (int i = 0; i < n * n; i++)
    edge[i] = edge[i] < 2;
  memcpy(bench_arrays[0].pristine, edge, bench_arrays[0].bytes);
  int *level = ints(n, 1000, 1000);
  level[0] = 0;
  memcpy(bench_arrays[1].pristine, level, bench_arrays[1].bytes);
  REPEAT result(relax_levels(n, edge, level));
}
