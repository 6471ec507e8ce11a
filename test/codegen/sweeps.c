// Sweeps over rows of a sparse matrix are executed several at once, behind an inspection of the
// index arrays; without libraries, and with one for threads in the original loops.

// RUN: %clang -O2 %withpoly -g -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: env POLY_OPTS=no-inspectors %clang -O2 %withpoly -g -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck --allow-empty --check-prefix=OFF %s
// RUN: env POLY_OPTS=parallel %clang -O2 %withpoly -g -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck --check-prefix=BOTH %s
// RUN: %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck %s
// RUN: %clang -O2 %s -DMAIN -o %t.expected && %t.expected > %t.txt
// RUN: env POLY_OPTS=force %clang -O2 %withpoly %s -DMAIN -o %t.1 && %t.1 | cmp - %t.txt
// RUN: %clang -O2 %withpoly %s -DMAIN -o %t.2 && %t.2 | cmp - %t.txt

// REMARK: sweeps.c:[[@LINE+24]]:3: remark: loops depend on themselves through index arrays: 3 loops are run in several sweeps at once where an inspection of the index arrays at run time finds that rows read near themselves only
// REMARK-NOT: several sweeps
// BOTH: sweeps.c:[[@LINE+22]]:3: remark: loops depend on themselves through index arrays: 1 loop is run in several sweeps at once
// BOTH: sweeps.c:[[@LINE+22]]:5: remark: loops depend on themselves through index arrays: 2 loops are run by threads
// OFF-NOT: index arrays

// CHECK-LABEL: define {{.*}}@sweeps(
// CHECK: call {{.*}}i1 @sweeps_poly_sweeps_0(ptr {{.*}}, i64 %{{.*}}, i64 %{{.*}})
// A read counts where it is of what the row directly before has written: up to 8 bytes behind.
// CHECK-LABEL: define internal void @sweeps_poly_reach_0(
// CHECK: icmp ult i64 %{{[0-9]+}}, 8{{$}}
// CHECK: icmp ult i64 %{{[0-9]+}}, 8{{$}}
// CHECK-NOT: icmp ult i64 %{{[0-9]+}}, 32{{$}}
// The inspector of rows looks at elements of the index array in vectors.
// CHECK-LABEL: define internal void @sweeps_poly_scan_0(
// CHECK: llvm.vector.reduce.smin
// CHECK-LABEL: define internal void @sweeps_poly_rows_0(
// CHECK-NOT: {{fmul|fadd|fsub|fdiv|load double}}
// CHECK: }
// CHECK-NOT: @other_poly

#include <stdio.h>

__attribute__((noinline)) void sweeps(int n, int times, const int *row, const int *col, const double *val, double *x) {
  for (int t = 0; t < times; t++)
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s * 0.3;
    }
}

// The matrix changes from sweep to sweep.
__attribute__((noinline)) void other(int n, int times, const int *row, int *col, const double *val, double *x) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s * 0.3;
    }
    col[t] = 0;
  }
}

#ifdef MAIN
#define N 3000
static int row[N + 1], col[4 * N];
static double val[4 * N], x[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    row[i + 1] = row[i];
    for (int d = -25; d <= 25; d += d == -25 || d == 1 ? 24 : 2)
      if (i + d >= 0 && i + d < N)
        col[row[i + 1]++] = i + d;
  }
  for (int k = 0; k < 4 * N; k++)
    val[k] = 0.1 + 0.01 * (k % 9);
  for (int times = 0; times < 9; times++) {
    sweeps(N, times, row, col, val, x);
    for (int i = 0; i < N; i++)
      printf("%a\n", x[i]);
  }
  return 0;
}
#endif
