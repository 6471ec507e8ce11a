// Loops that become possible because several statements update the same elements by one operation.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

#define RAISE(element, value)          \
  do {                                 \
    int old = element, new = value;    \
    element = old > new ? old : new;   \
  } while (0)

// Nussinov's algorithm. What is found between i and k is joined with what is found behind k, for all ends j at once, as soon as it is complete.
//
// CHECK-LABEL:Loops of function 'pairs':
// CHECK-NEXT:scop "pairs: for.body => for.end111"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 1; c0 <= 2499; c0 += 1)
// CHECK-NEXT:  S2(c0, 0);
// CHECK-NEXT:for (int c0 = 1; c0 <= 2499; c0 += 1) {
// CHECK-NEXT:  S1(c0, 0);
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 1 - c0; c1 <= -1; c1 += 1) {
// CHECK-NEXT:    S1(c0, c0 + c1);
// CHECK-NEXT:    S3(c0, c0 + c1);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (int c1 = 0; c1 < c0; c1 += 1) {
// CHECK-NEXT:    S0(c0, c1);
// CHECK-NEXT:    for (int c2 = c1 + 1; c2 < c0; c2 += 1)
// CHECK-NEXT:      S4(c0, c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
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
