// The first row of a table of pointers is a row like the others, also where its pointer does not change and could be loaded
// once before the loops: as an array of its own it would overlap the rows.
// RUN: %clang -O2 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: SCoPs of function 'borders':
// CHECK-NOT: load ptr
// CHECK: write {{.*}}[0, i0] } of affine
// CHECK-NOT: load ptr
// CHECK-LABEL: SCoPs of function 'one_row':
void borders(int n, int m, int **d) {
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      d[i][j] = d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1];
}

// Beside no such rows, a row is an array of its own.
// CHECK: write {{.*}}[i0] } of
void one_row(int m, int **d) {
  for (int j = 0; j <= m; j++)
    d[1][j] = d[0][j];
}
