// Reductions with fewer operations: the remark says which, from which degree to which, and how many operations. The switch, and what stays as it is.

// RUN: %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='reduction into'
// RUN: env POLY_OPTS=no-simplify-reductions %clang -O3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: reduction into

// Of the systems with as many operations, the one whose sums of columns are vector code.
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=VECTOR
// VECTOR: remark: optimized 4 loops{{.*}}; band of 2, reordered, vector; {{.*}}from degree 4 to 2

// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops{{.*}}; reduction into {{.*}} from degree 2 to 1, {{[0-9]+ operations to [0-9]+}}; used for
void prefix(int *restrict y, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      sum += x[j];
    y[i] = sum;
  }
}

// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops{{.*}}; reduction into {{.*}} from degree 2 to 1, {{[0-9]+ operations to [0-9]+}}; used for
void sliding(int *restrict y, const int *restrict x, int n, int w) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < w; j++)
      y[i] += x[i + j];
  }
}

// Nothing can be taken out of a maximum: it is that of two windows whose width is a power of two.
// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops, 26 statements{{.*}}; reduction into {{.*}}, 999000 operations to 17978; used for
void most(int *restrict y, const int *restrict x, int n, int w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      y[i] = x[i + j] > y[i] ? x[i + j] : y[i];
}

// The window grows. (What may be spent on it is enough for one order, which is looked for at large sizes.)
// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops, 27 statements{{.*}}; reduction into {{.*}}, 499999500000 operations to 145566708; used for
void growing(int *restrict y, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int least = x[i];
    for (int j = i; j <= 2 * i; j++)
      least = x[j] < least ? x[j] : least;
    y[i] = least;
  }
}

// No two sums have a term in common.
void rows(int *restrict y, const int (*restrict a)[1000], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 1000; j++)
      y[i] += a[i][j];
}

// Floating-point sums have an order.
void ordered(float *restrict y, const float *restrict x, int n, int w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      y[i] += x[i + j];
}

// The sums are read by what they are made of.
void dependent(int *y, int n, int w) {
  for (int i = w; i < n; i++)
    for (int j = 1; j < w; j++)
      y[i] += y[i - j];
}

// LLVM has a PHI node for each loop of a sum.
// CHECK: [[#@LINE+2]]:3: remark: optimized 4 loops{{.*}}; reduction into {{.*}} from degree 4 to 2, {{[0-9]+ operations to [0-9]+}}; {{.*}}used for
void box(int n, int m, int w, int columns, int (*restrict y)[m], const int (*restrict x)[columns]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < w; a++)
        for (int b = 0; b < w; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// CHECK: [[#@LINE+2]]:3: remark: optimized 3 loops{{.*}}; reduction into {{.*}} from degree 3 to 2, {{[0-9]+ operations to [0-9]+}}; used for
void equation(int n, int *restrict y, const int (*restrict a)[2 * n], const int (*restrict b)[n]) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][j + k] * b[k][j];
    y[i] = sum;
  }
}
