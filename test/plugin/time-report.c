// What each step costs, by function. The numbers of operations are the same on every machine, and bounded here: who needs ten times as many for these loops has a reason.

// RUN: env POLY_OPTS=time-report %clang -O3 %withpoly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=Time

// CHECK: Time report of function 'product': {{[0-9]+}} instructions, {{[0-9][0-9]?[0-9]?[0-9]?[0-9]?}} of 100{{[0-9]+}} operations
// CHECK-NEXT: times   operations   seconds
// CHECK-NEXT: reading the function 2 0 {{[0-9.]+$}}
// CHECK-NEXT: detection {{[12] [0-9][0-9]?[0-9]?[0-9]? [0-9.]+$}}
// CHECK-NEXT: simplification 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: dependence analysis 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: run-time check 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: search 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: packing 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: legality check 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: loops 1 {{[0-9]+ [0-9.]+$}}
// CHECK-NEXT: code 1 0 {{[0-9.]+$}}
// CHECK-NEXT: all
void product(double (*a)[1000], double (*b)[1000], double (*c)[1000]) {
  for (long i = 0; i < 1000; i++)
    for (long j = 0; j < 1000; j++)
      for (long k = 0; k < 1000; k++)
        a[i][j] += b[i][k] * c[k][j];
}

// Nothing pays here, which is soon known.
// CHECK: Time report of function 'copy': {{[0-9]+}} instructions, {{[0-9][0-9]?[0-9]?[0-9]?}} of 100{{[0-9]+}} operations
// CHECK: all
void copy(long n, int *restrict a, const int *restrict b) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 1;
}
