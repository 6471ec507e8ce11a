// Bands of loops: permutable, with parallel members first, skewed and shifted where that is needed.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-schedule>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// Three loops that can be tiled; the sum is carried by one of them.
//
//CHECK-LABEL:Schedules of function 'product':
// CHECK-NEXT:scop "product: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0, i1, i2] : 0 <= i0 <= 99 and 0 <= i1 <= 99 and 0 <= i2 <= 99 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[{ S0[i0, i1, i2] -> [(i0)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i2)] }]"
// CHECK-NEXT:  permutable: 1
// CHECK-NEXT:  coincident: [ 1, 1, 0 ]
void product(double A[100][100], double B[100][100], double C[restrict 100][100]) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++)
      for (long k = 0; k < 100; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// One time step uses the values of the one before and of its own: skewed by one, the loops can be tiled.
//
//CHECK-LABEL:Schedules of function 'seidel':
// CHECK-NEXT:scop "seidel: {{.*}}"
// CHECK-NEXT:domain: "[t] -> { S0[i0, i1] : 0 <= i0 < t and 0 <= i1 <= 97 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[t] -> [{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i0 + i1)] }]"
// CHECK-NEXT:  permutable: 1
void seidel(long t, double *A) {
  for (long k = 0; k < t; k++)
    for (long i = 1; i < 99; i++)
      A[i] = A[i - 1] + A[i] + A[i + 1];
}

// Two arrays in turn: the second statement is shifted against the first, both are skewed by two.
//
//CHECK-LABEL:Schedules of function 'jacobi':
// CHECK-NEXT:scop "jacobi: {{.*}}"
// CHECK-NEXT:domain: "[t] -> { S0[i0, i1] : 0 <= i0 < t and 0 <= i1 <= 97; S1[i0, i1] : 0 <= i0 < t and 0 <= i1 <= 97 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[t] -> [{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(2i0 + i1)]; S1[i0, i1] -> [(1 + 2i0 + i1)] }]"
// CHECK-NEXT:  permutable: 1
// CHECK-NEXT:  child:
// CHECK-NEXT:    sequence:
// CHECK-NEXT:    - filter: "[t] -> { S0[i0, i1] : 0 <= i0 < t and 0 <= i1 <= 97 }"
// CHECK-NEXT:    - filter: "[t] -> { S1[i0, i1] : 0 <= i0 < t and 0 <= i1 <= 97 }"
void jacobi(long t, double *restrict A, double *restrict B) {
  for (long k = 0; k < t; k++) {
    for (long i = 1; i < 99; i++)
      B[i] = A[i - 1] + A[i + 1];
    for (long i = 1; i < 99; i++)
      A[i] = B[i];
  }
}

// The loop over i carries everything, the loop over j nothing: outer parallelism comes first.
//
//CHECK-LABEL:Schedules of function 'columns':
// CHECK-NEXT:scop "columns: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 99 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i1)] }, { S0[i0, i1] -> [(i0)] }]"
// CHECK-NEXT:  permutable: 1
// CHECK-NEXT:  coincident: [ 1, 0 ]
void columns(double A[100][100]) {
  for (long i = 1; i < 100; i++)
    for (long j = 0; j < 100; j++)
      A[i][j] += A[i - 1][j];
}

// LU decomposition: one band of three loops for the inner statement.
//
//CHECK-LABEL:Schedules of function 'lu':
// CHECK-NEXT:scop "lu: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0; S1[i0, i1, i2] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0 and 0 <= i2 <= 98 - i0 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)]; S1[i0, i1, i2] -> [(i0)] }, { S0[i0, i1] -> [(i0 + i1)]; S1[i0, i1, i2] -> [(i0 + i2)] }, { S0[i0, i1] -> [(i0)]; S1[i0, i1, i2] -> [(i0 + i1)] }]"
// CHECK-NEXT:  permutable: 1
// CHECK-NEXT:  child:
// CHECK-NEXT:    sequence:
// CHECK-NEXT:    - filter: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0 }"
// CHECK-NEXT:    - filter: "{ S1[i0, i1, i2] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0 and 0 <= i2 <= 98 - i0 }"
void lu(double A[100][100]) {
  for (long k = 0; k < 100; k++) {
    for (long j = k + 1; j < 100; j++)
      A[k][j] = A[k][j] / A[k][k];
    for (long i = k + 1; i < 100; i++)
      for (long j = k + 1; j < 100; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

// Each iteration needs the one before.
//
//CHECK-LABEL:Schedules of function 'chain':
// CHECK-NEXT:scop "chain: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 98 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[{ S0[i0] -> [(i0)] }]"
// CHECK-NEXT:  permutable: 1
void chain(double *A) {
  for (long i = 1; i < 100; i++)
    A[i] = A[i - 1] * 2;
}
