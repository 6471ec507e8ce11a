// Loops over time may be short: what pays with many steps is used with a few, where rows are long.
// Rows themselves are not taken to be shorter than some vectors.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// CHECK: remark: optimized 3 loops, {{.*}}used for [p0, p1] -> { : {{(.*\()?}}p0 >= {{[1-9][0-9]+}} and p1 >= {{[2-4][^0-9]}}
void relaxation(int n, int steps, double omega, double *u, const double *f) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i * n + j] += omega * (0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                         u[i * n + j + 1] - f[i * n + j]) -
                                 u[i * n + j]);
}
