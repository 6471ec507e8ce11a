// Register tiles: the reduced dimension inside, full tiles apart from partial ones.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;register-tile-sizes=3:2>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

//CHECK-LABEL:Loops of function 'product':
// CHECK-NEXT:scop "product: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= floord(n - 1, 448); c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= floord(n - 1, 72); c1 += 1)
// CHECK-NEXT:    for (int c2 = 0; c2 <= floord(n - 1, 4); c2 += 1)
// CHECK-NEXT:      for (int c3 = 24 * c1; c3 <= min(floord(n - 1, 3), 24 * c1 + 23); c3 += 1)
// CHECK-NEXT:        if (n >= 4 * c2 + 4 && n >= 3 * c3 + 3) {
// CHECK-NEXT:          // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:          for (int c4 = 448 * c0; c4 <= min(n - 1, 448 * c0 + 447); c4 += 1)
// CHECK-NEXT:            for (int c5 = 3 * c3; c5 <= 3 * c3 + 2; c5 += 1) {
// CHECK-NEXT:              // vector
// CHECK-NEXT:              for (int c6 = 4 * c2; c6 <= 4 * c2 + 3; c6 += 1)
// CHECK-NEXT:                S0(c5, c6, c4);
// CHECK-NEXT:            }
// CHECK-NEXT:        } else {
// CHECK-NEXT:          // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:          for (int c4 = 448 * c0; c4 <= min(n - 1, 448 * c0 + 447); c4 += 1)
// CHECK-NEXT:            for (int c5 = 3 * c3; c5 <= min(n - 1, 3 * c3 + 2); c5 += 1) {
// CHECK-NEXT:              // vector
// CHECK-NEXT:              for (int c6 = 4 * c2; c6 <= min(n - 1, 4 * c2 + 3); c6 += 1)
// CHECK-NEXT:                S0(c5, c6, c4);
// CHECK-NEXT:            }
// CHECK-NEXT:        }
void product(long n, double A[n][n], double B[n][n], double C[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// The reduced loop is cut where the tile meets the diagonal.
//
//CHECK-LABEL:Loops of function 'triangle':
// CHECK-NEXT:scop "triangle: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 22; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 29; c1 += 1) {
// CHECK-NEXT:    if (c0 <= 21) {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 0; c2 < 3 * c1; c2 += 1)
// CHECK-NEXT:        for (int c3 = 3 * c1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 4 * c0; c4 <= 4 * c0 + 3; c4 += 1)
// CHECK-NEXT:            S0(c3, c4, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:      if (c1 >= 1) {
// CHECK-NEXT:        // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:        for (int c2 = 3 * c1; c2 <= 3 * c1 + 1; c2 += 1)
// CHECK-NEXT:          for (int c3 = c2 + 1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:            // vector
// CHECK-NEXT:            for (int c4 = 4 * c0; c4 <= 4 * c0 + 3; c4 += 1)
// CHECK-NEXT:              S0(c3, c4, c2);
// CHECK-NEXT:          }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    if (!(c0 <= 21 && c1 >= 1)) {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 0; c2 < 3 * c1; c2 += 1)
// CHECK-NEXT:        for (int c3 = 3 * c1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 4 * c0; c4 <= 89; c4 += 1)
// CHECK-NEXT:            S0(c3, c4, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 3 * c1; c2 <= 3 * c1 + 1; c2 += 1)
// CHECK-NEXT:        for (int c3 = c2 + 1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 4 * c0; c4 <= min(4 * c0 + 3, 89); c4 += 1)
// CHECK-NEXT:            S0(c3, c4, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
void triangle(double A[90][90], double B[restrict 90][90]) {
  for (long i = 0; i < 90; i++)
    for (long j = 0; j < 90; j++)
      for (long k = 0; k < i; k++)
        B[i][j] += A[k][i] * A[k][j];
}

// Columns that begin at the row: the sum of both counters becomes the member that gives the lanes.
//
//CHECK-LABEL:Loops of function 'from_the_diagonal':
// CHECK-NEXT:scop "from_the_diagonal: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 22; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= min(floord(4 * c0 + 3, 3), 29); c1 += 1)
// CHECK-NEXT:    if (c0 <= 21 && 4 * c0 >= 3 * c1 + 2) {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 0; c2 <= 89; c2 += 1)
// CHECK-NEXT:        for (int c3 = 3 * c1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 4 * c0; c4 <= 4 * c0 + 3; c4 += 1)
// CHECK-NEXT:            S0(c3, c4 - c3, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:    } else {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 0; c2 <= 89; c2 += 1)
// CHECK-NEXT:        for (int c3 = 3 * c1; c3 <= min(3 * c1 + 2, 4 * c0 + 3); c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = max(4 * c0, c3); c4 <= min(4 * c0 + 3, 89); c4 += 1)
// CHECK-NEXT:            S0(c3, c4 - c3, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:    }
void from_the_diagonal(double A[90][90], double B[restrict 90][90]) {
  for (long i = 0; i < 90; i++)
    for (long j = i; j < 90; j++)
      for (long k = 0; k < 90; k++)
        B[i][j] += A[k][i] * A[k][j];
}

// Columns from the second one on: tiles begin at multiples of their length all the same, the first one is shorter.
//
//CHECK-LABEL:Loops of function 'second_column':
// CHECK-NEXT:scop "second_column: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 23; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 31; c1 += 1)
// CHECK-NEXT:    if (c0 >= 1) {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 0; c2 <= 95; c2 += 1)
// CHECK-NEXT:        for (int c3 = 3 * c1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 4 * c0; c4 <= 4 * c0 + 3; c4 += 1)
// CHECK-NEXT:            S0(c3, c4 - 1, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:    } else {
// CHECK-NEXT:      // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:      for (int c2 = 0; c2 <= 95; c2 += 1)
// CHECK-NEXT:        for (int c3 = 3 * c1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:          // vector
// CHECK-NEXT:          for (int c4 = 1; c4 <= 4 * c0 + 3; c4 += 1)
// CHECK-NEXT:            S0(c3, c4 - 1, c2);
// CHECK-NEXT:        }
// CHECK-NEXT:    }
void second_column(double A[restrict 96][96], double B[restrict 96][96], double C[restrict 96][96]) {
  for (long i = 0; i < 96; i++)
    for (long j = 1; j < 96; j++)
      for (long k = 0; k < 96; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// Few tiles: a shorter one more would be much of them.
//
//CHECK-LABEL:Loops of function 'few_tiles':
// CHECK-NEXT:scop "few_tiles: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 4; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 31; c1 += 1) {
// CHECK-NEXT:    // register-tile(S0.3, S0.2; partial S0)
// CHECK-NEXT:    for (int c2 = 0; c2 <= 95; c2 += 1)
// CHECK-NEXT:      for (int c3 = 3 * c1; c3 <= 3 * c1 + 2; c3 += 1) {
// CHECK-NEXT:        // vector
// CHECK-NEXT:        for (int c4 = 4 * c0; c4 <= 4 * c0 + 3; c4 += 1)
// CHECK-NEXT:          S0(c3, c4, c2);
// CHECK-NEXT:      }
// CHECK-NEXT:  }
void few_tiles(double A[restrict 96][96], double B[restrict 96][96], double C[restrict 96][96]) {
  for (long i = 0; i < 96; i++)
    for (long j = 1; j < 21; j++)
      for (long k = 0; k < 96; k++)
        C[i][j] += A[i][k] * B[k][j];
}
