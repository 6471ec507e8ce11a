// A row of memory in which every iteration computes something anew orders the iterations. With a
// row for each of them, recurrences are lanes; as many rows as a strip has lanes are in memory.
// Where the iterations are columns, neighbouring ones are executed side by side, and all have rows.
//
// RUN: env POLY_OPTS=machine=haswell %clang -O3 -march=x86-64-v3 -ffp-contract=off %withpoly -Rpass=poly -Rpass-missed=poly %s -S -o /dev/null 2>&1 | %FileCheck %s

// Strips of eight lanes forwards and of four backwards share a loop over eight.
// CHECK: scratch-rows.c:[[@LINE+2]]:{{.*}} optimized 3 loops, {{.*}} SIMD wavefront of 8 lanes; {{.*}} SIMD wavefront of 4 lanes; 8 rows of {{[^;]*}};
void systems(int rows, int n, const double *a, const double *b, const double *c, double *d, double *t) {
  for (int r = 0; r < rows; r++) {
    double *x = d + r * n;
    t[0] = c[0] / b[0];
    x[0] /= b[0];
    for (int i = 1; i < n; i++) {
      double q = 1 / (b[i] - a[i] * t[i - 1]);
      t[i] = c[i] * q;
      x[i] = (x[i] - a[i] * x[i - 1]) * q;
    }
    for (int i = n - 2; i >= 0; i--)
      x[i] -= t[i] * x[i + 1];
  }
}

// CHECK: scratch-rows.c:[[@LINE+4]]:{{.*}} optimized 4 loops, {{.*}} reordered; 1 array expanded; {{.*}} used for
void distances(int h, int w, const int *set, int *d, int *t) {
  if (h < 2)
    return;
  for (int x = 0; x < w; x++) {
    t[0] = set[x] ? 0 : h + w;
    for (int y = 1; y < h; y++)
      t[y] = set[y * w + x] ? 0 : t[y - 1] + 1;
    for (int y = h - 2; y >= 0; y--) {
      int other = t[y + 1] + 1;
      t[y] = other < t[y] ? other : t[y];
    }
    for (int y = 0; y < h; y++)
      d[y * w + x] = t[y];
  }
}
