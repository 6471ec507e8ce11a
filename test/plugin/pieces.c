// The pieces of a domain that come one after the other have loops of their own, which get register
// tiles. The sum is in a PHI node of the condition and in one of the loop, which copy each other:
// both go to the element that is stored behind the loop.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: env POLY_OPTS=no-splitting %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=WHOLE

// CHECK: remark: optimized 4 loops, 5 statements; {{.*}}band of 2, register tiles of {{.*}}band of 2, register tiles of
// WHOLE: remark: optimized 4 loops, 4 statements;
// WHOLE-NOT: register tiles
void jacobi(int n, int steps, const double *a, const double *b, double *x, double *y) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int j = 0; j < n; j++)
        if (j != i)
          s -= a[i * n + j] * x[j];
      y[i] = s / a[i * n + i];
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  }
}
