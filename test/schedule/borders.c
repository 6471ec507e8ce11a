// Loops cut where subscripts change: the interior has affine ones, and is vector code.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;no-tile>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;no-tile;no-splitting>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=WHOLE %s

//CHECK-LABEL:Loops of function 'neighbours':
// CHECK-NEXT:scop "neighbours: {{.*}}"
// CHECK-NEXT:S0_0(0);
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 1; c0 <= n - 2; c0 += 1)
// CHECK-NEXT:  S0_1_0(c0);
// CHECK-NEXT:if (n >= 2)
// CHECK-NEXT:  S0_1_1(n - 1);
//
//WHOLE-LABEL:Loops of function 'neighbours':
// WHOLE-NEXT:scop "neighbours: {{.*}}"
// WHOLE-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
// WHOLE-NEXT:  S0(c0);
void neighbours(long n, const double *a, double *b) {
  for (long i = 0; i < n; i++)
    b[i] = a[(i + n - 1) % n] + a[i + 1 < n ? i + 1 : n - 1];
}
