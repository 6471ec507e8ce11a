// Arrays of one iteration: no marks in the model; new code begins their lifetimes once.
// RUN: %clang -O2 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt %loadpoly -poly-force -poly-only-func=row -passes='loop-simplify,lcssa,poly' -S %t.ll | %FileCheck --check-prefix=CODE %s

// CHECK-LABEL: SCoPs of function 'row':
// CHECK: local array double row[*]
// CHECK: write {{.*}} -> row[i1] }
// CHECK: read {{.*}} -> row[-1 + n - i1] }
// CODE-LABEL: define {{.*}}@row(
// CODE: poly.opt:
// CODE-NEXT: call void @llvm.lifetime.start{{.*}} %row)
// CODE: poly.c0.after:
// CODE-NEXT: call void @llvm.lifetime.end{{.*}} %row)
void row(int n, double a[restrict 100][100], double b[restrict 100][100]) {
  for (int i = 0; i < n; i++) {
    double row[100];
    for (int j = 0; j < n; j++)
      row[j] = b[i][j] * 2.0;
    for (int j = 0; j < n; j++)
      a[i][j] += row[n - 1 - j];
  }
}

void look(double *);

// CHECK-LABEL: SCoPs of function 'given_away':
// CHECK: rejected loop nest: call: the call of 'look' may write memory
void given_away(int n, double a[restrict 100][100]) {
  for (int i = 0; i < n; i++) {
    double row[100];
    look(row);
    for (int j = 0; j < n; j++)
      a[i][j] += row[n - 1 - j];
  }
}
