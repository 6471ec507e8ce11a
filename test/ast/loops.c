// Loops with exact bounds and without conditions inside.
//
// RUN: %clang -O3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;force;process-unprofitable;no-tile>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

// A triangle whose loops change places: the bounds of the inner loop follow.
//
//CHECK-LABEL:Loops of function 'triangle':
// CHECK-NEXT:scop "triangle: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1) {
// CHECK-NEXT:  // vector
// CHECK-NEXT:  for (int c1 = c0; c1 <= 99; c1 += 1)
// CHECK-NEXT:    S0(c1, c0);
// CHECK-NEXT:}
void triangle(double (*A)[100]) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j <= i; j++)
      A[j][i] += 1;
}

// The counter begins at 0, whatever the bounds.
//
//CHECK-LABEL:Loops of function 'from_to':
// CHECK-NEXT:scop "from_to: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 < to - from; c0 += 1)
// CHECK-NEXT:  S0(c0);
void from_to(long from, long to, double *A) {
  for (long i = from; i < to; i++)
    A[i] *= 2;
}

// Every third element.
//
//CHECK-LABEL:Loops of function 'strided':
// CHECK-NEXT:scop "strided: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 32; c0 += 1)
// CHECK-NEXT:  S0(c0);
void strided(double *A) {
  for (long i = 2; i < 100; i += 3)
    A[i] *= 2;
}

// The condition is part of the bound.
//
//CHECK-LABEL:Loops of function 'half':
// CHECK-NEXT:scop "half: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= min(n - 1, 99); c0 += 1)
// CHECK-NEXT:  S0(c0);
void half(long n, double *A) {
  for (long i = 0; i < 100; i++)
    if (i < n)
      A[i] *= 2;
}

// Two statements under conditions of their own: each gets its loop, without conditions.
//
//CHECK-LABEL:Loops of function 'pieces':
// CHECK-NEXT:scop "pieces: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= 29; c0 += 1)
// CHECK-NEXT:  S0(c0);
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 20; c0 <= 99; c0 += 1)
// CHECK-NEXT:  S1(c0);
void pieces(double *restrict A, double *restrict B) {
  for (long i = 0; i < 100; i++) {
    if (i < 30)
      A[i] *= 2;
    if (i >= 20)
      B[i] *= 3;
  }
}

// A remainder becomes a step.
//
//CHECK-LABEL:Loops of function 'even':
// CHECK-NEXT:scop "even: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 2)
// CHECK-NEXT:  S0(c0);
void even(double *A) {
  for (unsigned long i = 0; i < 100; i++)
    if (i % 2 == 0)
      A[i] *= 2;
}

// A loop with one iteration is none.
//
//CHECK-LABEL:Loops of function 'diagonal':
// CHECK-NEXT:scop "diagonal: {{.*}}"
// CHECK-NEXT:// no-vector
// CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
// CHECK-NEXT:  S0(c0, c0);
void diagonal(double A[100][100]) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++)
      if (i == j)
        A[i][j] *= 2;
}

// Skewed: the bounds of the inner loop follow the outer one.
//
//CHECK-LABEL:Loops of function 'seidel':
// CHECK-NEXT:scop "seidel: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 < t; c0 += 1)
// CHECK-NEXT:  for (int c1 = c0; c1 <= c0 + 97; c1 += 1)
// CHECK-NEXT:    S0(c0, c1 - c0);
void seidel(long t, double *A) {
  for (long k = 0; k < t; k++)
    for (long i = 1; i < 99; i++)
      A[i] = A[i - 1] + A[i] + A[i + 1];
}

// What comes before and after the inner loop gets loops of its own.
//
//CHECK-LABEL:Loops of function 'around':
// CHECK-NEXT:scop "around: {{.*}}"
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
// CHECK-NEXT:  S0(c0);
// CHECK-NEXT:for (int c0 = 0; c0 <= 49; c0 += 1)
// CHECK-NEXT:  for (int c1 = 0; c1 <= 99; c1 += 1)
// CHECK-NEXT:    S1(c1, c0);
// CHECK-NEXT:// vector
// CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
// CHECK-NEXT:  S2(c0);
void around(double *restrict A, double *restrict S) {
  for (long i = 0; i < 100; i++) {
    S[i] = 0;
    for (long j = 0; j < 50; j++)
      S[i] += A[50 * i + j];
    S[i] *= 2;
  }
}
