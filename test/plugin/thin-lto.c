// Objects for link-time optimization of both kinds are made with Poly: the linker does not know it.

// RUN: %clang -O3 %withpoly -flto=thin -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O2 %withpoly -flto=thin -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 %withpoly -flto -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// CHECK: thin-lto.c:[[#@LINE+10]]:{{.*}} remark: optimized 3 loops

// Once, where the pipeline ends with vectors, and never without optimization.
// RUN: %clang -O3 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O0 %withpoly -flto=thin -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0
// RUN: %clang -Os %withpoly -flto=thin -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0

#define N 300

void product(double a[N][N], double b[N][N], double c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}
