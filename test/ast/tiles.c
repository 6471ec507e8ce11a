// Tiled loops: full and cut tiles, nothing outside.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-time-tile;tile-sizes=16:8:5>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// Sizes that divide nothing: the last tiles are cut off.
//
//CHECK-LABEL:Loops of function 'product':
// CHECK-NEXT:scop "product: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 12; c1 += 1)
// CHECK-NEXT:    for (int c2 = 0; c2 <= 19; c2 += 1)
// CHECK-NEXT:      for (int c3 = 16 * c0; c3 <= min(16 * c0 + 15, 99); c3 += 1)
// CHECK-NEXT:        for (int c4 = 8 * c1; c4 <= min(8 * c1 + 7, 99); c4 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c5 = 5 * c2; c5 <= 5 * c2 + 4; c5 += 1)
// CHECK-NEXT:            S0(c3, c5, c4);
// CHECK-NEXT:        }
void product(double A[100][100], double B[100][100], double C[restrict 100][100]) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++)
      for (long k = 0; k < 100; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// Tiles of a triangle that are cut by its diagonal.
//
//CHECK-LABEL:Loops of function 'triangle':
// CHECK-NEXT:scop "triangle: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1)
// CHECK-NEXT:  for (int c1 = 2 * c0; c1 <= 12; c1 += 1)
// CHECK-NEXT:    for (int c2 = 16 * c0; c2 <= min(8 * c1 + 7, min(16 * c0 + 15, 99)); c2 += 1)
// CHECK-NEXT:      for (int c3 = max(8 * c1, c2); c3 <= min(8 * c1 + 7, 99); c3 += 1)
// CHECK-NEXT:        S0(c3, c2);
void triangle(double A[100][100], double (*restrict B)[100]) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j <= i; j++)
      B[j][i] += A[i][j];
}

// Skewed tiles of a stencil.
//
//CHECK-LABEL:Loops of function 'seidel':
// CHECK-NEXT:scop "seidel: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= floord(t - 1, 16); c0 += 1)
// CHECK-NEXT:  for (int c1 = 2 * c0; c1 <= min(2 * c0 + 14, floord(t + 96, 8)); c1 += 1)
// CHECK-NEXT:    for (int c2 = max(16 * c0, 8 * c1 - 97); c2 <= min(t - 1, min(8 * c1 + 7, 16 * c0 + 15)); c2 += 1)
// CHECK-NEXT:      for (int c3 = max(8 * c1, c2); c3 <= min(8 * c1 + 7, c2 + 97); c3 += 1)
// CHECK-NEXT:        S0(c2, c3 - c2);
void seidel(long t, double *A) {
  for (long k = 0; k < t; k++)
    for (long i = 1; i < 99; i++)
      A[i] = A[i - 1] + A[i] + A[i + 1];
}

// Parametric sizes.
//
//CHECK-LABEL:Loops of function 'transpose':
// CHECK-NEXT:scop "transpose: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= floord(n - 1, 16); c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= floord(m - 1, 8); c1 += 1)
// CHECK-NEXT:    for (int c2 = 8 * c1; c2 <= min(m - 1, 8 * c1 + 7); c2 += 1)
// CHECK-NEXT:      for (int c3 = 16 * c0; c3 <= min(n - 1, 16 * c0 + 15); c3 += 1)
// CHECK-NEXT:        S0(c3, c2);
void transpose(long n, long m, double (*restrict A)[m], double (*restrict B)[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      B[j][i] = A[i][j];
}
