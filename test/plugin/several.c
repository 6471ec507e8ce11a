// Two loop nests of a function with a call between them are optimized one after the other; both keep their original code.

// RUN: env POLY_OPTS=force %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

void between(void);

// CHECK: several.c:[[#@LINE+3]]:3: remark: optimized 2 loops, 1 statement
// CHECK: several.c:[[#@LINE+6]]:3: remark: optimized 2 loops, 1 statement
void two(int n, double (*restrict a)[300], double (*restrict b)[300]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[j][i];
  between();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = a[j][i];
}
