// Reads under guards happen always where other instances access their elements, so no branch is left of them; elsewhere it stays.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -S %t.ll \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),poly<force;no-splitting>)' \
// RUN:   | %FileCheck %s

// CHECK-LABEL: define {{.*}} @closure(
// CHECK: poly.
// CHECK-NOT: poly.if
// CHECK-LABEL: define {{.*}} @table(
void closure(int n, unsigned char *r) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        r[i * n + j] = r[i * n + j] || (r[i * n + k] && r[k * n + j]);
}

// CHECK: poly.if
void table(int n, int m, const unsigned char *flag, const int *t, int *x) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      x[j * n + i] = flag[i] && t[i] > x[j * n + i] ? 1 : x[j * n + i];
}
