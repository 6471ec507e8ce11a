// Loops over few data run again and again, and find these in a cache. With data in memory both
// orders wait for them for most of the time, and a small part of what register tiles add was
// overlooked: from n = 7 on they were used, and were half as fast.
//
// RUN: %clang -O3 -march=x86-64 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: remark: optimized {{.*}} register tiles {{.*}}used for [p0] -> { : p0 >= 15 }
void lu(int n, double a[n][n]) {
  for (int i = 0; i < n; i++)
    a[i][i] = n + 1;
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
