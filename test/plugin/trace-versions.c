// The option trace-versions: a program counts which version of each nest runs, and which part of the check was the first one that failed. For these shapes the new code must really run.
// RUN: env POLY_OPTS=trace-versions %clang -O3 -march=x86-64-v3 %withpoly %s -o %t
// RUN: %t 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=trace-versions %clang -O3 -march=x86-64-v3 -DPART %withpoly -c %s -o %t.o
// RUN: env POLY_OPTS=trace-versions %clang -O3 -march=x86-64-v3 -DREST %withpoly %s %t.o -Wl,--gc-sections -o %t.both
// RUN: %t.both 2>&1 | %FileCheck %s

// Without it nothing is said.
// RUN: %clang -O3 -march=x86-64-v3 %withpoly %s -o %t.silent
// RUN: %t.silent 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: {{.}}

#include <stdlib.h>

#ifndef REST
__attribute__((noinline)) void last_row(int n, double *A, double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
  for (int j = 0; j < n; j++)
    C[(n - 1) * n + j] = 1;
}

__attribute__((noinline)) void given_row(int n, int row, double *A, double *B, double *C) {
  for (int j = 0; j < n; j++)
    C[row * n + j] = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}
#else
void last_row(int n, double *A, double *B, double *C);
void given_row(int n, int row, double *A, double *B, double *C);
#endif

#ifndef PART
__attribute__((noinline)) void flat_first(int n, double *A, double *B, double *C, double *D) {
  for (int k = 0; k < n * n; k++)
    C[k] = D[k] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

__attribute__((noinline)) void batch(int count, int n, double *A, double *B, double *C) {
  for (int b = 0; b < count; b++) {
    double *x = A + b * n * n, *y = B + b * n * n, *z = C + b * n * n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
          sum += x[i * n + k] * y[k * n + j];
        z[i * n + j] = sum;
      }
  }
}

__attribute__((noinline)) void transposed(unsigned a, unsigned b, unsigned c, unsigned d, double *A, double *B) {
  for (unsigned i = 0; i < a; i++)
    for (unsigned j = 0; j < b; j++)
      for (unsigned k = 0; k < c; k++)
        for (unsigned l = 0; l < d; l++)
          B[((l * c + k) * b + j) * a + i] = A[((i * b + j) * c + k) * d + l];
}

int main(void) {
  int n = 64;
  double *A = calloc(128 * 64 * 64, 8), *B = calloc(128 * 64 * 64, 8), *C = calloc(8 * 64 * 64, 8);
  // CHECK-DAG: poly: {{ *}}2 times {{.*}}last_row{{.*}}: new code
  // CHECK-DAG: poly: {{ *}}1 times {{.*}}last_row{{.*}}: original: {{.*}} overlap
  last_row(n, A, B, C);
  last_row(n, B, A, C);
  last_row(n, A, B, B);
  // CHECK-DAG: poly: {{ *}}1 times {{.*}}given_row{{.*}}: new code
  // CHECK-DAG: poly: {{ *}}1 times {{.*}}given_row{{.*}}: original: not so that the sizes are such that it pays
  given_row(n, 5, A, B, C);
  given_row(2, 1, A, B, C);
  // CHECK-DAG: poly: {{ *}}1 times {{.*}}flat_first{{.*}}: new code
  flat_first(n, A, B, C, A);
  // CHECK-DAG: poly: {{ *}}1 times {{.*}}batch{{.*}}: new code
  batch(8, n, A, B, C);
  // CHECK-DAG: poly: {{ *}}1 times {{.*}}transposed{{.*}}: new code
  transposed(26, 26, 26, 26, A, B);
}
#endif
