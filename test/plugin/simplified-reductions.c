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

// What does not move with the inner minimum comes out of it, if no sum can overflow: numbers are looked at before.
// With all rows of its temporary it would take 1.7e9 cycles.
// CHECK: [[#@LINE+2]]:3: remark: optimized 4 loops{{.*}}; reduction into {{.*}} from degree 4 to 3, {{.*}}; 4 inspections of data; used for {{.*}}; predicted {{[1-9][.][0-9]+}}e8 cycles against 1.6{{.*}}e10
void interior(int n, int (*restrict v)[n], const int (*restrict a)[n], const int (*restrict b)[n], const int *restrict size, const int *restrict skew) {
  for (int i = 0; i < n; i++)
    for (int j = i + 3; j < n; j++)
      for (int p = i + 1; p < j; p++)
        for (int q = p + 1; q < j; q++) {
          int energy = a[i][j] + b[p][q] + size[p - i + j - q - 2] + skew[p - i + q - j + n];
          v[i][j] = energy < v[i][j] ? energy : v[i][j];
        }
}

// Sums of shorts do not overflow.
// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops{{[^;]*}}; {{[^;]*}}; {{[^;]*}}; reduction into {{.*}} from degree 2 to 1, 1000000 operations to 1999; used for
void shorts(int n, int *restrict y, const short *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i] = x[i] - x[j] > y[i] ? x[i] - x[j] : y[i];
}

// The numbers are written by the loops.
void written(int n, int *restrict y, int *restrict x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      y[i] = x[i] + x[j] < y[i] ? x[i] + x[j] : y[i];
    x[i + 1] += y[i];
  }
}

// Equal values are counted.
// CHECK: [[#@LINE+2]]:3: remark: optimized 3 loops{{.*}}; reduction into {{.*}} from degree 3 to 1, 333832500 operations to 2998; used for
void repeated(int *restrict y, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += x[k];
    y[i] = sum;
  }
}

// The window's width is in the bounds of outer loops, where a small one makes these long.
// CHECK: [[#@LINE+2]]:3: remark: optimized 5 loops{{.*}}; reduction into {{.*}} from degree 4 to 2, {{[0-9]+ operations to [0-9]+}}; {{.*}}used for
void inside(int n, int w, int (*restrict y)[n], const int (*restrict x)[n]) {
  for (int i = 0; i + w <= n; i++)
    for (int j = 0; j + w <= n; j++) {
      int sum = 0;
      for (int a = 0; a < w; a++)
        for (int b = 0; b < w; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// New values are summed up as they are written, old ones before.
// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops{{.*}}; reduction into {{.*}} from degree 2 to 1, 498501 operations to 998; reduction into {{.*}} from degree 2 to 1, 498501 operations to 998; used for
void sweep(int *restrict y, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      if (j != i)
        sum += y[j];
    y[i] = x[i] - sum / 3;
  }
}

// An element has another value in each iteration.
void unsteady(int *restrict y, const int *restrict x, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      sum += y[j];
    for (int j = 0; j <= i; j++)
      y[j] = x[j] + sum;
  }
}
