// What a block touches of an array is copied to where rows lie side by side, and what it writes is copied back.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-splitting;block-size=16>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;no-pack-blocks;no-splitting;block-size=16>)' \
// RUN:   | %FileCheck --check-prefix=WITHOUT %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-register-tile;parallel;no-splitting;block-size=16>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace --check-prefix=TURNS %s
// RUN: %clang -O3 -fpass-plugin=%poly -c %s -o %t.o -Rpass=poly 2>&1 | %FileCheck --check-prefix=SMALL %s
// RUN: env POLY_OPTS='force;no-splitting;block-size=8' %clang -O3 -march=znver4 -fpass-plugin=%poly -c %s -o %t.o -Rpass=poly 2>&1 | %FileCheck --check-prefix=CYCLES --implicit-check-not='predicted -' %s
//
// Strips of nests below blocks save no more than the nests take.
// CYCLES: packed-blocks.c:[[#]]:3: remark: optimized {{.*}} predicted {{[0-9]}}
//
// Little data are not copied, nor in blocks.
// SMALL-NOT: packed in blocks

// The whole block of columns of `a` stays in its copy while the columns to the left run; of `q`, each of these needs one column.
//
//CHECK-LABEL:Loops of function 'orthogonal':
// CHECK-NEXT:scop "orthogonal: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1) {
// CHECK-NEXT:  Open2(c0, 0, 0);
// CHECK-NEXT:  for (int c1 = 0; c1 <= 49; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 0; c2 <= min(16 * c0 + 15, 99); c2 += 1)
// CHECK-NEXT:      Fill2(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:  Open1(c0, 0, 16 * c0);
// CHECK-NEXT:  for (int c1 = 0; c1 <= 49; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 16 * c0; c2 <= min(16 * c0 + 15, 99); c2 += 1)
// CHECK-NEXT:      Fill1(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (int c1 = 0; c1 <= min(16 * c0 + 15, 99); c1 += 1) {
// CHECK-NEXT:    Open0(c0, c1, c1, 16 * c0 - c1);
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c3 = max(16 * c0 - c1, 0); c3 <= min(16 * c0 + 15 - c1, 99 - c1); c3 += 1)
// CHECK-NEXT:      Fill0(c0, c1, c1, c3);
// CHECK-NEXT:    if (c1 >= 16 * c0) {
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1)
// CHECK-NEXT:        S0(c1, c2);
// CHECK-NEXT:      // no-vector
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1)
// CHECK-NEXT:        S1(c1, c2);
// CHECK-NEXT:    }
// CHECK-NEXT:    if (16 * c0 + 14 >= c1 && c1 <= 98) {
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1) {
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c3 = max(c1 + 1, 16 * c0); c3 <= min(16 * c0 + 15, 99); c3 += 1)
// CHECK-NEXT:          S2(c1, c3 - c1 - 1, c2);
// CHECK-NEXT:      }
// CHECK-NEXT:      for (int c2 = 0; c2 <= 49; c2 += 1) {
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c3 = max(c1 + 1, 16 * c0); c3 <= min(16 * c0 + 15, 99); c3 += 1)
// CHECK-NEXT:          S3(c1, c3 - c1 - 1, c2);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c3 = max(16 * c0 - c1, 0); c3 <= min(16 * c0 + 15 - c1, 99 - c1); c3 += 1)
// CHECK-NEXT:      Back0(c0, c1, c1, c3);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (int c1 = 0; c1 <= 49; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = max(16 * c0, 1); c2 <= min(16 * c0 + 15, 99); c2 += 1)
// CHECK-NEXT:      Back1(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (int c1 = 0; c1 <= 49; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 16 * c0; c2 <= min(16 * c0 + 15, 99); c2 += 1)
// CHECK-NEXT:      Back2(c0, c1, c2);
// CHECK-NEXT:  }
// CHECK-NEXT:}
//
// A DOACROSS loop over blocks. What no other block changes is copied before there is any waiting; a column of `q` only behind it.
//
//TURNS-LABEL:Loops of function 'orthogonal':
// TURNS-NEXT:scop "orthogonal: {{.*}}"
// TURNS-NEXT:// doacross
// TURNS-NEXT:for (int c0 = 0; c0 <= 6; c0 += 1) {
// TURNS-NEXT:  Open2(c0, 0, 16 * c0);
// TURNS-NEXT:  for (int c1 = 0; c1 <= 49; c1 += 1) {
// TURNS-NEXT:    // vector
// TURNS-NEXT:    for (int c2 = 16 * c0; c2 <= min(16 * c0 + 15, 99); c2 += 1)
// TURNS-NEXT:      Fill2(c0, c1, c2);
// TURNS-NEXT:  }
// TURNS-NEXT:  for (int c1 = 0; c1 <= c0; c1 += 1) {
// TURNS-NEXT:    if (c0 > c1)
// TURNS-NEXT:      Wait0(c0, c1);
// TURNS-NEXT:    for (int c2 = 16 * c1; c2 <= min(16 * c1 + 15, 99); c2 += 1) {
// TURNS-NEXT:      Open1(c0, c1, c2, 0, c2);
// TURNS-NEXT:      for (int c3 = 0; c3 <= 49; c3 += 1)
// TURNS-NEXT:        Fill1(c0, c1, c2, c3, c2);
// TURNS-NEXT:      Open0(c0, c1, c2, c2, 16 * c0 - c2);
// TURNS-NEXT:      // vector
// TURNS-NEXT:      for (int c4 = max(16 * c0 - c2, 0); c4 <= min(16 * c0 + 15 - c2, 99 - c2); c4 += 1)
// TURNS-NEXT:        Fill0(c0, c1, c2, c2, c4);
// TURNS-NEXT:      if (c0 == c1) {
// TURNS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1)
// TURNS-NEXT:          S0(c2, c3);
// TURNS-NEXT:        // no-vector
// TURNS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1)
// TURNS-NEXT:          S1(c2, c3);
// TURNS-NEXT:      }
// TURNS-NEXT:      if (16 * c0 + 14 >= c2 && c2 <= 98) {
// TURNS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1) {
// TURNS-NEXT:          // vector
// TURNS-NEXT:          for (int c4 = max(c2 + 1, 16 * c0); c4 <= min(16 * c0 + 15, 99); c4 += 1)
// TURNS-NEXT:            S2(c2, c4 - c2 - 1, c3);
// TURNS-NEXT:        }
// TURNS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1) {
// TURNS-NEXT:          // vector
// TURNS-NEXT:          for (int c4 = max(c2 + 1, 16 * c0); c4 <= min(16 * c0 + 15, 99); c4 += 1)
// TURNS-NEXT:            S3(c2, c4 - c2 - 1, c3);
// TURNS-NEXT:        }
// TURNS-NEXT:      }
// TURNS-NEXT:      // vector
// TURNS-NEXT:      for (int c4 = max(16 * c0 - c2, 0); c4 <= min(16 * c0 + 15 - c2, 99 - c2); c4 += 1)
// TURNS-NEXT:        Back0(c0, c1, c2, c2, c4);
// TURNS-NEXT:      if (c0 == c1)
// TURNS-NEXT:        for (int c3 = 0; c3 <= 49; c3 += 1)
// TURNS-NEXT:          Back1(c0, c0, c2, c3, c2);
// TURNS-NEXT:    }
// TURNS-NEXT:  }
// TURNS-NEXT:  for (int c1 = 0; c1 <= 49; c1 += 1) {
// TURNS-NEXT:    // vector
// TURNS-NEXT:    for (int c2 = max(16 * c0, 1); c2 <= min(16 * c0 + 15, 99); c2 += 1)
// TURNS-NEXT:      Back2(c0, c1, c2);
// TURNS-NEXT:  }
// TURNS-NEXT:}
//
//CHECK-LABEL:Loops of function 'sparse':
// CHECK-NOT:{{.*}}Open{{.*}}
//     CHECK:{{ *}}S3(c1, c3 - c1 - 1, c2);
//
//WITHOUT-LABEL:Loops of function 'orthogonal':
//WITHOUT-NOT:Open
void orthogonal(double a[restrict 50][100], double r[restrict 100][100], double q[restrict 50][100]) {
  for (long k = 0; k < 100; k++) {
    for (long i = 0; i < 50; i++)
      r[k][k] += a[i][k] * a[i][k];
    for (long i = 0; i < 50; i++)
      q[i][k] = a[i][k] * r[k][k];
    for (long j = k + 1; j < 100; j++) {
      for (long i = 0; i < 50; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (long i = 0; i < 50; i++)
        a[i][j] -= q[i][k] * r[k][j];
    }
  }
}

// Some elements are read only if data say so: nobody may copy the others.
void sparse(double a[restrict 50][100], double r[restrict 100][100], double q[restrict 50][100]) {
  for (long k = 0; k < 100; k++) {
    for (long i = 0; i < 50; i++)
      r[k][k] += a[i][k] * a[i][k];
    for (long i = 0; i < 50; i++)
      q[i][k] = a[i][k] * r[k][k];
    for (long j = k + 1; j < 100; j++) {
      for (long i = 0; i < 50; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (long i = 0; i < 50; i++)
        if (q[i][k] != 0)
          a[i][j] -= q[i][k] * r[k][j];
    }
  }
}

void of_any_size(int m, int n, double a[restrict m][n], double r[restrict n][n], double q[restrict m][n]) {
  for (int k = 0; k < n; k++) {
    double norm = 1;
    for (int i = 0; i < m; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = norm;
    for (int i = 0; i < m; i++)
      q[i][k] = a[i][k] * 0x1p-14 + r[k][k] * 0x1p-14;
    for (int j = k + 1; j < n; j++) {
      r[k][j] = 0;
      for (int i = 0; i < m; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < m; i++)
        a[i][j] = a[i][j] - q[i][k] * r[k][j] * 0x1p-14;
    }
  }
}
