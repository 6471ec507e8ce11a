// Where sizes are known only when the program runs, new loops are used only from the sizes on at which they are predicted to pay. The remark says which.
//
// RUN: %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=no-size-checks %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck --check-prefix=ALWAYS %s
// RUN: env POLY_OPTS=force %clang -O3 -c %s -o %t.o %withpoly -Rpass=poly 2>&1 | %FileCheck --check-prefix=ALWAYS %s
//
// ALWAYS: sizes.c:[[@LINE+6]]:3: remark: optimized 3 loops
// ALWAYS-NOT: used for

// CHECK: sizes.c:[[@LINE+3]]:3: remark: optimized 3 loops
// CHECK-SAME: used for [p0] -> { : p0 >= {{[1-9][0-9]*}} }; predicted
void product(long n, double a[n][n], double b[n][n], double c[n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// What counts is how many iterations there are, not where they begin.
//
// CHECK: sizes.c:[[@LINE+3]]:3: remark: optimized 2 loops
// CHECK-SAME: used for [p0, p1, p2] -> { : p1 >= {{[1-9][0-9]*}} + p0 }
void part(long low, long high, long n, double a[n][n], double b[n][n]) {
  for (long i = low; i < high; i++)
    for (long j = low; j < high; j++)
      a[j][i] += b[i][j];
}

// A row of a thousand elements stays in the first cache, one of a million does not.
//
// CHECK: sizes.c:[[@LINE+3]]:3: remark: optimized 3 loops
// CHECK-SAME: used for [p0, p1] -> { : p0 >= {{[1-9][0-9][0-9]+}} and p1 >= {{[1-9][0-9]*}} }
void row(long steps, long n, double *restrict a, double *restrict b) {
  for (long t = 0; t < steps; t++) {
    for (long i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.125 * a[i + 1];
    for (long i = 1; i < n - 1; i++)
      a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.125 * b[i + 1];
  }
}
