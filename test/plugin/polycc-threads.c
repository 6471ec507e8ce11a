// With threads the OpenMP runtime is linked where something calls it, and only there.
// REQUIRES: polycc, omp
// RUN: %polycc --poly-parallel --poly-opts=force -O3 -Werror %s -o %t && %t | %FileCheck %s
// RUN: llvm-readelf -d %t | %FileCheck %s --check-prefix=NEEDED
// RUN: %polycc --poly-parallel -O3 -Werror -DEMPTY %s -o %t.empty && llvm-readelf -d %t.empty | %FileCheck %s --check-prefix=UNUSED
// CHECK: 2000.0
// NEEDED: libomp
// UNUSED-NOT: libomp
#include <stdio.h>

static double a[1000][1000];

int main(void) {
#ifndef EMPTY
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      a[i][j] += 2.0 * (j == i);
  double sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += a[i][i];
  printf("%.1f\n", sum);
#endif
}
