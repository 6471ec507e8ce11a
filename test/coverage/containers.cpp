// Items 4 and 5: C++.
#include <array>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

// shape: std::vector with operator[]
void vector_plain(std::vector<double> &a, const std::vector<double> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    a[i] += b[i];
}

// shape: std::vector with at()
void vector_at(std::vector<double> &a, const std::vector<double> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    a.at(i) += b.at(i);
}

// shape: vectors of vectors
void vector_of_vectors(int n, Matrix &C, const Matrix &A, const Matrix &B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// shape: product of matrices in vectors, linearized, with at()
void product_at(long n, std::vector<double> &c, const std::vector<double> &a, const std::vector<double> &b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c.at(i * n + j) += a.at(i * n + k) * b.at(k * n + j);
}

// shape: std::array of std::array
void nested_arrays(std::array<std::array<double, 400>, 400> &a, const std::array<std::array<double, 400>, 400> &b) {
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 400; j++)
      a[i][j] += b[j][i];
}

// shape: loop over the elements of a range
void range_for(std::vector<double> &a) {
  for (double &x : a)
    x = x * 2 + 1;
}

struct Grid {
  int rows, cols;
  double *data;
  double &operator()(int i, int j) { return data[i * cols + j]; }
};

// shape: class with an access operator
void class_access(Grid &a, Grid &b) {
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.cols; j++)
      a(i, j) += b(j, i);
}
