// Loops whose pointers change places are unrolled, if that allows to optimize them.
// RUN: %clang -O3 -g -march=x86-64-v3 %s -c -o /dev/null %withpoly -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck %s
// RUN: env POLY_OPTS=no-unroll-rotations %clang -O3 -g -march=x86-64-v3 %s -c -o /dev/null %withpoly -Rpass=poly -Rpass-missed=poly 2>&1 | %FileCheck --check-prefix=WITHOUT %s
// RUN: %clang -O3 -march=x86-64-v3 %s -S -emit-llvm -o %t.plain.ll %withpoly -mllvm -unroll-runtime=false
// RUN: %FileCheck --check-prefix=CODE --input-file %t.plain.ll %s

typedef double (*plane)[2000];

// One remark about three loops of the source: what was made of them by unrolling is not counted.
// CHECK: rotation.c:[[# @LINE + 5]]:3: remark: optimized 3 loops, 3 statements; band of 3 tiled by
// CHECK-NOT: internal error
// WITHOUT: rotation.c:[[# @LINE + 6]]:26: remark: loops not optimized: the base address of an access is {{.*}}, which changes inside the region
// CODE-LABEL: define {{.*}}@heat(
void heat(int t, int n, plane a, plane b) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    plane c = a;
    a = b;
    b = c;
  }
}

// What does not pay stays as it is: no loop has been unrolled.
// CHECK: rotation.c:[[# @LINE + 6]]:3: remark: 1 loop not optimized: no profitable transformation was found
// CHECK: rotation.c:[[# @LINE + 6]]:5: remark: 1 loop not optimized: no profitable transformation was found
// CODE-LABEL: define {{.*}}@line(
// CODE: phi ptr
// CODE-NOT: .epil
void line(int t, double *restrict a, double *restrict b) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < 1000; i++)
      b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
    double *c = a;
    a = b;
    b = c;
  }
}
// CODE: {{^}}}
