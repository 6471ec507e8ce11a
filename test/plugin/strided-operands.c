// LLVM makes vectors also of loops that read every other element, lane by lane. Diagonals in
// vectors are no gain then: they took 1.6 times as long as the original.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass='poly|loop-vectorize' -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// CHECK-DAG: strided-operands.c:[[#@LINE+3]]:3: remark: 2 loops not optimized: no profitable transformation
// CHECK-DAG: strided-operands.c:[[#@LINE+3]]:5: remark: vectorized loop
void tree(int n, double *v, const double *pay, double up, double down) {
  for (int t = n - 1; t >= 0; t--)
    for (int i = 0; i <= t; i++) {
      double c = up * v[i + 1] + down * v[i], e = pay[n + 2 * i - t];
      v[i] = c > e ? c : e;
    }
}
