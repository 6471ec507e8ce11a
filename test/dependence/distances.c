// Distance, direction and depth of dependences.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-dependences;distances>)' \
// RUN:   | %FileCheck %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-dependences;distances;input-dependences>)' \
// RUN:   | %FileCheck --check-prefix=INPUT %s

// CHECK-LABEL: Dependences of function 'skewed':
// CHECK: flow 0.1 -> 0.0: { S0[i0, i1] -> S0[1 + i0, -2 + i1]
// CHECK-NEXT:   distance (1, -2), direction (<, >), depth 1
void skewed(double (*A)[100]) {
  for (long i = 1; i < 100; i++)
    for (long j = 0; j < 98; j++)
      A[i][j] = A[i - 1][j + 2] * 2;
}

// Two loops, one after the other.
//
// CHECK-LABEL: Dependences of function 'two':
// CHECK: flow 0.{{[0-9]}} -> 1.{{[0-9]}}: { S0[i0] -> S1[i0]
// CHECK-NEXT:   no common loop
// INPUT-LABEL: Dependences of function 'two':
// INPUT: input 0.0 -> 1.{{[0-9]}}: { S0[i0] -> S1[i0]
void two(double *restrict A, double *restrict B, double *restrict C) {
  for (long i = 0; i < 100; i++)
    B[i] = A[i] + 1;
  for (long i = 0; i < 100; i++)
    C[i] = A[i] * B[i];
}
