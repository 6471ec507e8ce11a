// Factorizations for threads: the block at the diagonal first, then the panels below and to the right of it, then the rest.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=4:4;parallel;num-threads=2>)' \
// RUN:   | %FileCheck --check-prefix=PHASES %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=4:4>)' \
// RUN:   | %FileCheck --check-prefix=ALONE %s

// PHASES-LABEL: Loops of function 'lower_and_upper':
// PHASES:      {{^}}for (int c0 = 0; c0 <= 8; c0 += 1) {
// PHASES-NEXT: {{^}}  for (int c4 = 6 * c0; c4 <= min(6 * c0 + 5, 49); c4 += 1)
// PHASES-NEXT: {{^}}    for (int c5 = 12 * c0; c5 <= min(12 * c0 + 11, 99); c5 += 1)
// PHASES:      {{^}}  // parallel
// PHASES-NEXT: {{^}}  for (int c2 = 3 * c0 + 3; c2 <= 24; c2 += 1)
// PHASES-NEXT: {{^}}    for (int c4 = 6 * c0; c4 <= 6 * c0 + 5; c4 += 1)
// PHASES-NEXT: {{^}}      for (int c5 = 4 * c2; c5 <= 4 * c2 + 3; c5 += 1) {
// PHASES:      {{^}}  // parallel
// PHASES-NEXT: {{^}}  for (int c2 = 6 * c0 + 6; c2 <= 49; c2 += 1)
// PHASES-NEXT: {{^}}    for (int c5 = 12 * c0; c5 <= 12 * c0 + 11; c5 += 1) {
// PHASES:      {{^}}  // parallel
// PHASES-NEXT: {{^}}  for (int c2 = 6 * c0 + 6; c2 <= 49; c2 += 1)
// PHASES-NEXT: {{^}}    for (int c3 = floord(c0 + 1, 2); c3 <= 4; c3 += 1)
// PHASES-NEXT: {{^}}      for (int c5 = max(12 * c0 + 12, 24 * c3); c5 <= min(24 * c3 + 23, 99); c5 += 1)
// PHASES-NOT:  parallel
//
// What is loaded for columns is written further up in the same columns: no panels.
//
// ALONE-LABEL: Loops of function 'lower_and_upper':
// ALONE-NOT: {{panel|parallel}}
void lower_and_upper(double a[400][400]) {
  for (int i = 0; i < 400; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < 400; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// Rows of the lower triangle are the factors of both sides; those of the columns are not written while the columns are. There is one panel.
//
// PHASES-LABEL: Loops of function 'lower_alone':
// PHASES:      {{^}}  for (int c4 = 6 * c0; c4 <= min(6 * c0 + 5, 49); c4 += 1) {
// PHASES-NEXT: {{^}}    // panel
// PHASES:      {{^}}  // parallel
// PHASES-NEXT: {{^}}  for (int c2 = 3 * c0 + 3; c2 <= 24; c2 += 1)
// PHASES-NEXT: {{^}}    for (int c4 = 6 * c0; c4 <= 6 * c0 + 5; c4 += 1) {
// PHASES-NEXT: {{^}}      // panel
// PHASES-NEXT: {{^}}      for (int c5 = 4 * c2; c5 <= 4 * c2 + 3; c5 += 1) {
// PHASES:      {{^}}  // parallel
// PHASES-NEXT: {{^}}  for (int c2 = 6 * c0 + 6; c2 <= 49; c2 += 1)
// PHASES-NOT:  parallel
//
// ALONE-LABEL: Loops of function 'lower_alone':
// ALONE:       // panel
void lower_alone(double a[400][400]) {
  for (int i = 0; i < 400; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
  }
}
