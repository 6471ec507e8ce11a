// C++: containers, wrappers and expressions.
// poly: optimizes _Z11nested_heatRSt6vectorIS_IdSaIdEESaIS1_EES4_i _Z15wrapped_productRK6MatrixS1_RS_
// poly: optimizes _Z14nested_productRKSt6vectorIS_IdSaIdEESaIS1_EES5_RS3_ _Z10columns_ofRKSt6vectorIS_IdSaIdEESaIS1_EERS1_
// poly: optimizes _Z5chainRSt6vectorIdSaIdEERKS1_S4_S4_ _Z13smooth_volumeRK6VolumeRS_
// poly: optimizes _Z14complex_matveciPKSt7complexIdES2_PS0_
// poly: optimizes _Z13nested_windowRKSt6vectorIS_IdSaIdEESaIS1_EES5_RS3_
// poly: optimizes _Z12rotate_smalliRKSt5arrayIS_IfLm3EELm3EERSt6vectorIS0_SaIS0_EE
#include "bench.h"

#include <array>
#include <complex>
#include <utility>
#include <vector>

using Grid = std::vector<std::vector<double>>;

static Grid grid(int n, int m, double low, double high) {
  Grid g(n, std::vector<double>(m));
  for (auto &row : g)
    for (auto &v : row)
      v = low + (high - low) * BENCH_FRACTION;
  return g;
}
static double sum(const Grid &g) {
  double s = 0;
  for (const auto &row : g)
    for (double v : row)
      s += v;
  return s;
}

KERNEL void nested_product(const Grid &a, const Grid &b, Grid &c) {
  for (size_t i = 0; i < a.size(); i++)
    for (size_t j = 0; j < b[0].size(); j++) {
      double s = 0;
      for (size_t k = 0; k < b.size(); k++)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
BENCH(nested_product, "product, vectors of vectors") {
  int n = size(250);
  Grid a = grid(n, n, -1, 1), b = grid(n, n, -1, 1), c = grid(n, n, 0, 0);
  REPEAT nested_product(a, b, c);
  result(sum(c));
}

KERNEL void nested_window(const Grid &in, const Grid &weight, Grid &out) {
  int h = in.size(), w = in[0].size(), size = weight.size();
  for (int y = 0; y <= h - size; y++)
    for (int x = 0; x <= w - size; x++) {
      double s = 0;
      for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
          s += weight[j][i] * in[y + j][x + i];
      out[y][x] = s;
    }
}
BENCH(nested_window, "window, vectors of vectors with sizes of int") {
  int n = size(300), k = size(5);
  Grid in = grid(n, n, 0, 1), weight = grid(k, k, -1, 1), out = grid(n, n, 0, 0);
  REPEAT nested_window(in, weight, out);
  result(sum(out));
}

KERNEL void nested_heat(Grid &a, Grid &b, int steps) {
  for (int t = 0; t < steps; t++) {
    for (size_t i = 1; i + 1 < a.size(); i++)
      for (size_t j = 1; j + 1 < a[i].size(); j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    std::swap(a, b);
  }
}
BENCH(nested_heat, "stencil on vectors of vectors, swapped") {
  int n = size(300);
  Grid first = grid(n, n, 0, 1);
  Grid a, b;
  REPEAT {
    a = first, b = first;
    restart();
    nested_heat(a, b, size(10));
  }
  result(sum(a));
}

class Matrix {
public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_((size_t)rows * (size_t)cols) {}
  double &operator()(int i, int j) { return data_[i * cols_ + j]; }
  double operator()(int i, int j) const { return data_[i * cols_ + j]; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  std::vector<double> &data() { return data_; }

private:
  int rows_, cols_;
  std::vector<double> data_;
};

KERNEL void wrapped_product(const Matrix &a, const Matrix &b, Matrix &c) {
  for (int i = 0; i < a.rows(); i++)
    for (int j = 0; j < b.cols(); j++) {
      double s = 0;
      for (int k = 0; k < a.cols(); k++)
        s += a(i, k) * b(k, j);
      c(i, j) = s;
    }
}
BENCH(wrapped_product, "product through a class with operator()") {
  int n = size(250);
  Matrix a(n, n), b(n, n), c(n, n);
  for (auto *m : {&a, &b})
    for (auto &v : m->data())
      v = BENCH_FRACTION;
  REPEAT wrapped_product(a, b, c);
  for (double v : c.data())
    result(v);
}

KERNEL void chain(std::vector<double> &r, const std::vector<double> &a, const std::vector<double> &b,
                                     const std::vector<double> &c) {
  std::vector<double> t(a.size()), u(a.size());
  for (size_t i = 0; i < a.size(); i++)
    t[i] = a[i] * b[i];
  for (size_t i = 0; i < a.size(); i++)
    u[i] = t[i] + c[i];
  for (size_t i = 0; i < a.size(); i++)
    r[i] = u[i] * 0.5;
}
BENCH(chain, "vector expression with temporaries") {
  int n = size(300000);
  std::vector<double> a(n, 1.5), b(n, 2.5), c(n, 3.5), r(n);
  REPEAT chain(r, a, b, c);
  result(r[n / 2]);
}

struct Volume {
  int nx, ny, nz;
  std::vector<float> v;
  float &at(int i, int j, int k) { return v[(i * ny + j) * nz + k]; }
  float at(int i, int j, int k) const { return v[(i * ny + j) * nz + k]; }
};
KERNEL void smooth_volume(const Volume &in, Volume &out) {
  for (int k = 1; k < in.nz - 1; k++)
    for (int j = 1; j < in.ny - 1; j++)
      for (int i = 1; i < in.nx - 1; i++)
        out.at(i, j, k) = (in.at(i - 1, j, k) + in.at(i + 1, j, k) + in.at(i, j - 1, k) + in.at(i, j + 1, k) +
                           in.at(i, j, k - 1) + in.at(i, j, k + 1)) / 6;
}
BENCH(smooth_volume, "3-D class, loops in the wrong order") {
  int n = size(100);
  Volume in{n, n, n, std::vector<float>((size_t)n * n * n)}, out = in;
  for (auto &v : in.v)
    v = (float)BENCH_FRACTION;
  REPEAT smooth_volume(in, out);
  for (float v : out.v)
    result(v);
}

KERNEL void complex_matvec(int n, const std::complex<double> *a, const std::complex<double> *x,
                                              std::complex<double> *y) {
  for (int i = 0; i < n; i++) {
    std::complex<double> s = 0;
    for (int j = 0; j < n; j++) {
      std::complex<double> p = a[i * n + j], q = x[j];
      s += std::complex<double>(p.real() * q.real() - p.imag() * q.imag(), p.real() * q.imag() + p.imag() * q.real());
    }
    y[i] = s;
  }
}
BENCH(complex_matvec, "std::complex matrix times vector") {
  int n = size(500);
  double *a = doubles(2L * n * n, -1, 1), *x = doubles(2L * n, -1, 1), *y = doubles(2L * n, 0, 0);
  REPEAT complex_matvec(n, (std::complex<double> *)a, (std::complex<double> *)x, (std::complex<double> *)y);
}

KERNEL void rotate_small(int n, const std::array<std::array<float, 3>, 3> &m,
                                            std::vector<std::array<float, 3>> &p) {
  for (int i = 0; i < n; i++) {
    std::array<float, 3> r{};
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        r[a] += m[a][b] * p[i][b];
    p[i] = r;
  }
}
BENCH(rotate_small, "std::array points") {
  int n = size(50000);
  std::array<std::array<float, 3>, 3> m{{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}};
  std::vector<std::array<float, 3>> p(n, {1, 2, 3});
  REPEAT rotate_small(n, m, p);
  result(p[n / 2][0] + p[n / 2][1] + p[n / 2][2]);
}

KERNEL void columns_of(const Grid &g, std::vector<double> &s) {
  for (size_t j = 0; j < s.size(); j++) {
    s[j] = 0;
    for (const auto &row : g)
      s[j] += row[j];
  }
}
BENCH(columns_of, "sums of columns of nested vectors") {
  int n = size(800), m = size(600);
  Grid g = grid(n, m, -1, 1);
  std::vector<double> s(m);
  REPEAT columns_of(g, s);
  for (double v : s)
    result(v);
}
