// Containers of C++: vectors with and without checked access, vectors of vectors, arrays of arrays, a class. The program prints the same with Poly as without, also
// where a check fails: the exception comes from the original loops, after what they had written before.

// RUN: %clang -x c++ -O3 %s -o %t.plain -lstdc++
// RUN: env POLY_OPTS='force;process-unprofitable' %clang -x c++ -O3 -fpass-plugin=%poly -Rpass=poly %s -o %t.poly -lstdc++ 2> %t.remarks
// RUN: %t.plain > %t.expected
// RUN: %t.poly > %t.got
// RUN: cmp %t.expected %t.got
// RUN: %FileCheck %s < %t.remarks

#include <array>
#include <cstdio>
#include <stdexcept>
#include <vector>

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

__attribute__((noinline)) void plain(int n, Vector &a, const Vector &b) {
  // CHECK-DAG: containers.cpp:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 1 loop
  for (int i = 0; i < n; i++)
    a[i] = 2 * b[i] + a[i];
}

// The exception is thrown where it always was: what comes before it has been written.
__attribute__((noinline)) void checked(int n, Vector &a, const Vector &b) {
  // CHECK-DAG: containers.cpp:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 1 loop
  for (int i = 0; i < n; i++)
    a.at(i) += 2 * b.at(i);
}

__attribute__((noinline)) void rows(int n, Rows &c, const Rows &a, const Rows &b) {
  // CHECK-DAG: containers.cpp:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 3 loops
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

using Square = std::array<std::array<double, 80>, 80>;

__attribute__((noinline)) void fixed(Square &c, const Square &a, const Square &b) {
  // CHECK-DAG: containers.cpp:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 3 loops
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 80; j++)
      for (int k = 0; k < 80; k++)
        c[i][j] += a[i][k] * b[k][j];
}

struct Matrix {
  int rows, columns;
  double *data;
  double &operator()(int i, int j) { return data[i * columns + j]; }
};

__attribute__((noinline)) void transposed(Matrix &a, Matrix &b) {
  // CHECK-DAG: containers.cpp:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 2 loops
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.columns; j++)
      a(i, j) += b(j, i);
}

static Vector numbers(int n, int seed) {
  Vector result(n);
  for (int i = 0; i < n; i++)
    result[i] = (i * 37 + seed * 11) % 23 - 7;
  return result;
}

static void show(const char *what, const Vector &v) {
  std::printf("%s:", what);
  for (double x : v)
    std::printf(" %a", x);
  std::printf("\n");
}

int main() {
  for (int n = 0; n <= 24; n += 6) {
    Vector a = numbers(24, n), b = numbers(24, 2);
    plain(n, a, b);
    plain(n, a, a);
    show("plain", a);
    // The first vector, the second, or none is too short.
    for (int shorter = 0; shorter < 3; shorter++) {
      Vector x = numbers(shorter == 0 ? 15 : 24, n), y = numbers(shorter == 1 ? 10 : 24, 3);
      try {
        checked(n, x, y);
      } catch (const std::out_of_range &) {
        std::printf("out of range\n");
      }
      show("checked", x);
    }
    Rows c, d, e;
    for (int i = 0; i < 24; i++) {
      c.push_back(numbers(24, i));
      d.push_back(numbers(24, i + 1));
      e.push_back(numbers(24, 2 * i));
    }
    rows(n, c, d, e);
    rows(n, c, c, e);
    for (const Vector &row : c)
      show("rows", row);
    Square s, t;
    for (int i = 0; i < 80; i++)
      for (int j = 0; j < 80; j++)
        s[i][j] = t[i][j] = d[i % 24][j % 24];
    fixed(s, t, t);
    fixed(s, s, t);
    for (const auto &row : s)
      show("fixed", Vector(row.begin(), row.end()));
    Matrix p{n, n, a.data()}, q{n, n, b.data()};
    Vector big = numbers(24 * 24, 1), other = numbers(24 * 24, 2);
    p.data = big.data(), q.data = other.data();
    transposed(p, q);
    transposed(p, p);
    show("transposed", big);
  }
  return 0;
}
