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

// Rows that stay in the first cache gain nothing, however many steps there are: that two steps of
// shorter rows are predicted to gain says nothing about more of them.
//
// CHECK: remark: optimized 6 loops, {{.*}}used for [p0, p1] -> { : {{(.*\()?}}p0 >= {{[1-9][0-9]*}} and p1 >= {{[1-9][0-9][0-9][0-9]+}}
void diffusion(int n, int steps, double dt, double r, double s, double *v, double *w) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      double a = 0.5 * dt * (s * s * i * i - r * i), b = 1 - dt * (s * s * i * i + r);
      double c = 0.5 * dt * (s * s * i * i + r * i);
      w[i] = a * v[i - 1] + b * v[i] + c * v[i + 1];
    }
    w[0] = v[0] * (1 - r * dt);
    w[n - 1] = 2 * w[n - 2] - w[n - 3];
    for (int i = 0; i < n; i++)
      v[i] = w[i];
  }
}
