// Partial register tiles of a factorization: the column that is divided is a factor of those behind it, so that the loop over columns is not free of dependences. It is where
// the AST has that statement before it.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=2:1>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

//CHECK-LABEL:Loops of function 'lu':
// CHECK-NEXT:scop "lu: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 99; c1 += 1)
// CHECK-NEXT:    for (int c2 = 32 * c0; c2 <= min(32 * c0 + 31, 99); c2 += 1) {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c3 = 0; c3 <= min(2 * c2 - 1, 2 * c1 - 1); c3 += 1)
// CHECK-NEXT:        for (int c4 = 2 * c2; c4 <= 2 * c2 + 1; c4 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c5 = 2 * c1; c5 <= 2 * c1 + 1; c5 += 1)
// CHECK-NEXT:            S0(c4, c5, c3);
// CHECK-NEXT:        }
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c3 = min(2 * c2, 2 * c1); c3 <= min(2 * c2, 2 * c1 + 1); c3 += 1)
// CHECK-NEXT:        for (int c4 = max(c3 + 1, 2 * c2); c4 <= 2 * c2 + 1; c4 += 1) {
// CHECK-NEXT:          if (c3 >= 2 * c1)
// CHECK-NEXT:            S1(c4, c3);
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c5 = max(c3 + 1, 2 * c1); c5 <= 2 * c1 + 1; c5 += 1)
// CHECK-NEXT:            S0(c4, c5, c3);
// CHECK-NEXT:        }
// CHECK-NEXT:    }
void lu(double a[restrict 200][200]) {
  for (long i = 0; i < 200; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (long j = i; j < 200; j++)
      for (long k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
