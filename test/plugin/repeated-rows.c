// A loop that repeats a kernel overwrites its results, and hands nothing on: it is no chain, and
// nothing is gained by rows side by side in it. Of ten rows, none fill a strip of sixteen lanes.
// (The sums over k are unrolled before.)
//
// RUN: %clang -O3 -march=x86-64-v3 -DSIZE=30 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -march=znver4 -DSIZE=10 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// CHECK: repeated-rows.c:[[#@LINE+2]]:3: remark: 3 loops not optimized: no profitable transformation was found
void repeated(int times, int **a, int **b, int **c) {
  for (int t = 0; t < times; t++)
    for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++) {
        int sum = 0;
        for (int k = 0; k < SIZE; k++)
          sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
}
