// The schedule of a SCoP as a file: exported, given back, edited, refused.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t/in.ll
// RUN: %opt -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars))' -S %t/in.ll -o %t/loops.ll
// RUN: %opt %loadpoly -passes='poly<export=%t>' -disable-output %t/loops.ll
// RUN: %FileCheck --match-full-lines %s < %t/recurrence.0.poly
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;force>' -pass-remarks=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=TAKEN %s
// RUN: sed 's/-> \[(i0)\]/-> [(-i0)]/' %t/recurrence.0.poly > %t/reversed
// RUN: mv %t/reversed %t/recurrence.0.poly
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=REFUSED %s
// RUN: echo nonsense > %t/recurrence.0.poly
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=WRONG %s

// CHECK: poly-schedule: 1
// CHECK: dependence: flow 0.1 -> 0.0: { S0[i0] -> S0[1 + i0] : 0 <= i0 <= 97 }
// CHECK: schedule:
// CHECK-NEXT: domain: "{ S0[i0] : 0 <= i0 <= 98 }"
// CHECK-NEXT: child:
// CHECK-NEXT:   schedule: "[{ S0[i0] -> [(i0)] }]"
// TAKEN: optimized 1 loop
// REFUSED: the given schedule was refused: S0[{{[0-9]+}}] must run before S0[{{[0-9]+}}] (flow dependence)
// WRONG: recurrence.0.poly: line 1: expected 'key: value', found 'nonsense'
void recurrence(double *A) {
  for (long i = 1; i < 100; i++)
    A[i] = A[i - 1] * 2;
}
