// Loops over results move below the sums around them, where they make a register tile with the innermost sum.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;machine=znver4>)' \
// RUN:   | %FileCheck %s

#define N 40

// CHECK-LABEL: scop "pairs: {{.*}}"
// CHECK-NEXT: for (int c0 = 0; c0 <= 39; c0 += 1)
// CHECK-NEXT:   for (int c1 = 0; c1 <= 39; c1 += 1)
// CHECK-NEXT:     for (int c2 = 0; c2 <= 39; c2 += 1)
// CHECK-NEXT:       for (int c4 = 0; c4 <= 7; c4 += 1) {
// CHECK-NEXT:         // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:         for (int c5 = 0; c5 <= 39; c5 += 1)
// CHECK-NEXT:           for (int c6 = 5 * c4; c6 <= 5 * c4 + 4; c6 += 1) {
// CHECK-NEXT:             // vector
// CHECK-NEXT:             for (int c7 = 0; c7 <= 39; c7 += 1)
// CHECK-NEXT:               S0(c6, c0, c1, c7, c2, c5);
void pairs(double c[restrict N][N][N][N], double a[restrict N][N][N][N], double b[restrict N][N][N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++)
          for (int e = 0; e < N; e++)
            for (int f = 0; f < N; f++)
              c[i][j][k][l] += a[i][e][j][f] * b[e][k][f][l];
}

// The steps of a sum are a chain where nothing is left to move: what is summed up has one element.
// CHECK-LABEL: scop "all: {{.*}}"
// CHECK-NEXT: S_entry();
// CHECK-NEXT: for (int c0 = 0; c0 <= 39; c0 += 1)
// CHECK-NEXT:   for (int c1 = 0; c1 <= 39; c1 += 1)
// CHECK-NEXT:     S2(c0, c1);
double all(double a[restrict N][N], double sum) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += a[i][j];
  return sum;
}
