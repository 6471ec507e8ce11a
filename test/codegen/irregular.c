// Loops that depend on themselves through index arrays are inspected while the program runs, and
// run by threads: with any number of threads, LLVM's runtime and GNU's, and with the original order
// if the program is linked without the library. The program says how often schedules were executed.

// REQUIRES: omp
// RUN: %clang -O2 %s -o %t.expected && %t.expected > %t.txt
// RUN: env POLY_OPTS='parallel;force' %clang -O2 -g %withpoly %s -DCOUNT -o %t.1 %libomp -Wl,-u,poly_rt_enter %poly-dir/libpoly_rt.a
// RUN: env OMP_NUM_THREADS=1 %t.1 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=NONE %s < %t.count
// RUN: env OMP_NUM_THREADS=2 %t.1 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=SOME %s < %t.count
// RUN: env OMP_NUM_THREADS=3 %t.1 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=SOME %s < %t.count
// RUN: env OMP_NUM_THREADS=8 %t.1 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=SOME %s < %t.count
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu' %clang -O2 %withpoly %s -DCOUNT -o %t.2 %libomp -Wl,-u,poly_rt_enter %poly-dir/libpoly_rt.a
// RUN: env OMP_NUM_THREADS=2 %t.2 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=SOME %s < %t.count
// RUN: env POLY_OPTS='parallel;force' %clang -O2 %withpoly %s -o %t.3 %libomp && env OMP_NUM_THREADS=2 %t.3 | cmp - %t.txt
// NONE: 0 inspected, 0 given up, 0 executed, 0 changed
// The first solves are with one pattern, the last ones with another.
// SOME: 2 inspected, 0 given up, 11 executed, 1 changed

// No memory for the library: every allocation fails from the first solve on.
// RUN: env POLY_OPTS='parallel;force' %clang -O2 %withpoly %s -DCOUNT -DNO_MEMORY -o %t.4 %libomp -Wl,-u,poly_rt_enter %poly-dir/libpoly_rt.a -Wl,--wrap=malloc,--wrap=calloc
// RUN: env OMP_NUM_THREADS=2 %t.4 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=MEMORY %s < %t.count
// MEMORY: 0 executed, 0 changed

// What is said, and what is written:
// RUN: env POLY_OPTS='parallel' %clang -O2 -g %withpoly -Rpass=poly -Rpass-missed=poly %s -c -o /dev/null 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: env POLY_OPTS='parallel;no-inspectors' %clang -O2 -g %withpoly -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck --allow-empty --check-prefix=OFF %s
// RUN: env POLY_OPTS='parallel' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck %s
// RUN: %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=SERIAL %s
// REMARK: irregular.c:[[@LINE+31]]:3: remark: loops depend on themselves through index arrays: 2 loops are run by threads where an inspection of the index arrays at run time finds that it pays (with libpoly_rt)
// REMARK-NOT: irregular.c:[[@LINE+30]]:3: remark
// OFF-NOT: index arrays
// SERIAL-NOT: poly_rt
// CHECK: @solve_poly_inspect_0.sites = internal constant
// CHECK: @solve_poly_inspect_0.nest = internal constant {{.*}}@solve_poly_inspect_0, {{.*}}@solve_poly_execute_0
// CHECK-LABEL: define {{.*}}@solve(
// CHECK: call void @poly_rt_leave(
// CHECK: call i32 @poly_rt_enter(ptr {{.*}}, ptr {{.*}}@solve_poly_inspect_0.nest, ptr {{.*}}, i64 %{{.*}}, ptr {{.*}}@solve_poly_threads_0)
// CHECK: call void {{.*}}@__kmpc_fork_call(
// The inspector computes nothing but addresses.
// CHECK-LABEL: define internal void @solve_poly_inspect_0(
// CHECK-NOT: {{fmul|fadd|fsub|fdiv|load double}}
// CHECK: }
// CHECK: declare extern_weak i32 @poly_rt_enter(

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 200

__attribute__((noinline)) void solve(int n, const int *row, const int *col, const double *val, const double *b, double *x) {








  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      s -= val[k] * x[col[k]];
    x[i] = s * 0.3;
  }
}

#ifdef NO_MEMORY
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
static volatile int fails;
void *__wrap_malloc(size_t bytes) {
  return fails ? NULL : __real_malloc(bytes);
}
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails ? NULL : __real_calloc(count, bytes);
}
#endif

#ifdef COUNT
void poly_rt_statistics(uint64_t *counts);
#endif

static int row[N + 1], col[4 * N];
static double val[4 * N], b[N], x[N], y[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    row[i + 1] = row[i] + 4;
    b[i] = 1 + i % 13;
    for (int k = 0; k < 4; k++)
      col[4 * i + k] = (i * (k + 1) + 7 * k) % N;
  }
  for (int k = 0; k < 4 * N; k++)
    val[k] = 0.1 + 0.01 * (k % 9);
#ifdef NO_MEMORY
  fails = 1;
#endif
  for (int t = 0; t < 6; t++)
    solve(N, row, col, val, b, x);
  col[77] = 150;
  for (int t = 0; t < 6; t++)
    solve(N, row, col, val, b, t % 2 ? x : y);
#ifdef NO_MEMORY
  fails = 0;
#endif
  for (int i = 0; i < N; i++)
    printf("%a %a\n", x[i], y[i]);
#ifdef COUNT
  uint64_t counts[4];
  poly_rt_statistics(counts);
  fprintf(stderr, "%d inspected, %d given up, %d executed, %d changed\n", (int)counts[0], (int)counts[1], (int)counts[2], (int)counts[3]);
#endif
  return 0;
}
