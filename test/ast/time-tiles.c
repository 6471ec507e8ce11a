// Tiles over several time steps of stencils: box-shaped, as wavefronts and as diamonds for threads.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;tile-sizes=16:32>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=BOXES %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;tile-sizes=16:32;parallel;no-diamond>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=WAVEFRONTS %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;tile-sizes=16:32;parallel;no-wavefront>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=DIAMONDS %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;tile-sizes=16:32;no-time-tile>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=OFF %s

// Rows of their own, which are vector code.
//
//BOXES-LABEL:Loops of function 'jacobi':
// BOXES-NEXT:scop "jacobi: {{.*}}"
// BOXES-NEXT:for (int c0 = 0; c0 <= floord(t - 1, 16); c0 += 1)
// BOXES-NEXT:  for (int c1 = c0; c1 <= min(c0 + 4, floord(t + 49, 16)); c1 += 1)
// BOXES-NEXT:    for (int c2 = max(16 * c0, 16 * c1 - 50); c2 <= min(t - 1, 16 * c0 + 15); c2 += 1) {
// BOXES-NEXT:      // vector
// BOXES-NEXT:      for (int c3 = max(32 * c1, 2 * c2); c3 <= min(32 * c1 + 31, 2 * c2 + 99); c3 += 1)
// BOXES-NEXT:        S0(c2, c3 - 2 * c2);
// BOXES-NEXT:      // vector
// BOXES-NEXT:      for (int c3 = max(2 * c2 + 1, 32 * c1); c3 <= min(32 * c1 + 31, 2 * c2 + 100); c3 += 1)
// BOXES-NEXT:        S1(c2, c3 - 2 * c2 - 1);
// BOXES-NEXT:    }
// BOXES-NOT:{{.+}}
//
// The tiles of a diagonal are independent of each other.
//
//WAVEFRONTS-LABEL:Loops of function 'jacobi':
// WAVEFRONTS-NEXT:scop "jacobi: {{.*}}"
// WAVEFRONTS-NEXT:for (int c0 = -1; c0 <= floord(t + 24, 8); c0 += 1) {
// WAVEFRONTS-NEXT:  // parallel
// WAVEFRONTS-NEXT:  for (int c1 = max(floord(16 * c0 + 16 - t, 16), floord(c0 + 1, 2)); c1 <= min(c0, min(floord(c0 + 4, 2), floord(t + 49, 16))); c1 += 1)
// WAVEFRONTS-NEXT:    for (int c3 = max(16 * c0 - 16 * c1, 16 * c1 - 50); c3 <= min(t - 1, 16 * c0 + 15 - 16 * c1); c3 += 1) {
// WAVEFRONTS-NEXT:      // vector
// WAVEFRONTS-NEXT:      for (int c4 = max(32 * c1, 2 * c3); c4 <= min(32 * c1 + 31, 2 * c3 + 99); c4 += 1)
// WAVEFRONTS-NEXT:        S0(c3, c4 - 2 * c3);
// WAVEFRONTS-NEXT:      // vector
// WAVEFRONTS-NEXT:      for (int c4 = max(2 * c3 + 1, 32 * c1); c4 <= min(32 * c1 + 31, 2 * c3 + 100); c4 += 1)
// WAVEFRONTS-NEXT:        S1(c3, c4 - 2 * c3 - 1);
// WAVEFRONTS-NEXT:    }
// WAVEFRONTS-NEXT:}
// WAVEFRONTS-NOT:{{.+}}
//
// Time lies between the hyperplanes of the tiles; they start together.
//
//DIAMONDS-LABEL:Loops of function 'jacobi':
// DIAMONDS-NEXT:scop "jacobi: {{.*}}"
// DIAMONDS-NEXT:for (int c0 = -1; c0 <= floord(t - 1, 8); c0 += 1) {
// DIAMONDS-NEXT:  // parallel
// DIAMONDS-NEXT:  for (int c1 = floord(c0 + 1, 2); c1 <= min(floord(c0 + 7, 2), floord(t + 49, 16)); c1 += 1)
// DIAMONDS-NEXT:    for (int c3 = max(8 * c0, max(16 * c1 - 50, 0)); c3 <= min(t - 1, min(8 * c0 + 15, 16 * c0 + 65 - 16 * c1)); c3 += 1) {
// DIAMONDS-NEXT:      // vector
// DIAMONDS-NEXT:      for (int c4 = max(32 * c1, max(2 * c3, 32 * c1 + 4 * c3 - 32 * c0 - 31)); c4 <= min(32 * c1 + 4 * c3 - 32 * c0, min(32 * c1 + 31, 2 * c3 + 99)); c4 += 1)
// DIAMONDS-NEXT:        S0(c3, c4 - 2 * c3);
// DIAMONDS-NEXT:      // vector
// DIAMONDS-NEXT:      for (int c4 = max(2 * c3 + 1, max(32 * c1, 32 * c1 + 4 * c3 - 32 * c0 - 29)); c4 <= min(32 * c1 + 4 * c3 + 2 - 32 * c0, min(32 * c1 + 31, 2 * c3 + 100)); c4 += 1)
// DIAMONDS-NEXT:        S1(c3, c4 - 2 * c3 - 1);
// DIAMONDS-NEXT:    }
// DIAMONDS-NEXT:}
// DIAMONDS-NOT:{{.+}}
//
// Both statements in one loop, which is none for vectors.
//
//OFF-LABEL:Loops of function 'jacobi':
// OFF-NEXT:scop "jacobi: {{.*}}"
// OFF-NEXT:for (int c0 = 0; c0 <= floord(t - 1, 16); c0 += 1)
// OFF-NEXT:  for (int c1 = c0; c1 <= min(c0 + 4, floord(t + 49, 16)); c1 += 1)
// OFF-NEXT:    for (int c2 = max(16 * c0, 16 * c1 - 50); c2 <= min(t - 1, 16 * c0 + 15); c2 += 1) {
// OFF-NEXT:      if (c0 == c1)
// OFF-NEXT:        S0(c2, 0);
// OFF-NEXT:      for (int c3 = max(2 * c2 + 1, 32 * c1); c3 <= min(32 * c1 + 31, 2 * c2 + 99); c3 += 1) {
// OFF-NEXT:        S0(c2, c3 - 2 * c2);
// OFF-NEXT:        S1(c2, c3 - 2 * c2 - 1);
// OFF-NEXT:      }
// OFF-NEXT:      if (16 * c1 >= c2 + 35)
// OFF-NEXT:        S1(c2, 99);
// OFF-NEXT:    }
// OFF-NOT:{{.+}}
void jacobi(long t, double *restrict A, double *restrict B) {
  for (long k = 0; k < t; k++) {
    for (long i = 0; i < 100; i++)
      B[i + 1] = A[i] + A[i + 1] + A[i + 2];
    for (long i = 0; i < 100; i++)
      A[i + 1] = B[i] + B[i + 1] + B[i + 2];
  }
}
