// Where nothing is gained with data in memory, it may be with data that stay in a cache.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -march=x86-64-v3 -DN=100000000 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=MEMORY --implicit-check-not=remark:
// RUN: env POLY_OPTS=no-fission %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=WHOLE

#ifndef N
#define N 20000
#endif

float a[N], b[N], c[N], d[N], e[N];

// Two statements, each in a loop of its own.
// CHECK: data-in-cache.c:[[#@LINE+3]]:3: remark: optimized 1 loop, 2 statements; band of 1, vector; predicted
// MEMORY: data-in-cache.c:[[#@LINE+2]]:3: remark: 1 loop not optimized: no profitable transformation
void distributed(void) {
  for (int i = 0; i < N - 1; i++) {
    a[i] *= c[i];
    b[i] += a[i + 1] * d[i];
  }
}

// One statement, which reads early.
// CHECK: data-in-cache.c:[[#@LINE+4]]:3: remark: optimized 1 loop, 1 statement; band of 1; predicted
// MEMORY: data-in-cache.c:[[#@LINE+3]]:3: remark: 1 loop not optimized: no profitable transformation
// WHOLE: data-in-cache.c:[[#@LINE+2]]:3: remark: 1 loop not optimized: no profitable transformation
void early(void) {
  for (int i = 0; i < N - 1; i++) {
    a[i] = b[i] * c[i] * d[i];
    b[i] = a[i] * a[i + 1] * d[i];
  }
}

// One statement in two parts.
// CHECK: data-in-cache.c:[[#@LINE+4]]:3: remark: optimized 1 loop, 2 statements; band of 1; band of 1, vector; predicted
// MEMORY: data-in-cache.c:[[#@LINE+3]]:3: remark: 1 loop not optimized: no profitable transformation
// WHOLE: data-in-cache.c:[[#@LINE+2]]:3: remark: 1 loop not optimized: no profitable transformation
void in_parts(void) {
  for (int i = 1; i < N - 1; i++) {
    a[i] = b[i - 1] + c[i] * d[i];
    b[i] = b[i + 1] - e[i] * d[i];
  }
}

// LLVM makes vectors of these as they are: all dependences go forward.
// CHECK: data-in-cache.c:[[#@LINE+3]]:3: remark: 1 loop not optimized: no profitable transformation
// MEMORY: data-in-cache.c:[[#@LINE+2]]:3: remark: 1 loop not optimized: no profitable transformation
void forward(void) {
  for (int i = 0; i < N - 1; i++) {
    a[i] = a[i + 1] + b[i];
    c[i] = d[i] * e[i];
  }
}

// A value that is handed on in a register.
// CHECK: data-in-cache.c:[[#@LINE+3]]:3: remark: 1 loop not optimized: no profitable transformation
// MEMORY: data-in-cache.c:[[#@LINE+2]]:3: remark: 1 loop not optimized: no profitable transformation
void handed_on(void) {
  for (int i = 0; i < N - 1; i++) {
    a[i + 1] = b[i] + c[i];
    b[i] = c[i] * e[i];
    d[i] = a[i] * e[i];
  }
}
