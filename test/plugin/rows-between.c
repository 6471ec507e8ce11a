// Rows of an array that lie between those of others, as in copies of vectors of vectors, whose first
// rows are where others have been freed: where no two rows overlap, the new code runs; where two do
// by one element, or where rows are not in the order of their table, the original.
//
// RUN: env POLY_OPTS=trace-versions %clang -O3 -march=x86-64-v3 %withpoly %s -o %t
// RUN: %t apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: %t touching 2>&1 | %FileCheck --check-prefix=TOUCHING %s
// RUN: %t unsorted 2>&1 | %FileCheck --check-prefix=UNSORTED %s
// RUN: %t table 2>&1 | %FileCheck --check-prefix=TABLE %s
//
// APART: 3 times product{{.*}}: new code
// TOUCHING: 3 times product{{.*}}: original: {{.*}} overlap
// UNSORTED: 3 times product{{.*}}: original: {{.*}} overlap
// TABLE: 3 times product{{.*}}: new code
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 100

__attribute__((noinline)) void product(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// Rows of the three matrices lie in turn; with a gap behind some of them that has place for a table.
int main(int count, char **arguments) {
  const char *how = count > 1 ? arguments[1] : "";
  double *memory = calloc(4 * N * N, sizeof *memory);
  double **a = malloc(N * sizeof *a), **b = malloc(N * sizeof *b), **c = malloc(N * sizeof *c);
  if (strcmp(how, "table") == 0)
    a = (double **)(memory + 3 * N * (N / 2));
  for (int i = 0; i < N; i++) {
    double *row = memory + 3 * N * i + (i >= N / 2 ? N : 0);
    a[i] = row, b[i] = row + N, c[i] = row + 2 * N;
  }
  if (strcmp(how, "touching") == 0)
    c[N / 3] -= 1;
  if (strcmp(how, "unsorted") == 0) {
    double *row = b[3];
    b[3] = b[4], b[4] = row;
  }
  for (int repeat = 0; repeat < 3; repeat++)
    product(N, a, b, c);
  return c[0][0] != c[0][0];
}
