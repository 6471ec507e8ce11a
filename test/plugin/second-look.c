// A loop that is in no SCoP at first, as the budget is used up, may be in one when the others have been dealt with. What became of it then is all that
// is said. (With the first two budgets the second nest is rejected at first, with the last one neither is.)

// RUN: env POLY_OPTS='force;process-unprofitable;budget=100000' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: env POLY_OPTS='force;process-unprofitable;budget=105000' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: env POLY_OPTS='force;process-unprofitable;budget=5000000' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

void other(void);

// CHECK: second-look.c:[[#@LINE+3]]:3: remark: optimized 2 loops
// CHECK: second-look.c:[[#@LINE+7]]:3: remark: optimized 2 loops
void kernel(long n, long m, short s, double *A, double *B) {
  for (unsigned short i = 0; i < s; i += 3)
    for (long j = 0; j < n; j++)
      if ((i + j) % 5 != 2 && i != j)
        A[(i * n + j) * m] = A[(i * n + j) * m] + 2.0;
  other();
  for (unsigned short i = 0; i < s; i += 3)
    for (long j = 0; j < n; j++)
      if ((i + j) % 5 != 2 && i != j)
        B[(i * n + j) * m] = B[(i * n + j) * m] + 2.0;
}
