// At -O2 and -O3 Poly runs without further flags; at other levels it does not. That it looks at a function is seen by a failure
// that is asked for.

// RUN: env POLY_OPTS=debug-panic=detect %clang -O2 %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=debug-panic=detect %clang -O3 %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: remark: internal error

// RUN: env POLY_OPTS=debug-panic=detect %clang -O0 %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0
// RUN: env POLY_OPTS=debug-panic=detect %clang -O1 %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0
// RUN: env POLY_OPTS=debug-panic=detect %clang -Os %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0
// RUN: env POLY_OPTS=debug-panic=detect %clang -Oz %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
