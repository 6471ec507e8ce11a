// Schedules in the formats of other tools: exported, given back, edited, refused.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t/in.ll
// RUN: %opt -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars))' -S %t/in.ll -o %t/loops.ll
//
// RUN: %opt %loadpoly -passes='poly<export=%t;exchange-format=jscop>' -disable-output %t/loops.ll
// RUN: %FileCheck --check-prefix=JSCOP %s < %t/recurrence.0.jscop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=jscop;force>' -pass-remarks=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=TAKEN %s
// RUN: sed '/"schedule"/s/-> \[i0\]/-> [-i0]/' %t/recurrence.0.jscop > %t/reversed
// RUN: cp %t/reversed %t/recurrence.0.jscop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=jscop;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=REFUSED %s
// RUN: sed 's/A\[i0\]/A[2 + i0]/' %t/recurrence.0.jscop > %t/moved
// RUN: cp %t/moved %t/recurrence.0.jscop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=jscop;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=MOVED %s
// RUN: echo '{' > %t/recurrence.0.jscop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=jscop;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=WRONG %s
//
// RUN: %opt %loadpoly -passes='poly<export=%t;exchange-format=openscop>' -disable-output %t/loops.ll
// RUN: %FileCheck --match-full-lines --check-prefix=OPENSCOP %s < %t/recurrence.0.scop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=openscop;force>' -pass-remarks=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=TAKEN %s
// RUN: sed '/^SCATTERING/,/^READ/s/ 0   -1    1    0/ 0    1    1    0/' %t/recurrence.0.scop > %t/reversed
// RUN: cp %t/reversed %t/recurrence.0.scop
// RUN: %opt %loadpoly -passes='poly<scheduler=file;import=%t;exchange-format=openscop;force>' -pass-remarks-missed=poly -disable-output %t/loops.ll 2>&1 | %FileCheck --check-prefix=REFUSED %s

// JSCOP: "relation": "{ S0[i0] -> A[i0] }"
// JSCOP: "relation": "{ S0[i0] -> A[1 + i0] }"
// JSCOP: "domain": "{ S0[i0] : 0 <= i0 <= 98 }"
// JSCOP: "original": "{ S0[i0] -> [0, i0, 0] : 0 <= i0 <= 98 }"
// JSCOP: "schedule": "{ S0[i0] -> [i0] : 0 <= i0 <= 98 }"
// OPENSCOP:      SCATTERING
// OPENSCOP-NEXT: 3 4 1 1 0 0
// OPENSCOP-NEXT:    0   -1    1    0
// OPENSCOP:      READ
// OPENSCOP:      WRITE
// OPENSCOP:      S0(i0);
// OPENSCOP:      1 A
// TAKEN: optimized 1 loop
// REFUSED: the given schedule was refused: S0[{{[0-9]+}}] must run before S0[{{[0-9]+}}] (flow dependence)
// MOVED: the given schedule was refused: an access of S0 is { S0[i0] -> A[2 + i0] }, and not { S0[i0] -> A[i0] }; accesses cannot be changed
// WRONG: recurrence.0.jscop: line {{[0-9]+}}: EOF
void recurrence(double *A) {
  for (long i = 1; i < 100; i++)
    A[i] = A[i - 1] * 2;
}
