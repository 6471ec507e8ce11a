// Loops that statements execute as a whole, because what their iterations do depends on data.
// RUN: %clang -O2 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=no-whole-loops %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck --check-prefix=WITHOUT %s
// RUN: %opt %loadpoly -poly-force -poly-only-func=halved -passes='loop-simplify,lcssa,poly' -S %t.ll | %FileCheck --check-prefix=CODE %s
// RUN: %clang -O2 -fno-finite-loops -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.endless.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.endless.ll 2>&1 | %FileCheck --check-prefix=ENDLESS %s

// CHECK-LABEL: SCoPs of function 'halved':
// CHECK:      [[LOOP:%[0-9]+]] = loop of %{{[0-9]+}}
// CHECK-NEXT: = result of [[LOOP]]
// CHECK:      write {{.*}} -> A[i0, i1] }
// CHECK-NOT:  rejected
// WITHOUT-LABEL: SCoPs of function 'halved':
// WITHOUT: rejected loop nest: unknown-trip-count: it is not known how often the loop runs
// It could run for ever, and what comes behind would not be executed then.
// ENDLESS-LABEL: SCoPs of function 'halved':
// ENDLESS: rejected loop nest: {{.*}}; nor is it known whether the loop ends
// The blocks are copied; what leaves the loop goes on in the new code.
// CODE-LABEL: define {{.*}}@halved(
// CODE:       poly.whole
// CODE:       fmul double
// CODE:       br i1 %{{.*}}, label %poly.whole{{.*}}, label %poly
void halved(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = B[j][i];
      while (x > 1.0)
        x *= 0.5;
      A[i][j] += x;
    }
}

// Two exits, one of them counted: the loop ends in any case, and its accesses stay in their row and column.
// CHECK-LABEL: SCoPs of function 'left_early':
// CHECK:      assume in-bounds: [n] -> { : n <= 500 }
// CHECK:      domain: [n] -> { S0[i0] : 0 <= i0 < n }
// CHECK:      loop of
// CHECK-NEXT: read [n] -> { S0[i0] -> B[o0, i0] : 0 <= o0 < n }
// CHECK-NEXT: read [n] -> { S0[i0] -> A[i0, o1] : 0 <= o1 < n }
// CHECK-NEXT: may write [n] -> { S0[i0] -> A[i0, o1] : 0 <= o1 < n }
// ENDLESS-LABEL: SCoPs of function 'left_early':
// ENDLESS:     may write [n] -> { S0[i0] -> A[i0, o1] : 0 <= o1 < n }
void left_early(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (B[j][i] < 0)
        break;
      A[i][j] += B[j][i];
    }
}

// The exits do different things, and the values that they leave are told apart.
// CHECK-LABEL: SCoPs of function 'ways_out':
// CHECK:      [[LOOP:%[0-9]+]] = loop of
// CHECK-NEXT:   read {{.*}} -> B[o0, i0] : 0 <= o0 < n }
// CHECK-NEXT:   read {{.*}} -> A[i0, o1] : 0 <= o1 < n }
// CHECK-NEXT:   may write
// CHECK:      [[RESULT:%[0-9]+]] = result of [[LOOP]]
// CHECK:      write [n] -> { {{.*}} -> where[i0] } of %{{[0-9]+}}
void ways_out(int n, double A[restrict 500][500], double B[restrict 500][500], int *restrict where) {
  for (int i = 0; i < n; i++) {
    int found = -1;
    for (int j = 0; j < n; j++) {
      if (B[j][i] > 2.5) {
        found = j;
        A[i][j] = -1;
        break;
      }
      if (B[j][i] < 0.25) {
        found = 100 + j;
        break;
      }
      A[i][j] += 1;
    }
    where[i] = found;
  }
}

// A counted loop under a condition on data: the statement executes all of it if the condition holds.
// CHECK-LABEL: SCoPs of function 'under_data':
// CHECK:      if [[GUARD:%[0-9]+]]: %{{[0-9]+}} = loop of
// CHECK-NEXT: read {{.*}} -> B[o0, i0] : 0 <= o0 < n }
// CHECK-NEXT: read {{.*}} -> A[i0, o1] : 0 <= o1 < n }
// CHECK-NEXT: may write {{.*}} -> A[i0, o1] : 0 <= o1 < n }
// CHECK-NOT:  rejected
void under_data(int n, const int *restrict flag, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    if (flag[i])
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
}

// A nest under a condition on data has a model of its own.
// CHECK-LABEL: SCoPs of function 'nest_under_data':
// CHECK-NOT:  loop of
// CHECK:      domain: {{.*}} -> { S{{[0-9]+}}[i0, i1] :
// CHECK:      rejected loop nest: non-affine-condition
void nest_under_data(int n, const int *restrict flag, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int t = 0; t < n; t++)
    if (flag[t])
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          A[i][j] += B[j][i];
}

// Nothing bounds the counter, so any element may be accessed.
// CHECK-LABEL: SCoPs of function 'sparse':
// CHECK:      loop of
// CHECK-NEXT: read [n] -> { S{{[0-9]+}}[i0] -> v[o0] }
// CHECK-NEXT: read [n] -> { S{{[0-9]+}}[i0] -> col[o0] }
// CHECK-NEXT: read [n] -> { S{{[0-9]+}}[i0] -> x[o0] }
// CHECK-NOT:  rejected
void sparse(int n, const int *restrict row, const int *restrict col, const double *restrict v, const double *restrict x,
            double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += v[k] * x[col[k]];
}

// The exit leaves the loop around, too.
// CHECK-LABEL: SCoPs of function 'search':
// CHECK-NEXT: rejected loop nest: multiple-exits: the loop is left together with a loop inside of it
int search(int n, double A[500][500], double x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (A[i][j] == x)
        return i * n + j;
  return -1;
}
