// Loops split at a point: the iterations before and behind the one that all others depend on are free of dependences.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;no-tile>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;no-tile;no-splitting>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=WHOLE %s

#define N 100

//CHECK-LABEL:Loops of function 'paths':
// CHECK-NEXT:scop "paths: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 < n; c0 += 1) {
// CHECK-NEXT:  for (int c1 = 0; c1 < c0; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 0; c2 < c0; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:    S0(c0, c1, c0);
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = c0 + 1; c2 < n; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = 0; c1 < c0; c1 += 1)
// CHECK-NEXT:    S0(c0, c0, c1);
// CHECK-NEXT:  S0(c0, c0, c0);
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = c0 + 1; c1 < n; c1 += 1)
// CHECK-NEXT:    S0(c0, c0, c1);
// CHECK-NEXT:  for (int c1 = c0 + 1; c1 < n; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 0; c2 < c0; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:    S0(c0, c1, c0);
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = c0 + 1; c2 < n; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:}
//
//WHOLE-LABEL:Loops of function 'paths':
// WHOLE-NEXT:scop "paths: {{.*}}"
// WHOLE-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
// WHOLE-NEXT:  for (int c1 = 0; c1 < n; c1 += 1)
// WHOLE-NEXT:    for (int c2 = 0; c2 < n; c2 += 1)
// WHOLE-NEXT:      S0(c0, c1, c2);
void paths(int n, int p[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
}

//CHECK-LABEL:Loops of function 'given':
// CHECK-NEXT:scop "given: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= min(n - 1, 16); c0 += 1)
// CHECK-NEXT:  S0(c0);
// CHECK-NEXT:if (n >= 18)
// CHECK-NEXT:  S0(17);
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 18; c0 < n; c0 += 1)
// CHECK-NEXT:  S0(c0);
//
//WHOLE-LABEL:Loops of function 'given':
// WHOLE-NEXT:scop "given: {{.*}}"
// WHOLE-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
// WHOLE-NEXT:  S0(c0);
void given(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * a[i] + a[17];
}

//CHECK-LABEL:Loops of function 'jordan':
// CHECK-NEXT:scop "jordan: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 < n; c0 += 1) {
// CHECK-NEXT:  for (int c1 = 0; c1 < c0; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 0; c2 < c0; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:    S0(c0, c1, c0);
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = c0 + 1; c2 < n; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (int c1 = c0 + 1; c1 < n; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 0; c2 < c0; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:    S0(c0, c1, c0);
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = c0 + 1; c2 < n; c2 += 1)
// CHECK-NEXT:      S0(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:}
//
//WHOLE-LABEL:Loops of function 'jordan':
// WHOLE-NEXT:scop "jordan: {{.*}}"
// WHOLE-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
// WHOLE-NEXT:  for (int c1 = 0; c1 < n; c1 += 1) {
// WHOLE-NEXT:    // no-vector
// WHOLE-NEXT:    for (int c2 = 0; c2 < c0; c2 += 1)
// WHOLE-NEXT:      S0(c0, c2, c1);
// WHOLE-NEXT:    // no-vector
// WHOLE-NEXT:    for (int c2 = c0 + 1; c2 < n; c2 += 1)
// WHOLE-NEXT:      S0(c0, c2, c1);
// WHOLE-NEXT:  }
void jordan(int n, double a[N][N]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (i != k)
        for (int j = 0; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j];
}

//CHECK-LABEL:Loops of function 'sums':
// CHECK-NEXT:scop "sums: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= n - 2; c0 += 1)
// CHECK-NEXT:  S0(c0);
//
//WHOLE-LABEL:Loops of function 'sums':
// WHOLE-NEXT:scop "sums: {{.*}}"
// WHOLE-NEXT:for (int c0 = 0; c0 <= n - 2; c0 += 1)
// WHOLE-NEXT:  S0(c0);
// The element before is needed by each, too.
void sums(int n, double *a) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1] + a[0];
}
