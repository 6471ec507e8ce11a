// Stores under conditions: code that looks at masks first gains where masked stores are slow, and
// may lose elsewhere. A level of the ABI stands for processors of both kinds.
//
// RUN: %clang -O3 -march=znver3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SLOW
// RUN: %clang -O3 -march=skylake %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FAST
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FAST
// RUN: env POLY_OPTS=force %clang -O3 -march=x86-64 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=NONE

// SLOW: remark: optimized 1 loop, 1 statement; band of 1, vector
// FAST: remark: 1 loop not optimized: no profitable transformation was found
void add(int n, float *restrict a, const float *restrict b, const float *restrict c) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0.0f)
      a[i] += b[i] * c[i];
}

// Without masked stores LLVM stores lane by lane, each behind a branch. A look at the mask spares
// that where all lanes are stored, or none. What is loaded under the condition would be loaded lane
// by lane: that stays as it is.
// NONE-LABEL: define {{.*}} @add(
// NONE-NOT:     bitcast <4 x i1>
// NONE-LABEL: define {{.*}} @least(
// NONE:         [[MASK:%[0-9]+]] = icmp slt <4 x i32>
// NONE:         [[BITS:%[0-9]+]] = bitcast <4 x i1> [[MASK]] to i4
// NONE:         switch i4 [[BITS]]
// NONE:         store <4 x i32>
// NONE:         @llvm.masked.store.v4i32
void least(int n, int *restrict a, const int *restrict b, int c) {
  for (int i = 0; i < n; i++)
    if (b[i] + c < a[i])
      a[i] = b[i] + c;
}
