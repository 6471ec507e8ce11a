// Which nests become one.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-schedule>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// A producer and its consumer, element by element: one loop.
//
//CHECK-LABEL:Schedules of function 'producer':
// CHECK-NEXT:scop "producer: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(i0)] }]"
// CHECK-NEXT:  permutable: 1
// CHECK-NEXT:  coincident: [ 1 ]
// CHECK-NEXT:  child:
// CHECK-NEXT:    sequence:
// CHECK-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
void producer(long *restrict A, long *restrict B) {
  for (long i = 0; i < 100; i++)
    A[i] = i * 3;
  for (long i = 0; i < 100; i++)
    B[i] = A[i] + 1;
}

// The consumer reads the next element too: it runs one iteration later.
//
//CHECK-LABEL:Schedules of function 'shifted':
// CHECK-NEXT:scop "shifted: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 98 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  sequence:
// CHECK-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:    child:
// CHECK-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
// CHECK-NEXT:      permutable: 1
// CHECK-NEXT:      coincident: [ 1 ]
// CHECK-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
// CHECK-NEXT:    child:
// CHECK-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
// CHECK-NEXT:      permutable: 1
// CHECK-NEXT:      coincident: [ 1 ]
void shifted(long *restrict A, long *restrict B) {
  for (long i = 0; i < 100; i++)
    A[i] = i * 3;
  for (long i = 0; i < 99; i++)
    B[i] = A[i] + A[i + 1];
}

// All of the sum is needed before the first division.
//
//CHECK-LABEL:Schedules of function 'barrier':
// CHECK-NEXT:scop "barrier: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  sequence:
// CHECK-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:    child:
// CHECK-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
// CHECK-NEXT:      permutable: 1
// CHECK-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:    child:
// CHECK-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
// CHECK-NEXT:      permutable: 1
// CHECK-NEXT:      coincident: [ 1 ]
void barrier(long *restrict A, long *restrict S) {
  for (long i = 0; i < 100; i++)
    S[0] += A[i];
  for (long i = 0; i < 100; i++)
    A[i] = A[i] / S[0];
}

// Nothing in common, and of different depth.
//
//CHECK-LABEL:Schedules of function 'unrelated':
// CHECK-NEXT:scop "unrelated: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  sequence:
// CHECK-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
// CHECK-NEXT:    child:
// CHECK-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
// CHECK-NEXT:      permutable: 1
// CHECK-NEXT:      coincident: [ 1 ]
// CHECK-NEXT:  - filter: "{ S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
// CHECK-NEXT:    child:
// CHECK-NEXT:      schedule: "[{ S1[i0, i1] -> [(i0)] }, { S1[i0, i1] -> [(i1)] }]"
// CHECK-NEXT:      permutable: 1
// CHECK-NEXT:      coincident: [ 1, 1 ]
void unrelated(long *restrict A, long (*restrict B)[100]) {
  for (long i = 0; i < 100; i++)
    A[i] = i;
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++)
      B[i][j] = j;
}

// The second nest reads the transposed array: its loops change places.
//
//CHECK-LABEL:Schedules of function 'transposed':
// CHECK-NEXT:scop "transposed: {{.*}}"
// CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99; S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
// CHECK-NEXT:child:
// CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i1)] }, { S0[i0, i1] -> [(i1)]; S1[i0, i1] -> [(i0)] }]"
// CHECK-NEXT:  permutable: 1
// CHECK-NEXT:  coincident: [ 1, 1 ]
// CHECK-NEXT:  child:
// CHECK-NEXT:    sequence:
// CHECK-NEXT:    - filter: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
// CHECK-NEXT:    - filter: "{ S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
void transposed(long A[100][100], long (*restrict B)[100]) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++)
      A[i][j] = i + j;
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++)
      B[i][j] = A[j][i] + 1;
}
