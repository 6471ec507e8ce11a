// Register tiles beside statements that an equality binds to a face of the tile: full tiles end where these begin.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=4:2>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// The division S0 is in the column that is finished, to the right of which S1 works.
//
//CHECK-LABEL:Loops of function 'doolittle':
//      CHECK:          // register-tile(S1.3, S1.2; partial S1)
// CHECK-NEXT:          for (int c4 = {{.*}}; c4 <= min(4 * c2 - 1, {{.*}}); c4 += 1)
// CHECK-NEXT:            for (int c5 = 4 * c3; c5 <= 4 * c3 + 3; c5 += 1) {
// CHECK-NEXT:              // vector
// CHECK-NEXT:              for (int c6 = 4 * c2; c6 <= 4 * c2 + 3; c6 += 1)
// CHECK-NEXT:                S1(c4, c5 - c4, c6 - c4);
// CHECK-NEXT:            }
void doolittle(int n, double a[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}
