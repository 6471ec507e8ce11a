// Factorizations for threads: the block at the diagonal first, then the panels below and to the right of it, then the rest. The block at the diagonal is worked on in the same way.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=4:4;parallel;num-threads=2>)' \
// RUN:   | %FileCheck --check-prefix=PANELS %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=4:4>)' \
// RUN:   | %FileCheck --check-prefix=ALONE %s

// PANELS-LABEL: Loops of function 'lower_and_upper':
// PANELS:      {{^}}for (int c0 = 0; c0 <= 6; c0 += 1) {
// PANELS-NEXT: {{^}}  for (int c3 = 4 * c0; c3 <= min(4 * c0 + 3, 24); c3 += 1) {
// PANELS-NEXT: {{^}}    for (int c7 = 5 * c3; c7 <= 5 * c3 + 4; c7 += 1)
// PANELS-NEXT: {{^}}      for (int c8 = 10 * c3; c8 <= 10 * c3 + 9; c8 += 1) {
// PANELS:      {{^}}      // parallel
// PANELS-NEXT: {{^}}      for (int c5 = floord(10 * c3 + 10, 7); c5 <= floord(40 * c0 + 39, 7); c5 += 1)
// PANELS:      {{^}}      // parallel
// PANELS-NEXT: {{^}}      for (int c5 = floord(5 * c3 + 5, 3); c5 <= floord(20 * c0 + 19, 3); c5 += 1)
// PANELS-NEXT: {{^}}        for (int c7 = max(5 * c3 + 5, 3 * c5); c7 <= min(3 * c5 + 2, 20 * c0 + 19); c7 += 1)
// PANELS-NEXT: {{^}}          for (int c8 = 10 * c3; c8 <= 10 * c3 + 9; c8 += 1) {
// PANELS:      {{^}}      // parallel
// PANELS-NEXT: {{^}}      for (int c5 = floord(5 * c3 + 5, 3); c5 <= floord(20 * c0 + 19, 3); c5 += 1)
// PANELS:      {{^}}  // parallel
// PANELS-NEXT: {{^}}  for (int c2 = 4 * c0 + 4; c2 <= 24; c2 += 1)
// PANELS-NEXT: {{^}}    for (int c7 = 20 * c0; c7 <= 20 * c0 + 19; c7 += 1)
// PANELS-NEXT: {{^}}      for (int c8 = 10 * c2; c8 <= 10 * c2 + 9; c8 += 1) {
// PANELS:      {{^}}  // parallel
// PANELS-NEXT: {{^}}  for (int c2 = floord(20 * c0 + 20, 3); c2 <= 41; c2 += 1)
// PANELS-NEXT: {{^}}    for (int c6 = 2 * c0; c6 <= 2 * c0 + 1; c6 += 1)
// PANELS:      {{^}}  // parallel
// PANELS-NEXT: {{^}}  for (int c2 = floord(20 * c0 + 20, 3); c2 <= 41; c2 += 1)
// PANELS-NEXT: {{^}}    for (int c6 = 2 * c0 + 2; c6 <= 12; c6 += 1)
// PANELS-NOT:  parallel
//
// What is loaded for columns is written further up in the same columns: no panels.
//
// ALONE-LABEL: Loops of function 'lower_and_upper':
// ALONE-NOT: {{panel|parallel}}
void lower_and_upper(double a[1000][1000]) {
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < 1000; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// Rows of the lower triangle are the factors of both sides; those of the columns are not written while the columns are. There is one panel.
//
// PANELS-LABEL: Loops of function 'lower_alone':
// PANELS:      {{^}}  for (int c3 = 4 * c0; c3 <= min(4 * c0 + 3, 24); c3 += 1) {
// PANELS-NEXT: {{^}}    for (int c7 = 5 * c3; c7 <= 5 * c3 + 4; c7 += 1) {
// PANELS-NEXT: {{^}}      // panel
// PANELS-COUNT-2: {{^}}      // parallel
// PANELS:      {{^}}  // parallel
// PANELS-NEXT: {{^}}  for (int c2 = 4 * c0 + 4; c2 <= 24; c2 += 1)
// PANELS-NEXT: {{^}}    for (int c7 = 20 * c0; c7 <= 20 * c0 + 19; c7 += 1) {
// PANELS-NEXT: {{^}}      // panel
// PANELS-NEXT: {{^}}      for (int c8 = 10 * c2; c8 <= 10 * c2 + 9; c8 += 1) {
// PANELS:      {{^}}  // parallel
// PANELS-NEXT: {{^}}  for (int c2 = floord(20 * c0 + 20, 3); c2 <= 41; c2 += 1)
// PANELS-NOT:  parallel
//
// ALONE-LABEL: Loops of function 'lower_alone':
// ALONE:       // panel
void lower_alone(double a[1000][1000]) {
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
  }
}
