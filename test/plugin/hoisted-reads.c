// Elements at addresses that are not affine, `b[l + j * k]` with numbers that may wrap around and
// `b[p[l]]`, stay where they are along loops in which the index is the same. Taken for reads that
// go anywhere, they made tiles without vectors a gain, which took six times as long.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass='poly' -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// LLVM 22 gives the place of the comparison.
// CHECK-DAG: hoisted-reads.c:[[#@LINE+7]]:{{9|14}}: remark: loops not optimized: the condition of a branch is not affine
// CHECK-DAG: hoisted-reads.c:[[#@LINE+5]]:3: remark: 2 loops not optimized: no profitable transformation
// CHECK-DAG: hoisted-reads.c:[[#@LINE+6]]:7: remark: 1 loop not optimized: no profitable transformation
// CHECK-DAG: hoisted-reads.c:[[#@LINE+7]]:5: remark: 2 loops not optimized: no profitable transformation
void multiply(int m, int n, int k, double alpha, double beta, double *restrict a, double *restrict b,
              double *restrict c) {
  for (int j = 0; j < n; j++) {
    if (beta != 1)
      for (int i = 0; i < m; i++)
        c[i + j * m] = beta == 0 ? 0 : beta * c[i + j * m];
    for (int l = 0; l < k; l++) {
      double t = alpha * b[l + j * k];
      for (int i = 0; i < m; i++)
        c[i + j * m] += t * a[i + l * m];
    }
  }
}

// CHECK-DAG: hoisted-reads.c:[[#@LINE+3]]:3: remark: 2 loops not optimized: no profitable transformation
void picked(int m, int k, double alpha, double *restrict a, const double *restrict b, const int *restrict p,
            double *restrict c) {
  for (int l = 0; l < k; l++) {
    double t = alpha * b[p[l]];
    for (int i = 0; i < m; i++)
      c[i] += t * a[i + (long)l * m];
  }
}
