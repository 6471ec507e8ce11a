// Index-set splitting: the halves of a row that is added to its mirror image are free of dependences, the whole is not.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;no-tile>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;no-tile;no-splitting>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=WHOLE %s

//CHECK-LABEL:Loops of function 'mirror':
// CHECK-NEXT:scop "mirror: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= floord(n - 1, 2); c0 += 1)
// CHECK-NEXT:  S0(c0);
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = floord(n + 1, 2); c0 < n; c0 += 1)
// CHECK-NEXT:  S0(c0);
//
//WHOLE-LABEL:Loops of function 'mirror':
// WHOLE-NEXT:scop "mirror: {{.*}}"
// WHOLE-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
// WHOLE-NEXT:  S0(c0);
void mirror(long n, double *a) {
  for (long i = 0; i < n; i++)
    a[i] = 0.5 * a[i] + a[n - 1 - i];
}
