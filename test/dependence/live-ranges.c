// Dependences that only keep lives of a scalar or an element apart are conditional, and all of their pairs are there.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-dependences;conditional-dependences>)' \
// RUN:   | %FileCheck %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-dependences>)' \
// RUN:   | %FileCheck --check-prefix=PLAIN %s

// The element is set and read in each iteration. Its last write comes after all others, since memory is seen afterwards.
//
// CHECK-LABEL: Dependences of function 'element':
// CHECK:      flow 0.1 -> 2.0: { S0[i0, i1] -> S2[i0, i1] : i0 <= 99 and 0 <= i1 < i0 }
// CHECK-NEXT: anti 0.0 -> 1.0: { S0[i0, i1] -> S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }
// CHECK-NEXT: output (conditional) 0.1 -> 0.1: {{.*}} S0[i0, i1] -> S0[i0, o1] : i0 >= 0 and i1 >= i0 and i1 < o1 <= 99 }
// CHECK-NEXT: output 0.1 -> 0.1: { S0[i0, i1] -> S0[99, 99] : 0 <= i0 <= 98 and i0 <= i1 <= 99 }
// CHECK-NEXT: anti (conditional) 2.0 -> 0.1: { S2[i0, i1] -> S0[o0, o1] : 0 <= i1 < i0 and i0 < o0 <= 98 and 0 <= o1 <= 99; {{.*}} }
// CHECK-NEXT: anti 2.0 -> 0.1: { S2[i0, i1] -> S0[99, 99] : i0 <= 99 and 0 <= i1 < i0 }
// CHECK-NOT:  {{->}}
// PLAIN-LABEL: Dependences of function 'element':
// PLAIN:      output 0.1 -> 0.1: { S0[i0, i1] -> S0[i0, 1 + i1] : {{.*}}
// PLAIN-NEXT: anti 2.0 -> 0.1: { S2[i0, i1] -> S0[i0, 1 + i1] : i0 <= 99 and 0 <= i1 < i0 }
void element(double (*restrict A)[100], double (*restrict B)[100], double *restrict cell) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++) {
      cell[0] = A[i][j];
      A[i][j] = 0;
      if (j < i)
        B[j][i] = cell[0];
    }
}

// A local array that every iteration fills.
//
// CHECK-LABEL: Dependences of function 'row':
// CHECK:      flow 0.1 -> 1.0: { S0[i0, i1] -> S1[i0, 99 - i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }
// CHECK-NEXT: anti (conditional) 1.0 -> 0.1: { S1[i0, i1] -> S0[o0, 99 - i1] : i0 >= 0 and 0 <= i1 <= 99 and i0 < o0 <= 99 }
// CHECK-NOT:  {{->}}
// PLAIN-LABEL: Dependences of function 'row':
// PLAIN:      anti 1.0 -> 0.1: { S1[i0, i1] -> S0[1 + i0, 99 - i1] : 0 <= i0 <= 98 and 0 <= i1 <= 99 }
void row(double (*restrict A)[100], double (*restrict B)[100]) {
  double t[100];
  for (long i = 0; i < 100; i++) {
    for (long j = 0; j < 100; j++)
      t[j] = A[j][i];
    for (long j = 0; j < 100; j++)
      B[i][j] = t[99 - j];
  }
}
