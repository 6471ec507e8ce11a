// Chains of dependences along the rows of a matrix, for many rows: strips of rows are lanes of vectors where the processor has masks for all vectors.
//
// RUN: %clang -O3 -march=x86-64-v4 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;no-lanes>)' \
// RUN:   | %FileCheck --check-prefix=WITHOUT %s
// RUN: %clang -O3 -march=x86-64-v4 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=REMARK %s
//
// WITHOUT-NOT: lanes

#define N 1000

//CHECK-LABEL:Loops of function 'rows':
// CHECK-NEXT:scop "rows: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= 124; c0 += 1) {
// CHECK-NEXT:  // simd-wavefront
// CHECK-NEXT:  for (int c1 = 0; c1 <= 998; c1 += 1) {
// CHECK-NEXT:    // vector
// CHECK-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
// CHECK-NEXT:      S0(c2, c1);
// CHECK-NEXT:  }
// CHECK-NEXT:}
//
// REMARK: chains.c:[[@LINE+2]]:3: remark: optimized 2 loops, 1 statement; band of 2 tiled by 8, reordered, vector, SIMD wavefront of 8 lanes;
void rows(double q[restrict N][N], const double a[restrict N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      q[i][j] = (a[i][j] - 0.5 * q[i][j - 1]) / (a[i][j] + 100.0);
}

// Rows are vectors as they are.
//
//CHECK-LABEL:Loops of function 'columns':
// CHECK-NOT:{{.*}}lanes{{.*}}
void columns(double q[restrict N][N], const double a[restrict N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      q[j][i] = (a[j][i] - 0.5 * q[j - 1][i]) / (a[j][i] + 100.0);
}

// Rows of different lengths begin and end at different steps.
//
//CHECK-LABEL:Loops of function 'triangle':
// CHECK-NOT:{{.*}}lanes{{.*}}
void triangle(double q[restrict N][N], const double a[restrict N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 1; j < i; j++)
      q[i][j] = (a[i][j] - 0.5 * q[i][j - 1]) / (a[i][j] + 100.0);
}

// Calls have no vector form.
//
//CHECK-LABEL:Loops of function 'called':
// CHECK-NOT:{{.*}}lanes{{.*}}
double f(double) __attribute__((const, nothrow));
void called(double q[restrict N][N], const double a[restrict N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      q[i][j] = f(a[i][j]) - 0.5 * q[i][j - 1];
}
