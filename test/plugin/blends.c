// Vectors of SSE2 choose with three operations, and a minimum of integers takes four: a table of dynamic programming of
// which two rows are kept has no wavefront there, as the original is as fast. SSE4.1 has an operation for each.
//
// RUN: %clang -O3 -march=x86-64 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SSE2 --implicit-check-not='remark: optimized'
// RUN: %clang -O3 -march=x86-64-v2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SSE4
//
// SSE2: remark: 1 loop not optimized: no profitable transformation
// SSE4: remark: optimized 2 loops, {{.*}}SIMD wavefront of 4 lanes
#define MIN(a, b) ((a) < (b) ? (a) : (b))

int distance(int n, int m, const short *a, const short *b, int *p, int *q) {
  p[0] = 0;
  for (int j = 1; j <= m; j++)
    p[j] = p[j - 1] + 1;
  for (int i = 1; i <= n; i++) {
    q[0] = i;
    for (int j = 1; j <= m; j++)
      q[j] = MIN(MIN(p[j] + 1, q[j - 1] + 1), p[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 2));
    int *t = p;
    p = q;
    q = t;
  }
  return p[m];
}
