// Columns of a matrix whose rows are a power of two apart do not stay in the first cache: going along them, each store waits for a place. The arrays fit the second cache.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -march=x86-64-v3 -DPITCH=272 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=APART

#ifndef PITCH
#define PITCH 256
#endif
#define N 256

float a[N][PITCH], b[N][PITCH], c[N][PITCH];

// Apart, they stay in the second cache, where vectors gain, but much less.
// APART: crowded-columns.c:[[#@LINE+3]]:3: remark: optimized 2 loops, 2 statements; band of 2, reordered, vector; band of 1; predicted {{[0-9.]+}}e4 cycles against {{[0-9.]+}}e4
// CHECK: crowded-columns.c:[[#@LINE+2]]:3: remark: optimized 2 loops, 2 statements; band of 2, reordered, vector;
void identity(void) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      a[j][i] = 0;
    a[i][i] = 1;
  }
}

// The loops are those over columns and rows, wherever the inner one begins.
// CHECK: crowded-columns.c:[[#@LINE+2]]:3: remark: optimized 2 loops, 1 statement; band of 2, reordered, vector;
void triangle(void) {
  for (int j = 0; j < N; j++)
    for (int i = j; i < N; i++)
      a[i][j] = b[i][j] + c[i][j];
}
