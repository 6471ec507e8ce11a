// Cycles of dependences between statements that have no loops left, on every way to an order: nobody loops for ever.
//
// RUN: env POLY_OPTS='force;fuse=search' %clang -O3 %withpoly -c %s -o %t.o -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS='force;fusion-member=1' %clang -O3 %withpoly -c %s -o %t.o -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck %s
//
// CHECK: :12:3: remark:
// CHECK-NOT: internal error

void f(double *a, int n) {
  int *b = (int *)a;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      __builtin_memcpy(&b[2 * (i * n + j) + 1], &j, 4);
      a[j * n + i] += 1;
    }
}
