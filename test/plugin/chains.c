// Chains along loops: what they cost in lanes, and where all loops are chains.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// Rows are lanes, which hand on what they have computed in registers: it pays for some hundred rows.
// CHECK: chains.c:[[#@LINE+2]]:3: remark: optimized 2 loops, {{.*}}SIMD wavefront of {{.*}}used for [p0, p1] -> { : {{[(]?}}p0 >= {{[1-9][0-9]?[0-9]?}} and p1 >= {{[1-9][0-9]?[0-9]?[ )]}}
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

// Along diagonals, which are the inner loop of another order, `v[j]` waits for `v[j + 1]`: for three
// operations and a value in memory, although the loop of the source waits for the price only.
// CHECK: chains.c:[[#@LINE+2]]:3: remark: optimized 2 loops, {{.*}}band of 2, vector; {{.*}}used for [p0] -> { : p0 >=
void early_exercise(int n, double price, double up, double down, double p, double strike, double *v) {
  for (int i = n - 1; i >= 0; i--) {
    double s = price * i;
    for (int j = 0; j <= i; j++) {
      double later = p * v[j + 1] + (1 - p) * v[j], now = strike - s;
      v[j] = later > now ? later : now;
      s *= up / down;
    }
  }
}

// In the original, an iteration that finds a pair does not wait for the one before.
// CHECK: chains.c:[[#@LINE+2]]:3: remark: 2 loops not optimized: no profitable transformation
void pairs(int n, const char *s, int *t) {
  for (int i = n - 1; i >= 0; i--) {
    t[i * n + i] = 1;
    for (int j = i + 1; j < n; j++) {
      if (s[i] == s[j])
        t[i * n + j] = (j == i + 1 ? 0 : t[(i + 1) * n + j - 1]) + 2;
      else
        t[i * n + j] = t[(i + 1) * n + j] > t[i * n + j - 1] ? t[(i + 1) * n + j] : t[i * n + j - 1];
    }
  }
}

// Two averages of which only the difference is stored. With data in memory, nearly all of the time goes
// into that; with data in a cache, rows in lanes are much faster, and they are no slower in memory.
// CHECK: chains.c:[[#@LINE+2]]:3: remark: optimized 2 loops, {{.*}}SIMD wavefront of 4 lanes; {{.*}}used for [p0, p1] -> { : {{.*}}p0 >= {{[1-9][0-9]?[0-9]?}} and p1 >= {{[1-9][0-9]?[0-9]?}}
void difference(int series, int n, const double *x, double *y) {
  for (int s = 0; s < series; s++) {
    double fast = x[s * n], slow = x[s * n];
    for (int t = 0; t < n; t++) {
      fast = 0.85 * fast + 0.15 * x[s * n + t];
      slow = 0.97 * slow + 0.03 * x[s * n + t];
      y[s * n + t] = fast - slow;
    }
  }
}
