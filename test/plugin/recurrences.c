// Recurrences of loops that have no better order get a form without a chain.
//
// LLVM 22 makes vectors of what is taken last and rises, without another form.
// UNSUPPORTED: llvm22
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=CODE
// RUN: env POLY_OPTS=no-recurrences %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -S -emit-llvm %s -o - 2>&1 | %FileCheck %s --check-prefix=OFF

// OFF-NOT: optimized 1 loop

// CHECK: recurrences.c:[[#@LINE+5]]:3: remark: optimized 1 loop: the last one that is found is an extreme
// CODE-LABEL: @last_below(
// CODE: call <8 x i32> @llvm.smax.v8i32
int last_below(int n, const float *a) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (a[i] < 0)
      at = i;
  return at;
}

// CHECK: recurrences.c:[[#@LINE+4]]:3: remark: optimized 1 loop: the last one that is found is an extreme
// CODE-LABEL: @first_below(
// CODE: call <8 x i32> @llvm.smin.v8i32
int first_below(int n, const float *a, int at) {
  for (int i = n - 1; i >= 0; i--)
    if (a[i] < 0)
      at = i;
  return at;
}

// What is found may be anything in a type that is too small for the numbers of all iterations.
// CHECK: recurrences.c:[[#@LINE+3]]:3: remark: 1 loop not optimized
signed char small(int n, const float *a) {
  signed char at = -1;
  for (int i = 0; i < n; i++)
    if (a[i] < 0)
      at = (signed char)i;
  return at;
}

// The sum alone is in the chain.
// CHECK: recurrences.c:[[#@LINE+6]]:3: remark: optimized 1 loop: a sum under a condition adds zeros
// CODE-LABEL: @positive(
// CODE: [[PART:%.*]] = select i1 {{.*}}, float {{.*}}, float -0.000000e+00
// CODE-NEXT: fadd float {{.*}}[[PART]]
float positive(int n, const float *a) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      sum += a[i];
  return sum;
}

// CHECK: recurrences.c:[[#@LINE+5]]:3: remark: optimized 1 loop: a number counts without rounding
// CODE-LABEL: @scaled(
// CODE: {{[su]}}itofp {{(nneg )?}}<4 x i32>
void scaled(int n, double *restrict a, const double *restrict b) {
  double x = 0;
  for (int i = 0; i < n; i++) {
    a[i] = x * b[i];
    x += 1;
  }
}

// Floats have not enough digits for so many iterations.
// CHECK: recurrences.c:[[#@LINE+3]]:3: remark: 1 loop not optimized
void rounded(int n, float *restrict a, const float *restrict b) {
  float x = 0;
  for (int i = 0; i < n; i++) {
    a[i] = x * b[i];
    x += 1;
  }
}

// CHECK: recurrences.c:[[#@LINE+5]]:3: remark: optimized 1 loop: variables that wrap around are peeled
// CODE-LABEL: @periodic(
// CODE: fadd <8 x float>
void periodic(int n, float *restrict a, const float *restrict b) {
  int before = n - 1;
  for (int i = 0; i < n; i++) {
    a[i] = b[i] + b[before];
    before = i;
  }
}
