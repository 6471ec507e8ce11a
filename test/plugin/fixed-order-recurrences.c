// A scalar that hands on what it has not computed from itself is no chain: LLVM makes vectors of
// such loops, and they are left alone.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass='poly|loop-vectorize' -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// The value before, in `old`.
// CHECK-DAG: fixed-order-recurrences.c:[[#@LINE+3]]:3: remark: 2 loops not optimized: no profitable transformation
// CHECK-DAG: fixed-order-recurrences.c:[[#@LINE+4]]:5: remark: vectorized loop
void upwind(int n, int steps, double c, double *u) {
  for (int t = 0; t < steps; t++) {
    double old = u[0];
    for (int i = 1; i < n; i++) {
      double here = u[i];
      u[i] = here - c * (here - old);
      old = here;
    }
  }
}

// The value that was computed, which is a chain: iterations of other rows are executed side by side.
// CHECK-DAG: fixed-order-recurrences.c:[[#@LINE+2]]:3: remark: optimized 2 loops, 1 statement; band of 2 tiled
void smooth(int rows, int n, double c, double *u) {
  for (int r = 0; r < rows; r++) {
    double old = u[r * n];
    for (int i = 1; i < n; i++) {
      old = u[r * n + i] - c * old;
      u[r * n + i] = old;
    }
  }
}
