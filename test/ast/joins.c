// Short loops between nests that threads share become parts of them.
//
// RUN: %clang -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;parallel;num-threads=2>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// Initialization before, division after the sums of columns: in the same tiles of columns.
//
//CHECK-LABEL:Loops of function 'means':
// CHECK-NEXT:scop "means: {{.*}}"
// CHECK-NEXT:// parallel
// CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1) {
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 16 * c0; c1 <= 16 * c0 + 15; c1 += 1)
// CHECK-NEXT:    S0(c1);
// CHECK-NEXT:  // register-tile(S1.2, S1.1; partial S1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1599; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 16 * c0; c2 <= 16 * c0 + 15; c2 += 1)
// CHECK-NEXT:      S1(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 16 * c0; c1 <= 16 * c0 + 15; c1 += 1)
// CHECK-NEXT:    S2(c1);
// CHECK-NEXT:}
void means(double x[1600][1600], double *restrict m) {
  for (int j = 0; j < 1600; j++) {
    m[j] = 0;
    for (int i = 0; i < 1600; i++)
      m[j] += x[i][j];
    m[j] /= 1600;
  }
}

// A diagonal among rows, each of which it is a small part of.
//
//CHECK-LABEL:Loops of function 'diagonal':
// CHECK-NEXT:scop "diagonal: {{.*}}"
// CHECK-NEXT:// parallel(falling)
// CHECK-NEXT:for (int c0 = 0; c0 <= 1599; c0 += 1) {
// CHECK-NEXT:  S0(c0);
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1598 - c0; c1 += 1)
// CHECK-NEXT:    S1(c0, c1);
// CHECK-NEXT:}
void diagonal(double x[1600][1600]) {
  for (int i = 0; i < 1600; i++)
    x[i][i] = 1;
  for (int i = 0; i < 1600; i++)
    for (int j = i + 1; j < 1600; j++)
      x[i][j] = j - i;
}

// The rows that the second loop begins with are not those that the first one begins with: one after the other.
//
//CHECK-LABEL:Loops of function 'later':
// CHECK-NEXT:scop "later: {{.*}}"
// CHECK-NEXT:// parallel
// CHECK-NEXT:for (int c0 = 0; c0 <= 1599; c0 += 1) {
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 0; c1 <= 1599; c1 += 1)
// CHECK-NEXT:    S0(c0, c1);
// CHECK-NEXT:}
// CHECK-NEXT:for (int c0 = 0; c0 <= 1597; c0 += 1)
// CHECK-NEXT:  S1(c0);
void later(double x[1600][1600], double *restrict r) {
  for (int i = 0; i < 1600; i++)
    for (int j = 0; j < 1600; j++)
      x[i][j] = x[i][j] * 3 + i;
  for (int i = 2; i < 1600; i++)
    r[i] = x[i][7];
}

// Rows of the neighbour are as short as the loop itself: it stays what it is, a loop of vectors.
//
//CHECK-LABEL:Loops of function 'short_rows':
// CHECK-NEXT:scop "short_rows: {{.*}}"
// CHECK-NEXT:// parallel
// CHECK-NEXT:for (int c0 = 0; c0 <= 199999; c0 += 1) {
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 0; c1 <= 3; c1 += 1)
// CHECK-NEXT:    S0(c0, c1);
// CHECK-NEXT:}
// CHECK-NEXT:// parallel
// CHECK-NEXT:for (int c0 = 0; c0 <= 199999; c0 += 1)
// CHECK-NEXT:  S1(c0);
void short_rows(double x[200000][4], double y[restrict 200000]) {
  for (int i = 0; i < 200000; i++)
    for (int j = 0; j < 4; j++)
      x[i][j] = x[i][j] / (i + j + 3);
  for (int i = 0; i < 200000; i++)
    y[i] = x[i][1];
}
