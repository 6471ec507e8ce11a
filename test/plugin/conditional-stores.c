// Stores under conditions: code that looks at masks first gains where masked stores are slow, and
// may lose elsewhere. A level of the ABI stands for processors of both kinds.
//
// RUN: %clang -O3 -march=znver3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SLOW
// RUN: %clang -O3 -march=skylake %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FAST
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FAST

// SLOW: remark: optimized 1 loop, 1 statement; band of 1, vector
// FAST: remark: 1 loop not optimized: no profitable transformation was found
void add(int n, float *restrict a, const float *restrict b, const float *restrict c) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0.0f)
      a[i] += b[i] * c[i];
}
