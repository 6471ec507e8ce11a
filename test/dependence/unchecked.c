// Arrays that may overlap and have no bounds that could be compared: all accesses of the one conflict with all of the other.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-dependences;distances>)' \
// RUN:   | %FileCheck %s

// CHECK-LABEL: Dependences of function 'gather':
// CHECK: flow 0.1 -> 1.1: [n] -> { S0[i0, i1] -> S1[o0, o1] : {{.*}}i0 < o0 < n {{.*}}; S0[i0, i1] -> S1[i0, o1] : {{.*}} i1 <= o1 < n }
// CHECK-NEXT: distance (0+, *), direction (<=, *), depth 1, 2, independent
// CHECK-NEXT: flow 1.3 -> 1.1: [n] -> { S1[i0, i1] -> S1[o0, o1] : {{.*}}; S1[i0, i1] -> S1[i0, o1] : {{.*}} i1 < o1 < n }
// CHECK: anti 1.1 -> 0.1: [n] -> { S1[i0, i1] -> S0[o0, o1] : {{.*}}; S1[i0, i1] -> S0[i0, o1] : {{.*}} i1 < o1 < n }
// CHECK-NEXT: distance (0+, *), direction (<=, *), depth 1, 2
// CHECK-NEXT: anti 1.1 -> 1.3:
void gather(int n, double *y, const double *x, const int *index, double *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      z[j] += 1;
      y[i] += x[index[j]];
    }
}

// Where a value is stored and stored again, it may have been read in between: nothing is left out, and the loads stand where they stood.
// CHECK-LABEL: Dependences of function 'twice':
// CHECK: flow 0.0 -> 1.1: [n] -> { S0[i0] -> S1[o0] : {{.*}} i0 <= o0 < n }
// CHECK: anti 1.1 -> 0.0: [n] -> { S1[i0] -> S0[o0] : {{.*}} i0 < o0 < n }
void twice(int n, int *a, const int *b, const int *index) {
  for (int i = 0; i < n; i++) {
    a[i] = i;
    a[i] = b[index[i]];
  }
}

// Blocks are cut in statements that keep the order: what is stored last was loaded first, so all is one statement.
// CHECK-LABEL: Dependences of function 'crossed':
// CHECK: output 0.2 -> 0.3: [n] -> { S0[i0] -> S0[o0] : {{.*}} i0 < o0 < n }
// CHECK-NOT: S1
void crossed(int n, int *a, const int *b, int *c, const int *index) {
  for (int i = 0; i < n; i++) {
    int first = b[i];
    a[index[i]] = i;
    c[i] = first;
  }
}
