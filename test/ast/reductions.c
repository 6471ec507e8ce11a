// Sums in the innermost loop: where additions may not be regrouped, several sums run side by side. Where they may, LLVM makes vectors of each, which is
// left to it.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -march=x86-64-v3 -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

//CHECK-LABEL:Loops of function 'in_order':
// CHECK-NEXT:scop "in_order: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 59; c0 += 1) {
// CHECK-NEXT:  // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 959; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 16 * c0; c2 <= 16 * c0 + 15; c2 += 1)
// CHECK-NEXT:      S0(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
void in_order(double y[restrict 960], double A[960][960], double x[960]) {
  for (int i = 0; i < 960; i++)
    for (int j = 0; j < 960; j++)
      y[i] += A[i][j] * x[j];
}

//CHECK-LABEL:Loops of function 'integers':
// CHECK-NEXT:scop "integers: {{.*}}"
// CHECK-NEXT:unchanged: no profitable transformation was found {{.*}}
void integers(int y[restrict 960], int A[960][960], int x[960]) {
  for (int i = 0; i < 960; i++)
    for (int j = 0; j < 960; j++)
      y[i] += A[i][j] * x[j];
}

//CHECK-LABEL:Loops of function 'largest':
// CHECK-NEXT:scop "largest: {{.*}}"
// CHECK-NEXT:unchanged: no profitable transformation was found {{.*}}
void largest(int y[restrict 960], int A[960][960]) {
  for (int i = 0; i < 960; i++)
    for (int j = 0; j < 960; j++)
      y[i] = __builtin_elementwise_max(y[i], A[i][j]);
}

//CHECK-LABEL:Loops of function 'regrouped':
// CHECK-NEXT:scop "regrouped: {{.*}}"
// CHECK-NEXT:unchanged: no profitable transformation was found {{.*}}
void regrouped(double y[restrict 960], double A[960][960], double x[960]) {
#pragma clang fp reassociate(on)
  for (int i = 0; i < 960; i++)
    for (int j = 0; j < 960; j++)
      y[i] += A[i][j] * x[j];
}
