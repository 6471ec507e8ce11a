// Reductions that several statements share.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-dependences>)' \
// RUN:   | %FileCheck %s

// Sums in two statements: what each of them adds is free to come first.
//
// CHECK-LABEL: Dependences of function 'sums':
// CHECK-NOT: flow
// CHECK: output (reduction) 0.{{[0-9]}} -> 0.
// CHECK-NEXT: output (reduction) 0.{{[0-9]}} -> 1.
// CHECK-NEXT: output (reduction) 1.{{[0-9]}} -> 0.
// CHECK-NEXT: output (reduction) 1.{{[0-9]}} -> 1.
void sums(unsigned *restrict s, unsigned (*restrict A)[100]) {
  for (long i = 0; i < 100; i++) {
    for (long j = 0; j < 100; j++)
      s[j] += A[i][j];
    for (long j = 0; j < 100; j++)
      s[j] += A[j][i] * 3;
  }
}

// A sum and a product stay in order.
//
// CHECK-LABEL: Dependences of function 'mixed':
// CHECK-DAG: flow 0.{{[0-9]}} -> 1.
// CHECK-DAG: flow 1.{{[0-9]}} -> 0.
// CHECK-NOT: output (reduction) 0.{{[0-9]}} -> 1.
// CHECK-NOT: output (reduction) 1.{{[0-9]}} -> 0.
void mixed(unsigned *restrict s, unsigned (*restrict A)[100]) {
  for (long i = 0; i < 100; i++) {
    for (long j = 0; j < 100; j++)
      s[j] += A[i][j];
    for (long j = 0; j < 100; j++)
      s[j] *= A[j][i];
  }
}
