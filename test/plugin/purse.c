// All SCoPs of a function share one purse. A SCoP whose part is too small says so, and the others get new code; with next to none the function stays as it was. A budget for
// SCoPs is one for each.

// RUN: %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ENOUGH --implicit-check-not=remark:
// RUN: env POLY_OPTS='debug-purse=20000' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SOME --implicit-check-not=remark:
// RUN: env POLY_OPTS='debug-purse=100' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=NOTHING --implicit-check-not=remark:
// RUN: env POLY_OPTS='debug-purse=100;budget=1000000' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ENOUGH --implicit-check-not=remark:
//
// The function stays as it was.
// RUN: env POLY_OPTS='debug-purse=100' %clang -O3 %withpoly -S %s -o %t.poor.s
// RUN: env POLY_OPTS='no-enable' %clang -O3 %withpoly -S %s -o %t.without.s
// RUN: diff %t.poor.s %t.without.s

void between(void);

typedef double matrix[1000][1000];

// ENOUGH: [[#@LINE+8]]:3: remark: optimized 2 loops
// ENOUGH: [[#@LINE+11]]:3: remark: optimized 3 loops
// ENOUGH: [[#@LINE+15]]:3: remark: optimized 2 loops
// SOME: [[#@LINE+5]]:3: remark: optimized 2 loops
// SOME: [[#@LINE+8]]:3: remark: 3 loops not optimized: the operation budget ran out during {{.*}}; raise it with the option 'budget'
// SOME: [[#@LINE+12]]:3: remark: optimized 2 loops
// NOTHING-COUNT-7: remark: loops not optimized: the sets that describe it need more operations than the budget allows
void kernel(matrix a, matrix b, matrix c, matrix d, matrix e, matrix f) {
  for (long i = 0; i < 1000; i++)
    for (long j = 0; j < 1000; j++)
      a[j][i] += 1;
  between();
  for (long i = 0; i < 1000; i++)
    for (long j = 0; j < 1000; j++)
      for (long k = 0; k < 1000; k++)
        b[i][j] += c[i][k] * d[k][j];
  between();
  for (long i = 0; i < 1000; i++)
    for (long j = 0; j < 1000; j++)
      e[j][i] += 1;
}
