// Nests below two common loops, in blocks of one of them.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;block-size=16>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-block;block-size=16>)' \
// RUN:   | %FileCheck --check-prefix=WITHOUT %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;block-size=16;parallel>)' \
// RUN:   | %FileCheck --check-prefix=THREADS %s

// While the columns to the left run, those of a block stay where they are: within a block, each column is finished before those behind it are changed by it. Blocks begin at multiples of their size in the columns that are changed.
//
//CHECK-LABEL:Loops of function 'orthogonal':
// CHECK-NEXT:scop "orthogonal: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= min(16 * c0 + 14, 99); c1 += 1) {
// CHECK-NEXT:    if (c1 + 1 >= 16 * c0) {
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1)
// CHECK-NEXT:        S0(c1, c2);
// CHECK-NEXT:      // vector
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1)
// CHECK-NEXT:        S1(c1, c2);
// CHECK-NEXT:    }
// CHECK-NEXT:    if (c1 <= 98) {
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1) {
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c3 = max(c1 + 1, 16 * c0); c3 <= min(16 * c0 + 15, 99); c3 += 1)
// CHECK-NEXT:          S2(c1, c3 - c1 - 1, c2);
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1) {
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c3 = max(c1 + 1, 16 * c0); c3 <= min(16 * c0 + 15, 99); c3 += 1)
// CHECK-NEXT:          S3(c1, c3 - c1 - 1, c2);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
//
// Threads do not share what is inside: the data of a block are in the near cache of one of them.
//
//THREADS-LABEL:Loops of function 'orthogonal':
//THREADS-NOT:parallel
//THREADS:for (int c0 = 0; c0 <= 6; c0 += 1)
//THREADS-NOT:parallel
//THREADS:S3(
//
//WITHOUT-LABEL:Loops of function 'orthogonal':
//WITHOUT-NOT:16 *
void orthogonal(double a[restrict 50][100], double r[restrict 100][100], double q[restrict 50][100]) {
  for (long k = 0; k < 100; k++) {
    for (long i = 0; i < 50; i++)
      r[k][k] += a[i][k] * a[i][k];
    for (long i = 0; i < 50; i++)
      q[i][k] = a[i][k] * r[k][k];
    for (long j = k + 1; j < 100; j++) {
      for (long i = 0; i < 50; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (long i = 0; i < 50; i++)
        a[i][j] -= q[i][k] * r[k][j];
    }
  }
}
