// The reflections of a QR decomposition: the sum of a column is a scalar, which needs an element
// for each column so that the loops over rows become outer ones. There are as many reflections as
// the smaller one of two sizes says, which is no affine function: each of the two is enough for the
// elements. Statements that are executed only where one size is larger have no say in how long
// loops have to be.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: two-bounds.c:[[#@LINE+2]]:3: remark: optimized {{.*}}scalar{{s?}} in memory; {{.*}}used for [p0, p1] -> {{.*}}p0 >= {{[0-9]+}} and p1 >= {{[0-9]+}}
void reflections(int m, int n, double *a, const double *v) {
  for (int k = 0; k < n; k++)
    for (int j = k; j < n; j++) {
      double s = 0;
      for (int i = k; i < m; i++)
        s += v[i] * a[i * n + j];
      for (int i = k; i < m; i++)
        a[i * n + j] -= 0.01 * s * v[i];
    }
}
