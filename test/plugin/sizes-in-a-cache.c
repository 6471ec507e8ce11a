// With data in memory both orders wait for them most of the time. From which sizes on the new one
// is used is asked for data in a cache, too, where they have room in one, so that it is for
// matrices of some dozens of rows.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// CHECK: remark: optimized 2 loops, {{.*}}vector; {{.*}}used for [p0] -> { : p0 >= {{[1-9][0-9]}} }
void columns(int n, float a[restrict n][n], float b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i];
}
