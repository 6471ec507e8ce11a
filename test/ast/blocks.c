// Nests below two common loops, in blocks of one of them.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-pack-blocks;block-size=16>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-block;block-size=16>)' \
// RUN:   | %FileCheck --check-prefix=WITHOUT %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;block-size=16;parallel;no-wavefront>)' \
// RUN:   | %FileCheck --check-prefix=THREADS %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;block-size=16;parallel>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=WAVES %s

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
// They share blocks of both loops whose numbers have the same sum.
//
//WAVES-LABEL:Loops of function 'orthogonal':
// WAVES-NEXT:scop "orthogonal: {{.*}}"
// WAVES-NEXT:for (int c0 = -1; c0 <= 12; c0 += 1) {
// WAVES-NEXT:  // parallel
// WAVES-NEXT:  for (int c1 = floord(c0 + 1, 2); c1 <= min(c0, 6); c1 += 1)
// WAVES-NEXT:    for (int c3 = 16 * c0 - 16 * c1; c3 <= min(16 * c1 + 14, min(16 * c0 + 15 - 16 * c1, 99)); c3 += 1) {
// WAVES-NEXT:      if (c3 + 1 >= 16 * c1) {
// WAVES-NEXT:        for (int c4 = 0; c4 <= 49; c4 += 1)
// WAVES-NEXT:          S0(c3, c4);
// WAVES-NEXT:        // vector
// WAVES-NEXT:        for (int c4 = 0; c4 <= 49; c4 += 1)
// WAVES-NEXT:          S1(c3, c4);
// WAVES-NEXT:      }
// WAVES-NEXT:      if (c3 <= 98) {
// WAVES-NEXT:        for (int c4 = 0; c4 <= 49; c4 += 1) {
// WAVES-NEXT:          // vector
// WAVES-NEXT:          for (int c5 = max(c3 + 1, 16 * c1); c5 <= min(16 * c1 + 15, 99); c5 += 1)
// WAVES-NEXT:            S2(c3, c5 - c3 - 1, c4);
// WAVES-NEXT:        }
// WAVES-NEXT:        for (int c4 = 0; c4 <= 49; c4 += 1) {
// WAVES-NEXT:          // vector
// WAVES-NEXT:          for (int c5 = max(c3 + 1, 16 * c1); c5 <= min(16 * c1 + 15, 99); c5 += 1)
// WAVES-NEXT:            S3(c3, c5 - c3 - 1, c4);
// WAVES-NEXT:        }
// WAVES-NEXT:      }
// WAVES-NEXT:    }
// WAVES-NEXT:}
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
