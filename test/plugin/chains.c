// Chains along loops: what they cost in lanes, and where all loops are chains.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// Rows are lanes, which hand on what they have computed in registers: it pays for some hundred rows.
// CHECK: chains.c:[[#@LINE+2]]:3: remark: optimized 2 loops, {{.*}}SIMD wavefront of {{.*}}used for [p0, p1] -> { : p0 >= {{[1-9][0-9]?[0-9]?}} and p1 >= {{[1-9][0-9]?[0-9]?}} }
void smoothing(int series, int n, double alpha, const double *x, double *y) {
  for (int s = 0; s < series; s++) {
    double level = x[s * n];
    for (int t = 0; t < n; t++) {
      level = alpha * x[s * n + t] + (1 - alpha) * level;
      y[s * n + t] = level;
    }
  }
}

// Both loops are chains, the rows of `e` only along one of them. The other order has no shorter
// chain, as all wait for `h`.
// CHECK: chains.c:[[#@LINE+4]]:3: remark: 2 loops not optimized: no profitable transformation
void gaps(int n, int m, const signed char *score, const unsigned char *a, const unsigned char *b, int *h, int *e,
          int *f) {
  int w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      e[i * w + j] = h[i * w + j - 1] - 5 > e[i * w + j - 1] - 1 ? h[i * w + j - 1] - 5 : e[i * w + j - 1] - 1;
      f[i * w + j] = h[(i - 1) * w + j] - 5 > f[(i - 1) * w + j] - 1 ? h[(i - 1) * w + j] - 5 : f[(i - 1) * w + j] - 1;
      int s = h[(i - 1) * w + j - 1] + score[a[i - 1] * 4 + b[j - 1]];
      s = s < e[i * w + j] ? e[i * w + j] : s;
      s = s < f[i * w + j] ? f[i * w + j] : s;
      h[i * w + j] = s < 0 ? 0 : s;
    }
}
