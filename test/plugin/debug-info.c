// With debug information functions are optimized as without; variables that live in memory and are tracked there too. If Poly fails, the
// function gets back what it had.

// RUN: env POLY_OPTS=force %clang -O2 -g %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: env POLY_OPTS='force;parallel' %clang -O2 -g %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// CHECK: debug-info.c:[[#@LINE+13]]:3: remark: optimized 2 loops

// RUN: %clang -O2 -g -c %s -o %t.plain.o
// RUN: env POLY_OPTS='force;debug-panic=codegen' %clang -O2 -g %withpoly -c %s -o %t.o 2>&1 | count 0
// RUN: cmp %t.plain.o %t.o

void use(double (*)[40]);

void local(int n) {
  double table[40][40];
  use(table);
  int seen = n;
  use(table);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      table[i][j] = table[i][j] * n + seen;
  use(table);
}
