// What may be spent on loops goes with what they execute: those that run 125 times are given up
// long before those that may run for hours, unless a budget is given.

// RUN: env POLY_OPTS='time-report;effort=full' %clang -O2 -fno-unroll-loops %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS='budget=10000000' %clang -O2 -fno-unroll-loops %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=GIVEN

// CHECK: Time report of function 'few': {{[0-9]+}} instructions, {{[0-9][0-9][0-9][0-9][0-9][0-9]}} of
// CHECK: remark: 3 loops not optimized: {{.*}}budget
// CHECK: Time report of function 'many': {{[0-9]+}} instructions, {{[0-9][0-9][0-9][0-9][0-9][0-9][0-9]}} of
// CHECK: remark: 3 loops not optimized: no profitable transformation
// GIVEN: remark: 3 loops not optimized: no profitable transformation
// GIVEN: remark: 3 loops not optimized: no profitable transformation

#define LOOPS(name, n)                                              \
  void name(float *x) {                                             \
    for (int i = 0; i < n; i++)                                     \
      for (int j = 0; j < n; j++)                                   \
        for (int k = 0; k < n; k++) {                               \
          x[25 * i + 5 * j + k] += x[25 * j + 5 * k + i];           \
          x[25 * k + 5 * i + j + 3] -= x[25 * i + 7 * j + 3 * k];   \
          x[20 * i + 6 * j + 2 * k] += x[12 * j + 5 * k + 8 * i];   \
        }                                                           \
  }

LOOPS(few, 5)
LOOPS(many, 5000)
