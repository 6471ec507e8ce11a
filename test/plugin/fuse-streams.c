// Loops that stream over the same arrays are one loop: each of them brings from memory what another one has brought. An
// array that one of them writes and others read is one stream, wherever the statements name it, and so is one that two read.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: fuse-streams.c:{{.*}} remark: optimized 3 loops, 3 statements; band of 1, vector;
void chain(int n, float a, float b, const float *x, const float *y, float *z, float *w) {
  for (int i = 0; i < n; i++)
    z[i] = a * x[i] + y[i];
  for (int i = 0; i < n; i++)
    w[i] = b * z[i] - x[i];
  for (int i = 0; i < n; i++)
    z[i] = z[i] * w[i];
}

// Streams that have nothing in common stay loops of their own.
// CHECK-NOT: optimized
void apart(int n, const double *a, double *restrict b, const double *c, double *restrict d) {
  for (int i = 0; i < n; i++)
    b[i] = a[i] + 1.0;
  for (int i = 0; i < n; i++)
    d[i] = c[i] * 2.0;
}
