// Nests below two common loops, in blocks of one of them.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-pack-blocks;no-splitting;block-size=16>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-block;no-splitting;block-size=16>)' \
// RUN:   | %FileCheck --check-prefix=WITHOUT %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-splitting;block-size=16;parallel;no-wavefront>)' \
// RUN:   | %FileCheck --check-prefix=THREADS %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-pack-blocks;no-splitting;block-size=16;parallel>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefixes=DOACROSS,WAVEFRONTS %s

// While the columns to the left run, those of a block stay where they are: within a block, each column is finished before those behind it are changed by it. Blocks begin at multiples of their size in the columns that are changed.
//
//CHECK-LABEL:Loops of function 'orthogonal':
// CHECK-NEXT:scop "orthogonal: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= min(16 * c0 + 15, 99); c1 += 1) {
// CHECK-NEXT:    if (c1 >= 16 * c0) {
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1)
// CHECK-NEXT:        S0(c1, c2);
// CHECK-NEXT:      // no-vector
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1)
// CHECK-NEXT:        S1(c1, c2);
// CHECK-NEXT:    }
// CHECK-NEXT:    if (16 * c0 + 14 >= c1 && c1 <= 98) {
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
// They run blocks of columns as a DOACROSS loop: a block waits for one on the left of it before it needs its columns.
//
//DOACROSS-LABEL:Loops of function 'orthogonal':
// DOACROSS-NEXT:scop "orthogonal: {{.*}}"
// DOACROSS-NEXT:// doacross
// DOACROSS-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1)
// DOACROSS-NEXT:  for (int c1 = 0; c1 <= c0; c1 += 1) {
// DOACROSS-NEXT:    if (c0 > c1)
// DOACROSS-NEXT:      Wait0(c0, c1);
// DOACROSS-NEXT:    for (int c2 = 16 * c1; c2 <= min(16 * c1 + 15, 99); c2 += 1) {
// DOACROSS-NEXT:      if (c0 == c1) {
// DOACROSS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1)
// DOACROSS-NEXT:          S0(c2, c3);
// DOACROSS-NEXT:        // no-vector
// DOACROSS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1)
// DOACROSS-NEXT:          S1(c2, c3);
// DOACROSS-NEXT:      }
// DOACROSS-NEXT:      if (16 * c0 + 14 >= c2 && c2 <= 98) {
// DOACROSS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1) {
// DOACROSS-NEXT:          // vector
// DOACROSS-NEXT:          for (int c4 = max(c2 + 1, 16 * c0); c4 <= min(16 * c0 + 15, 99); c4 += 1)
// DOACROSS-NEXT:            S2(c2, c4 - c2 - 1, c3);
// DOACROSS-NEXT:        }
// DOACROSS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1) {
// DOACROSS-NEXT:          // vector
// DOACROSS-NEXT:          for (int c4 = max(c2 + 1, 16 * c0); c4 <= min(16 * c0 + 15, 99); c4 += 1)
// DOACROSS-NEXT:            S3(c2, c4 - c2 - 1, c3);
// DOACROSS-NEXT:        }
// DOACROSS-NEXT:      }
// DOACROSS-NEXT:    }
// DOACROSS-NEXT:  }
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

// A row waits for the one before it in each step: all of the block before would have to be finished. Threads share blocks of both loops whose numbers have the same sum.
//
//WAVEFRONTS-LABEL:Loops of function 'swept':
// WAVEFRONTS-NEXT:scop "swept: {{.*}}"
// WAVEFRONTS-NEXT:for (int c0 = -1; c0 <= 18; c0 += 1) {
// WAVEFRONTS-NEXT:  // parallel
// WAVEFRONTS-NEXT:  for (int c1 = max(floord(c0 - 6, 2), 0); c1 <= min(floord(c0, 2), 6); c1 += 1)
// WAVEFRONTS-NEXT:    for (int c3 = 16 * c0 - 16 * c1; c3 <= min(16 * c0 + 15 - 16 * c1, min(16 * c1 + 113, 197)); c3 += 1) {
// WAVEFRONTS-NEXT:      for (int c4 = max(floord(16 * c1 - c3, 4), -25); c4 <= min(floord(16 * c1 + 15 - c3, 4), min(floord(99 - c3, 4), 0)); c4 += 1) {
// WAVEFRONTS-NEXT:        // simd-wavefront
// WAVEFRONTS-NEXT:        for (int c5 = 0; c5 <= 49; c5 += 1) {
// WAVEFRONTS-NEXT:          // vector
// WAVEFRONTS-NEXT:          for (int c6 = max(16 * c1 - c3, max(4 * c4, -98)); c6 <= min(4 * c4 + 3, min(16 * c1 + 15 - c3, min(99 - c3, 0))); c6 += 1)
// WAVEFRONTS-NEXT:            S0(c3 + c6, -c6, c5);
// WAVEFRONTS-NEXT:        }
// WAVEFRONTS-NEXT:      }
// WAVEFRONTS-NEXT:      for (int c4 = max(16 * c1 - c3, -98); c4 <= min(16 * c1 + 15 - c3, min(99 - c3, 0)); c4 += 1) {
// WAVEFRONTS-NEXT:        // vector
// WAVEFRONTS-NEXT:        for (int c5 = 0; c5 <= 49; c5 += 1)
// WAVEFRONTS-NEXT:          S1(c3 + c4, -c4, c5);
// WAVEFRONTS-NEXT:      }
// WAVEFRONTS-NEXT:    }
// WAVEFRONTS-NEXT:}
//
void swept(double a[restrict 100][50], double r[restrict 100][100]) {
  for (long k = 0; k < 100; k++)
    for (long j = 1; j < 100; j++) {
      for (long i = 0; i < 50; i++)
        r[k][j] += a[j - 1][i] * a[j][i];
      for (long i = 0; i < 50; i++)
        a[j][i] -= r[k][j] * a[j - 1][i];
    }
}
