// Sums over windows of constant size: LLVM unrolls their loops before Poly sees them, or nobody has written any.
// What is a box is computed with fewer operations, where that is predicted to be faster.

// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='reduction into'
// RUN: env POLY_OPTS=no-simplify-reductions %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: reduction into

// Both loops are unrolled. Sums of columns come from those of the row before, of which two rows are
// in memory at a time.
// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops, 3 statements; {{.*}}vector; reduction into {{.*}} of degree 2, 62121087 operations to 8893343; 1 run-time check; used for
void box_8(int n, int m, const int (*x)[m], int (*y)[m]) {
  for (int i = 0; i < n - 7; i++)
    for (int j = 0; j < m - 7; j++) {
      int sum = 0;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// The inner loop is.
// CHECK: [[#@LINE+2]]:3: remark: optimized 3 loops, 4 statements; {{.*}}vector; reduction into {{.*}} of degree 2, 247407375 operations to 16536375; 1 run-time check; used for
void box_16(int n, int m, const int (*x)[m], int (*y)[m]) {
  for (int i = 0; i < n - 15; i++)
    for (int j = 0; j < m - 15; j++) {
      int sum = 0;
      for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// The sum is of another type than both arrays.
// CHECK: [[#@LINE+2]]:3: remark: optimized 2 loops, {{.*}}; reduction into {{.*}} of degree 2, {{[0-9]+ operations to [0-9]+}};
void mean(int n, int m, const unsigned char (*restrict x)[m], unsigned char (*restrict y)[m]) {
  for (int i = 0; i < n - 7; i++)
    for (int j = 0; j < m - 7; j++) {
      unsigned sum = 32;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum >> 6;
    }
}

// Nothing that nobody needs twice.
void pairs(int n, int m, const int (*restrict x)[m], int (*restrict y)[m]) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m - 1; j++)
      y[i][j] = x[i][j] + x[i][j + 1] + x[i + 1][j] + x[i + 1][j + 1];
}

// Vectors of direct sums are as fast as what waits for its neighbour.
void line(int n, const int *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < 8; j++)
      sum += x[i + j];
    y[i] = sum;
  }
}

// Weights make no box of what has different ones.
void gaussian(int n, int m, const int (*restrict x)[m], int (*restrict y)[m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = (x[i - 1][j - 1] + 2 * x[i - 1][j] + x[i - 1][j + 1] + 2 * x[i][j - 1] + 4 * x[i][j] + 2 * x[i][j + 1] +
                 x[i + 1][j - 1] + 2 * x[i + 1][j] + x[i + 1][j + 1]) /
                16;
}

// Rounding has an order.
void floats(int n, int m, const float (*restrict x)[m], float (*restrict y)[m]) {
  for (int i = 0; i < n - 7; i++)
    for (int j = 0; j < m - 7; j++) {
      float sum = 0;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}
