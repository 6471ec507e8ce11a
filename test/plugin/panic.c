// A failure inside of Poly, wherever it happens, leaves the function as it was: the object file is the same as without Poly, and a
// remark says what happened.

// RUN: %clang -O2 -g -c %s -o %t.plain.o
// RUN: env POLY_OPTS='disable' %clang -O2 -g %withpoly -c %s -o %t.off.o
// RUN: cmp %t.plain.o %t.off.o

// RUN: env POLY_OPTS='force;debug-panic=detect' %clang -O2 -g %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: cmp %t.plain.o %t.o
// RUN: env POLY_OPTS='force;debug-panic=plan' %clang -O2 -g %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=PLAN %s
// RUN: cmp %t.plain.o %t.o

// Here code has been written already, and taken back, with the functions that hold it.
// RUN: env POLY_OPTS='force;debug-panic=codegen' %clang -O2 -g %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: cmp %t.plain.o %t.o
// RUN: env POLY_OPTS='force;parallel;debug-panic=codegen' %clang -O2 -g %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: cmp %t.plain.o %t.o
// RUN: env POLY_OPTS='force;parallel;debug-panic=clean-up' %clang -O2 -g %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: cmp %t.plain.o %t.o

// CHECK: panic.c:[[#@LINE+7]]:{{[0-9]+}}: remark: internal error at {{[^ ]+}}:{{[0-9]+}}: asked for by the option debug-panic; code left as it was [-Rpass-missed=poly]

// PLAN: panic.c:[[#@LINE+6]]:3: remark: internal error at {{.*}}; code left as it was

// As a warning only when asked for: it would be an error with -Werror.
// RUN: env POLY_OPTS='force;debug-panic=detect;warn-internal' %clang -O2 %withpoly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=WARN %s
// WARN: panic.c:[[#@LINE+1]]:{{[0-9]+}}: warning: poly: internal error at
void product(int n, double (*restrict a)[300], double (*restrict b)[300], double (*restrict c)[300]) {
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++)
      for (int k = 0; k < 300; k++)
        c[i][j] += a[i][k] * b[k][j];
}
