// Reductions with fewer operations in C++: vectors, iterators, lambdas, the algorithms of the
// library. The program prints the same with Poly as without.

// RUN: %clang -x c++ -O3 %s -o %t.plain -lstdc++
// RUN: %clang -x c++ -O3 -fpass-plugin=%poly -Rpass=poly %s -o %t.poly -lstdc++ 2> %t.remarks
// RUN: %t.plain > %t.expected
// RUN: %t.poly > %t.got
// RUN: cmp %t.expected %t.got
// RUN: %FileCheck %s < %t.remarks

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

using Vector = std::vector<int>;

// R1, each sum by the library.
// CHECK-DAG: reductions.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 2 to 1
__attribute__((noinline)) void prefix(int n, int *__restrict y, const int *__restrict x) {
  for (int i = 0; i < n; i++)
    y[i] = std::accumulate(x, x + i + 1, 0);
}

// R2, the window as a pair of iterators.
// CHECK-DAG: reductions.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 2 to 1
__attribute__((noinline)) void sliding(int n, int w, int *__restrict y, const int *__restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (const int *at = x + i; at != x + i + w; ++at)
      sum += *at;
    y[i] = sum;
  }
}

// R5.
struct Matrix {
  const int *data;
  int columns;
  int operator()(int i, int j) const { return data[(long)i * columns + j]; }
};

// CHECK-DAG: reductions.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 3 to 2
__attribute__((noinline)) void triangles(int n, int *__restrict y, Matrix a, Matrix b) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a(i, k) * b(k, j);
    y[i] = sum;
  }
}

// R12, without the sweep.
// CHECK-DAG: reductions.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}reduction into {{.*}} from degree 3 to 2
__attribute__((noinline)) void classes(int n, int k, int *__restrict sums, const int *__restrict names, const int *__restrict x) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      int sum = 0;
      for (int j = 0; j < n; j++)
        if (j != i && names[j] == c)
          sum += x[j];
      sums[i * k + c] = sum;
    }
}

int main() {
  const int n = 300, k = 17;
  Vector x(2 * n), y(n), names(n), sums(n * k), a(n * n), b(n * n);
  for (int i = 0; i < 2 * n; i++)
    x[i] = (i * 37 + 11) % 101 - 50;
  for (int i = 0; i < n; i++)
    names[i] = (i * 7 + i * i) % (k + 2) - 1;
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 23 - 11;
    b[i] = i % 29 - 14;
  }
  auto show = [](const Vector &v) {
    unsigned hash = 1;
    for (int value : v)
      hash = hash * 16777619u ^ (unsigned)value;
    std::printf("%u\n", hash);
  };
  prefix(n, y.data(), x.data());
  show(y);
  for (int w : {1, 2, 7, 250}) {
    sliding(n, w, y.data(), x.data());
    show(y);
  }
  triangles(n, y.data(), Matrix{a.data(), n}, Matrix{b.data(), n});
  show(y);
  classes(n, k, sums.data(), names.data(), x.data());
  show(sums);
  return 0;
}
