// What PHI nodes hold at first, if that has been loaded just before the loops: the model knows the element.
// RUN: %clang -O3 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %t.ll 2>&1 | %FileCheck --check-prefix=FREE %s

// CHECK-LABEL: SCoPs of function 'product':
// CHECK:      statement S_entry
// CHECK:        %0 = read [n] -> { S_entry[] -> row[0] }
// CHECK-NEXT:   write [n] -> { S_entry[] -> [[PHI:.*]][] } of %0

// No iteration depends on another one.
// FREE-LABEL: Dependences of function 'product':
// FREE-NEXT: scop
// FREE-NEXT: Dependences of function 'from_inside':
// FREE-NEXT: scop
// FREE-NEXT: Dependences of function 'written_between':
void product(int n, const int *restrict row, const int *restrict col, const double *restrict val, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// CHECK-LABEL: SCoPs of function 'from_inside':
// CHECK:      %0 = read [{{.*}}] -> { S_entry[] -> row[first] }
void from_inside(long first, long last, const long *restrict row, const double *restrict val, double *restrict y) {
  for (long i = first; i < last; i++) {
    double s = 0;
    for (long k = row[i]; k < row[i + 1]; k++)
      s += val[k];
    y[i] = s;
  }
}

// What is loaded may be another value when the loops begin.
// CHECK-LABEL: SCoPs of function 'written_between':
// CHECK:      write {{.*}} S_entry[] -> {{.*}} of invariant
void written_between(int n, int *restrict a, int *b, int *restrict c) {
  int x = a[0];
  if (n < 1)
    return;
  ((volatile int *)b)[0] = x;
  for (int i = 0; i < n; i++) {
    c[i] = x * 3;
    x = a[i + 1];
  }
}
