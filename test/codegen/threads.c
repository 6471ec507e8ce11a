// Parallel loops run by threads: all schedules, with LLVM's runtime by its own interface, and with GNU's interface, which LLVM's runtime understands, too. The results
// are always the same.

// REQUIRES: omp
// RUN: %clang -O2 %s -o %t.expected -lm && %t.expected > %t.txt
// RUN: env POLY_OPTS='parallel;force' %clang -O2 %withpoly %s -o %t.1 %libomp -lm && env OMP_NUM_THREADS=3 %t.1 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-schedule=dynamic;omp-chunk=2' %clang -O2 %withpoly %s -o %t.2 %libomp -lm && env OMP_NUM_THREADS=3 %t.2 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-schedule=guided' %clang -O2 %withpoly %s -o %t.3 %libomp -lm && env OMP_NUM_THREADS=3 %t.3 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-schedule=static' %clang -O2 %withpoly %s -o %t.8 %libomp -lm && env OMP_NUM_THREADS=3 %t.8 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu;omp-schedule=static' %clang -O2 %withpoly %s -o %t.9 %libomp -lm && env OMP_NUM_THREADS=3 %t.9 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu' %clang -O2 %withpoly %s -o %t.4 %libomp -lm && env OMP_NUM_THREADS=3 %t.4 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu;omp-schedule=dynamic' %clang -O2 %withpoly %s -o %t.5 %libomp -lm && env OMP_NUM_THREADS=3 %t.5 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu;omp-schedule=guided' %clang -O2 %withpoly %s -o %t.6 %libomp -lm && env OMP_NUM_THREADS=3 %t.6 | cmp - %t.txt

// Which function of the runtime is called:
// RUN: env POLY_OPTS='parallel;force;omp-schedule=static' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=STATIC %s
// RUN: env POLY_OPTS='parallel;force' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=WORK %s
// RUN: env POLY_OPTS='parallel;force;omp-schedule=guided;omp-chunk=7' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=GUIDED %s
// RUN: env POLY_OPTS='parallel;force;omp-schedule=dynamic;omp-chunk=7;omp-runtime=gnu' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=GNU %s
// STATIC: call void @__kmpc_for_static_init_8(ptr {{.*}}, i32 34,
// Rows become longer: threads take them in portions from the end.
// WORK: define internal void @squares_poly_subfn_0(
// WORK: call void @__kmpc_dispatch_init_8(ptr {{.*}}, i32 35, i64 0, i64 [[LAST:%.*]], i64 1, i64 %{{.*}})
// WORK: call i32 @__kmpc_dispatch_next_8(
// WORK: = sub nsw i64 [[LAST]],
// GUIDED: call void @__kmpc_dispatch_init_8(ptr {{.*}}, i32 36, i64 {{.*}}, i64 {{.*}}, i64 1, i64 7)
// GUIDED: call i32 @__kmpc_dispatch_next_8(
// GNU-NOT: __kmpc
// GNU: call void @GOMP_parallel(ptr {{.*}}@squares_poly_subfn_0, ptr {{.*}}, i32 0, i32 0)
// GNU: call {{.*}}i8 @GOMP_loop_dynamic_start(i64 {{.*}}, i64 {{.*}}, i64 1, i64 7,
// GNU-NOT: __kmpc

// Nobody waits for threads that are not worth it: the work is compared with a threshold before each loop, and a thread that is one of several starts no
// others.
// RUN: env POLY_OPTS='parallel;force=false;parallel-threshold=100' %clang -O2 %withpoly -DN=2000 %s -S -emit-llvm -o - | %FileCheck --check-prefix=THRESHOLD %s
// RUN: env POLY_OPTS='parallel;omp-schedule=static;parallel-threshold=5000' %clang -O2 %withpoly -DCOUNTS -DN=2000 %s -o %t.7 -lm && %t.7 | %FileCheck --check-prefix=COUNTED %s
// THRESHOLD: call i32 @omp_in_parallel()
// THRESHOLD: fcmp olt double {{.*}}, 1.000000e+02
// A write is more work than an instruction that computes.
// RUN: env POLY_OPTS='parallel;omp-schedule=static;parallel-threshold=800000' %clang -O2 %withpoly -DCOUNTS -DN=2000 %s -o %t.10 -lm && %t.10 | %FileCheck --check-prefix=WRITES %s
// RUN: env POLY_OPTS='parallel;omp-schedule=static;parallel-threshold=1500000' %clang -O2 %withpoly -DCOUNTS -DN=2000 %s -o %t.11 -lm && %t.11 | %FileCheck --check-prefix=FEWER %s
// WRITES: starts: 1 for 640000 elements written
// FEWER: starts: 0 for 640000 elements written
// COUNTED: starts: 0 for little work, 1 for much, 0 in one of several threads

#include <stdio.h>

#ifndef N
#define N 300
#endif

static double a[N][N], b[N][N];
static int c[N][N];

__attribute__((noinline)) void squares(int n, double x[N][N], double y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      x[i][j] = (y[i][j] + 1) / (y[i][j] * y[i][j] + 2) + i;
}

__attribute__((noinline)) int sum(int n, int x[N][N]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      s += x[i][j];
  return s;
}

// What it writes is most of its work.
__attribute__((noinline)) void ramp(int n, int x[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] = i * j;
}

#ifdef COUNTS
// A runtime that counts how often it is asked to start threads, and has only one.
#include <stdarg.h>

// Volatile: what was known about squares before Poly looked at it does not count this.
static volatile int starts, among, lines = 800;

int omp_in_parallel(void) {
  return among;
}

int omp_get_max_threads(void) {
  return 1;
}

int omp_get_thread_num(void) {
  return 0;
}

void __kmpc_fork_call(void *place, int arguments, void (*run)(int *, int *, void *), ...) {
  int number = 0;
  va_list list;
  va_start(list, run);
  starts++;
  run(&number, &number, va_arg(list, void *));
  va_end(list);
}

void __kmpc_for_static_init_8(void *place, int number, int schedule, int *last, long *lower, long *upper, long *stride, long step, long chunk) {
}

void __kmpc_for_static_fini(void *place, int number) {
}

static int starts_of(int n) {
  starts = 0;
  squares(n, a, b);
  return starts;
}

int main(void) {
  int little = starts_of(9), much = starts_of(N);
  among = 1;
  printf("starts: %d for little work, %d for much, %d in one of several threads\n", little, much, starts_of(N));
  among = starts = 0;
  ramp(lines, c);
  printf("starts: %d for %d elements written\n", starts, lines * lines);
  return 0;
}
#else
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      b[i][j] = (i * 7 + j * 3) % 19 - 9;
      c[i][j] = (i * 5 + j * 11) % 23 - 11;
    }
  for (int n = 0; n <= N; n += 37) {
    squares(n, a, b);
    printf("%d\n", sum(n, c));
    for (int i = 0; i < n; i++)
      printf("%a ", a[i][i / 2]);
  }
  return 0;
}
#endif
