// Nothing bounds what is accessed of `h` and `x`, so no check can tell whether they overlap what is written: the order of these accesses is kept, and the rest is optimized.
//
// RUN: %clang -O3 -march=skylake-avx512 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: env POLY_OPTS='force;process-unprofitable' %clang -O3 %withpoly -emit-llvm -S %s -o - | %FileCheck --check-prefix=IR %s

// CHECK: unchecked-overlap.c:[[#@LINE+3]]:3: remark: optimized 3 loops, 2 statements; {{.*}}register tiles
void product_and_histogram(int n, double (*restrict C)[500], double (*restrict A)[500], double (*restrict B)[500], int *h,
                           const int *b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    h[b[i]]++;
  }
}

// Nests with such arrays are looked at one by one: more of their arrays have bounds.
// CHECK: unchecked-overlap.c:[[#@LINE+2]]:3: remark: optimized 2 loops, 1 statement; {{.*}}2 run-time checks
void nests(int n, double (*A)[500], double (*B)[500], double *y, const double *x, const int *index) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[j][i] += B[j][i];
  // CHECK: unchecked-overlap.c:[[#@LINE+1]]:3: remark: 1 loop not optimized: no profitable transformation was found
  for (int i = 0; i < n; i++)
    y[i] = x[index[i]];
}

// LLVM is not told that the arrays are apart: the list of scopes that an access of the one is apart from is empty.
// CHECK: unchecked-overlap.c:[[#@LINE+8]]:3: remark: 1 loop not optimized: no profitable transformation was found
// IR-LABEL: define {{.*}}void @histogram(
// IR: load i32, {{.*}}, !alias.scope ![[B:[0-9]+]], !noalias ![[NONE:[0-9]+]]
// IR: load i32, {{.*}}, !alias.scope ![[H:[0-9]+]], !noalias ![[NONE]]
// IR: store i32 {{.*}}, !alias.scope ![[H]], !noalias ![[NONE]]
// IR: ret void
// IR: ![[NONE]] = !{}
void histogram(int n, int *h, const int *b) {
  for (int i = 0; i < n; i++)
    h[b[i]]++;
}
