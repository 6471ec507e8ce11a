// Loops that become possible because several statements update the same elements by one operation.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: env POLY_OPTS='parallel;num-threads=2' %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=THREADS %s
// RUN: env POLY_OPTS=no-block %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=ROWS %s

#define RAISE(element, value)          \
  do {                                 \
    int old = element, new = value;    \
    element = old > new ? old : new;   \
  } while (0)

// Nussinov's algorithm, row by row. What is found between i and k is joined with what is found behind k, for all ends j at once, as soon as it is complete.
//
// ROWS-LABEL:Loops of function 'pairs':
// ROWS-NEXT:scop "pairs: for.body => for.end111"
// ROWS-NEXT:// no-vector
// ROWS-NEXT:for (int c0 = 1; c0 <= 2499; c0 += 1)
// ROWS-NEXT:  S2(c0, 0);
// ROWS-NEXT:for (int c0 = 1; c0 <= 2499; c0 += 1) {
// ROWS-NEXT:  S1(c0, 0);
// ROWS-NEXT:  // vector
// ROWS-NEXT:  for (int c1 = 1 - c0; c1 <= -1; c1 += 1) {
// ROWS-NEXT:    S1(c0, c0 + c1);
// ROWS-NEXT:    S3(c0, c0 + c1);
// ROWS-NEXT:  }
// ROWS-NEXT:  for (int c1 = 0; c1 < c0; c1 += 1) {
// ROWS-NEXT:    S0(c0, c1);
// ROWS-NEXT:    for (int c2 = c1 + 1; c2 < c0; c2 += 1)
// ROWS-NEXT:      S4(c0, c2, c1);
// ROWS-NEXT:  }
// ROWS-NEXT:}
//
// In tiles: what rows and columns of other tiles make together comes first, in register tiles, then the elements of the tile.
//
// CHECK-LABEL:Loops of function 'pairs':
// CHECK-NEXT:scop "pairs: for.body => for.end111"
// CHECK-NEXT:// no-vector
// CHECK-NEXT:for (int c0 = 1; c0 <= 2499; c0 += 1)
// CHECK-NEXT:  S2(c0, 0);
// CHECK-NEXT:for (int c0 = 0; c0 <= 39; c0 += 1)
// CHECK-NEXT:  for (int c1 = max(floord(-16 * c0 - 16, 15), -42); c1 <= -1; c1 += 1) {
// CHECK-NEXT:    if (16 * c0 + 15 * c1 >= 0)
// CHECK-NEXT:      for (int c2 = floord(-c0 - 1, 8); c2 <= floord(15 * c1 - 1, 128); c2 += 1)
// CHECK-NEXT:        for (int c3 = 5 * c1; c3 <= 5 * c1 + 4; c3 += 1) {
// CHECK-NEXT:          // panel
// CHECK-NEXT:          for (int c4 = 16 * c0; c4 <= min(16 * c0 + 15, 624); c4 += 1) {
// CHECK-NEXT:            if (16 * c0 == c4 && 0 > c0 + 8 * c2)
// CHECK-NEXT:              for (int c6 = 64 * c0 + 1; c6 <= 64 * c0 + 3; c6 += 1) {
// CHECK-NEXT:                // vector
// CHECK-NEXT:                for (int c7 = max(1 - 64 * c0, 12 * c3); c7 <= 12 * c3 + 11; c7 += 1)
// CHECK-NEXT:                  S4(c6, c6 + c7, c6 - 64 * c0 - 1);
// CHECK-NEXT:              }
// CHECK-NEXT:            // register-tile(S4.3, S4.0; partial S4)
// CHECK-NEXT:            for (int c5 = max(512 * c2, max(-4 * c4, -64 * c0 - 1)); c5 <= min(12 * c3 - 2, min(60 * c1 - 1, 512 * c2 + 511)); c5 += 1)
// CHECK-NEXT:              for (int c6 = 4 * c4; c6 <= 4 * c4 + 3; c6 += 1) {
// CHECK-NEXT:                // vector
// CHECK-NEXT:                for (int c7 = 12 * c3; c7 <= 12 * c3 + 11; c7 += 1)
// CHECK-NEXT:                  S4(c6, c6 + c7, c5 + c6);
// CHECK-NEXT:              }
// CHECK-NEXT:            // register-tile(S4.3, S4.0; partial S4)
// CHECK-NEXT:            for (int c5 = max(-4 * c4, 12 * c3 - 1); c5 <= min(60 * c1 - 1, 512 * c2 + 511); c5 += 1)
// CHECK-NEXT:              for (int c6 = 4 * c4; c6 <= 4 * c4 + 3; c6 += 1) {
// CHECK-NEXT:                // vector
// CHECK-NEXT:                for (int c7 = c5 + 2; c7 <= 12 * c3 + 11; c7 += 1)
// CHECK-NEXT:                  S4(c6, c6 + c7, c5 + c6);
// CHECK-NEXT:              }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:    for (int c2 = max(64 * c0, -60 * c1 - 59); c2 <= min(64 * c0 + 63, 2499); c2 += 1) {
// CHECK-NEXT:      if (60 * c1 + c2 <= 0)
// CHECK-NEXT:        S1(c2, 0);
// CHECK-NEXT:      // vector
// CHECK-NEXT:      for (int c3 = max(1 - c2, 60 * c1); c3 <= 60 * c1 + 59; c3 += 1) {
// CHECK-NEXT:        S1(c2, c2 + c3);
// CHECK-NEXT:        S3(c2, c2 + c3);
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int c3 = -c2; c3 <= min(-64 * c0 - 2, 60 * c1 - 2); c3 += 1) {
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c4 = 60 * c1; c4 <= 60 * c1 + 59; c4 += 1)
// CHECK-NEXT:          S4(c2, c2 + c4, c2 + c3);
// CHECK-NEXT:      }
// CHECK-NEXT:      if (16 * c0 + 15 * c1 >= 0) {
// CHECK-NEXT:        if (60 * c1 + c2 >= 1)
// CHECK-NEXT:          S4(c2, 60 * c1 + c2, 60 * c1 + c2 - 1);
// CHECK-NEXT:      } else {
// CHECK-NEXT:        if (60 * c1 + c2 >= 1) {
// CHECK-NEXT:          S4(c2, 60 * c1 + c2, 60 * c1 + c2 - 1);
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 60 * c1 + 1; c4 <= 60 * c1 + 59; c4 += 1)
// CHECK-NEXT:            S4(c2, c2 + c4, 60 * c1 + c2 - 1);
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int c3 = max(60 * c1, -c2); c3 <= min(-64 * c0 - 2, 60 * c1 + 58); c3 += 1) {
// CHECK-NEXT:        S0(c2, c2 + c3);
// CHECK-NEXT:        S4(c2, c2 + c3 + 1, c2 + c3);
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c4 = c3 + 2; c4 <= 60 * c1 + 59; c4 += 1)
// CHECK-NEXT:          S4(c2, c2 + c4, c2 + c3);
// CHECK-NEXT:      }
// CHECK-NEXT:      if (16 * c0 + 15 * c1 + 16 <= 0)
// CHECK-NEXT:        S0(c2, 60 * c1 + c2 + 59);
// CHECK-NEXT:      for (int c3 = max(60 * c1, max(-c2, -64 * c0 - 1)); c3 <= 60 * c1 + 58; c3 += 1) {
// CHECK-NEXT:        S0(c2, c2 + c3);
// CHECK-NEXT:        S4(c2, c2 + c3 + 1, c2 + c3);
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c4 = c3 + 2; c4 <= 60 * c1 + 59; c4 += 1)
// CHECK-NEXT:          S4(c2, c2 + c4, c2 + c3);
// CHECK-NEXT:      }
// CHECK-NEXT:      if (16 * c0 + 15 * c1 + 15 >= 0)
// CHECK-NEXT:        S0(c2, 60 * c1 + c2 + 59);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
//
// The same tiles in wavefronts.
//
// THREADS-LABEL:Loops of function 'pairs':
// THREADS-NEXT:scop "pairs: for.body => for.end111"
// THREADS-NEXT:// no-vector
// THREADS-NEXT:for (int c0 = 1; c0 <= 2499; c0 += 1)
// THREADS-NEXT:  S2(c0, 0);
// THREADS-NEXT:for (int c0 = -4; c0 <= 38; c0 += 1) {
// THREADS-NEXT:  // parallel
// THREADS-NEXT:  for (int c1 = max(c0 - 39, -42); c1 <= min(16 * c0 + 30, -1); c1 += 1) {
// THREADS-NEXT:    if (16 * c0 >= c1)
// THREADS-NEXT:      for (int c3 = floord(c1 - c0 - 1, 8); c3 <= floord(15 * c1 - 1, 128); c3 += 1)
// THREADS-NEXT:        for (int c4 = 5 * c1; c4 <= 5 * c1 + 4; c4 += 1) {
// THREADS-NEXT:          // panel
void pairs(int (*restrict table)[2500], const signed char *restrict kind) {
  for (long i = 2499; i >= 0; i--)
    for (long j = i + 1; j < 2500; j++) {
      RAISE(table[i][j], table[i][j - 1]);
      if (i + 1 < 2500) {
        RAISE(table[i][j], table[i + 1][j]);
        if (i < j - 1)
          RAISE(table[i][j], table[i + 1][j - 1] + (kind[i] + kind[j] == 3 ? 1 : 0));
        else
          RAISE(table[i][j], table[i + 1][j - 1]);
      }
      for (long k = i + 1; k < j; k++)
        RAISE(table[i][j], table[i][k] + table[k + 1][j]);
    }
}
