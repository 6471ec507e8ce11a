// Arrays of which nobody but the region sees what they contain: on the stack, from malloc and its like, static. Not those that are read elsewhere, or the address of which goes somewhere.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-scops>)' \
// RUN:   | %FileCheck %s

#include <stdlib.h>
#include <string.h>

#define N 100
#define NESTS(t)                                                                                                                   \
  for (int i = 0; i < N; i++)                                                                                                      \
    t[i] = a[i] + 1;                                                                                                               \
  for (int i = 1; i < N; i++)                                                                                                      \
    b[i] = t[i] + t[i - 1];

// CHECK-LABEL: SCoPs of function 'stack'
// CHECK: {{^ *}}local array float t[*]
void stack(float *restrict a, float *restrict b) {
  float t[N];
  NESTS(t)
}

// CHECK-LABEL: SCoPs of function 'heap'
// CHECK: {{^ *}}local array float call[*]
void heap(float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return;
  NESTS(t)
  free(t);
}

// CHECK-LABEL: SCoPs of function 'cleared'
// CHECK: {{^ *}}local array float call[*]
void cleared(float *restrict a, float *restrict b) {
  float *t = calloc(N, sizeof(float));
  if (!t)
    return;
  NESTS(t)
  memset(t, 0, N * sizeof(float));
  free(t);
}

// CHECK-LABEL: SCoPs of function 'internal'
// CHECK: {{^ *}}local array float internal_t[*]
void internal(float *restrict a, float *restrict b) {
  static float t[N];
  NESTS(t)
}

static float common[N];

// CHECK-LABEL: SCoPs of function 'writes_common'
// CHECK: {{^ *}}array float common[*]
void writes_common(float *restrict a, float *restrict b) {
  NESTS(common)
}

float reads_common(int i) {
  return common[i];
}

float outside[N];

// CHECK-LABEL: SCoPs of function 'writes_outside'
// CHECK: {{^ *}}array float outside[*]
void writes_outside(float *restrict a, float *restrict b) {
  NESTS(outside)
}

// CHECK-LABEL: SCoPs of function 'read_afterwards'
// CHECK: {{^ *}}array float call[*]
float read_afterwards(int k, float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return 0;
  NESTS(t)
  float result = t[k];
  free(t);
  return result;
}

// CHECK-LABEL: SCoPs of function 'copied_afterwards'
// CHECK: {{^ *}}array float call[*]
void copied_afterwards(float *to, float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return;
  NESTS(t)
  memcpy(to, t, N * sizeof(float));
  free(t);
}

void look(float *);

// CHECK-LABEL: SCoPs of function 'shown'
// CHECK: {{^ *}}array float call[*]
void shown(float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return;
  NESTS(t)
  look(t);
  free(t);
}

// CHECK-LABEL: SCoPs of function 'kept'
// CHECK: {{^ *}}array float call[*]
float *kept(float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return t;
  NESTS(t)
  return t;
}

// CHECK-LABEL: SCoPs of function 'grown'
// CHECK: {{^ *}}array float call[*]
float *grown(float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return t;
  NESTS(t)
  return realloc(t, 2 * N * sizeof(float));
}

// CHECK-LABEL: SCoPs of function 'stored'
// CHECK: {{^ *}}array float call[*]
void stored(float **where, float *restrict a, float *restrict b) {
  float *t = malloc(N * sizeof(float));
  if (!t)
    return;
  *where = t;
  NESTS(t)
}

// CHECK-LABEL: SCoPs of function 'one_of_two'
// CHECK-NOT: local array
// CHECK-LABEL: SCoPs of function 'others'
void one_of_two(int which, float *other, float *restrict a, float *restrict b) {
  float *own = malloc(N * sizeof(float));
  float *t = which ? own : other;
  if (!t)
    return;
  NESTS(t)
  free(own);
}

// Not the library's.
float *allocate(size_t);

// CHECK: {{^ *}}array float call[*]
void others(float *restrict a, float *restrict b) {
  float *t = allocate(N);
  NESTS(t)
  free(t);
}
