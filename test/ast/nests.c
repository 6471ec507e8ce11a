// Neighbouring nests that take turns in strips, chains that run side by side, loops that move into the nests below.
//
// RUN: %clang -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// Two chains of divisions along every row, rows side by side.
//
//CHECK-LABEL:Loops of function 'chains':
// CHECK-NEXT:scop "chains: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 199; c0 += 1) {
// CHECK-NEXT:  // simd-wavefront
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1598; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
// CHECK-NEXT:      S0(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
void chains(double u[1600][1600], double p[restrict 1600][1600]) {
  for (int i = 0; i < 1600; i++)
    for (int j = 1; j < 1600; j++)
      p[i][j] = u[i][j] / (4 - p[i][j - 1]);
}

// Forward and back along every row: eight rows forward, the same eight back, while what the first has written is still near.
//
//CHECK-LABEL:Loops of function 'lines':
// CHECK-NEXT:scop "lines: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 199; c0 += 1) {
// CHECK-NEXT:  // simd-wavefront
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1598; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
// CHECK-NEXT:      S0(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:  // simd-wavefront
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1598; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
// CHECK-NEXT:      S1(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
void lines(double u[restrict 1600][1600], double p[restrict 1600][1600]) {
  for (int i = 0; i < 1600; i++) {
    for (int j = 1; j < 1600; j++)
      p[i][j] = u[i][j] / (4 - p[i][j - 1]);
    for (int j = 1598; j >= 0; j--)
      u[i][j] = p[i][j] / (3 - u[i][j + 1]);
  }
}

// The way back begins with the last row: no turns.
//
//CHECK-LABEL:Loops of function 'last_row_first':
// CHECK-NEXT:scop "last_row_first: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 199; c0 += 1) {
// CHECK-NEXT:  // simd-wavefront
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1598; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
// CHECK-NEXT:      S0(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
// CHECK-NEXT:for (int c0 = 0; c0 <= 199; c0 += 1) {
// CHECK-NEXT:  // simd-wavefront
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1598; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
// CHECK-NEXT:      S1(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
void last_row_first(double u[restrict 1600][1600], double p[restrict 1600][1600]) {
  for (int i = 0; i < 1600; i++)
    for (int j = 1; j < 1600; j++)
      p[i][j] = u[i][j] / (4 - p[i][j - 1]);
  for (int i = 0; i < 1600; i++)
    for (int j = 1598; j >= 0; j--)
      u[i][j] = p[1599 - i][j] / (3 - u[i][j + 1]);
}
