// Statements that do the same on different instances are one, where nothing that is executed at the same time would see another order.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;fuse=max;no-tile;no-time-tile>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

//CHECK-LABEL:Loops of function 'beside':
// CHECK-NEXT:scop "beside: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 39; c0 += 1) {
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 0; c1 <= 599; c1 += 1) {
// CHECK-NEXT:    S0(c0, c1);
// CHECK-NEXT:    S2(c0, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
void beside(long a[restrict 600], long b[restrict 600], long c[600]) {
  for (int t = 0; t < 40; t++) {
    for (int i = 0; i < 200; i++)
      a[i] = c[i] - a[i];
    for (int i = 200; i < 600; i++)
      a[i] = c[i] - a[i];
    for (int i = 0; i < 600; i++)
      b[i] += a[i];
  }
}

// The statement between them reads what the second one writes later.
//
//CHECK-LABEL:Loops of function 'between':
// CHECK-NEXT:scop "between: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 39; c0 += 1) {
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 0; c1 <= 199; c1 += 1) {
// CHECK-NEXT:    S0(c0, c1);
// CHECK-NEXT:    S1(c0, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 200; c1 <= 599; c1 += 1) {
// CHECK-NEXT:    S1(c0, c1);
// CHECK-NEXT:    S2(c0, c1 - 200);
// CHECK-NEXT:  }
// CHECK-NEXT:}
void between(long a[restrict 600], long b[restrict 600], long c[600]) {
  for (int t = 0; t < 40; t++) {
    for (int i = 0; i < 200; i++)
      a[i] = c[i] - a[i];
    for (int i = 0; i < 600; i++)
      b[i] += a[i];
    for (int i = 200; i < 600; i++)
      a[i] = c[i] - a[i];
  }
}
