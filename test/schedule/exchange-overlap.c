// Other tools know elements only: that arrays may overlap in any way is said by accesses to every element. A schedule that ignores it is refused.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t/in.ll
// RUN: %opt -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars))' -S %t/in.ll -o %t/loops.ll
// RUN: %opt %loadpoly -passes='poly<export=%t;exchange-format=jscop>' -disable-output %t/loops.ll
// RUN: %FileCheck --check-prefix=JSCOP %s < %t/gather.0.jscop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=jscop;force>' -pass-remarks=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=TAKEN %s
// RUN: sed '/"schedule"/s/-> \[i0\]/-> [-i0]/' %t/gather.0.jscop > %t/reversed
// RUN: cp %t/reversed %t/gather.0.jscop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=jscop;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=REFUSED %s

// JSCOP: "relation": "{ S0[i0] -> index[i0] }"
// JSCOP: "relation": "{ S0[i0] -> x[o0] }"
// JSCOP: "relation": "{ S0[i0] -> y[i0] }"
// JSCOP: "kind": "read"
// JSCOP-NEXT: "relation": "{ S0[i0] -> y[o0] }"
// TAKEN: optimized 1 loop
// REFUSED: the given schedule was refused: S0[{{[0-9]+}}] must run before S0[{{[0-9]+}}]
void gather(double *y, const double *x, const int *index) {
  for (int i = 0; i < 99; i++)
    y[i] = x[index[i]];
}
