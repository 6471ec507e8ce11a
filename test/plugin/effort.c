// At -O2 the effort is moderate: single loops are left to LLVM, which is said, and the search for a
// better order may cost a fraction of what it may cost at -O3. Options say otherwise, for all
// functions or for one.

// RUN: %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=MODERATE,BOTH
// RUN: %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=FULL,BOTH
// RUN: env POLY_OPTS=effort=full %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=FULL,BOTH
// RUN: env POLY_OPTS=effort=moderate %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=MODERATE,BOTH
// RUN: env POLY_OPTS="single/effort=full in_a_list/effort=full" %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=FULL,BOTH

// What is asked for is done: threads want every loop, and so do a budget and the wish to transform everything.
// RUN: env POLY_OPTS=parallel %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ASKED
// RUN: env POLY_OPTS=budget=10000000 %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ASKED
// RUN: env POLY_OPTS=force %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ASKED
// ASKED-NOT: moderate effort

// MODERATE: effort.c:[[#@LINE+4]]:3: remark: loops not optimized: it is a single loop, and such loops are not looked at with moderate effort
// FULL-NOT: moderate effort
// FULL: effort.c:[[#@LINE+2]]:3: remark: 1 loop not optimized: no profitable transformation was found
void single(int n, float *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

// BOTH: effort.c:[[#@LINE+2]]:3: remark: optimized 3 loops
void product(int n, float c[n][n], float a[n][n], float b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// One remark for each loop, also where the function does not return from one of them.
// MODERATE-NOT: internal error
// MODERATE: effort.c:[[#@LINE+9]]:17: remark: loops not optimized: a volatile read
// MODERATE-NOT: internal error
volatile int places[2];

void for_ever(int n, float *a, float s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j * n + i] *= s;
  for (;;)
    places[0] = places[1];
}

// A single loop in a loop of which no model can be made is one, too; both have a remark.
// MODERATE: effort.c:[[#@LINE+8]]:3: remark: loops not optimized: {{.*}}
// MODERATE: effort.c:[[#@LINE+8]]:5: remark: loops not optimized: it is a single loop
// FULL: effort.c:[[#@LINE+7]]:5: remark: 1 loop not optimized: no profitable transformation was found
struct list {
  struct list *next;
  float row[64];
};
void in_a_list(struct list *l) {
  for (; l; l = l->next)
    for (int i = 0; i < 64; i++)
      l->row[i] += 1.0f;
}
