// Rows that are independent unless arrays overlap are run by threads where an inspection of the
// index arrays says so: with any number of threads, and both runtimes. Threads are started twice,
// for the inspection and for the rows; once if rows read what others write, and not at all where
// there is little to do.

// REQUIRES: omp
// RUN: %clang -O2 %s -o %t.expected && %t.expected 2> /dev/null > %t.txt
// RUN: env POLY_OPTS='parallel' %clang -O2 -g %withpoly %s -o %t.1 %libomp
// RUN: env OMP_NUM_THREADS=1 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=2 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=3 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=8 %t.1 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;omp-runtime=gnu' %clang -O2 %withpoly %s -DCOUNT -o %t.2 %libomp -Wl,--wrap=GOMP_parallel
// RUN: env OMP_NUM_THREADS=1 %t.2 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=NONE %s < %t.count
// RUN: env OMP_NUM_THREADS=2 %t.2 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=SOME %s < %t.count
// RUN: env OMP_NUM_THREADS=8 %t.2 2> %t.count | cmp - %t.txt && %FileCheck --check-prefix=SOME %s < %t.count
// NONE: apart 0, in place 0, ends in the result 0, short 0
// A sample of the rows says that the vector is the result.
// SOME: apart 2, in place 0, ends in the result 1, short 0

// RUN: env POLY_OPTS='parallel' %clang -O2 -g %withpoly -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: env POLY_OPTS='parallel;no-inspectors' %clang -O2 -g %withpoly -Rpass=poly %s -c -o /dev/null 2>&1 | %FileCheck --allow-empty --check-prefix=OFF %s
// RUN: env POLY_OPTS='parallel' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck %s
// RUN: %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=SERIAL %s
// REMARK: apart.c:[[@LINE+28]]:3: remark: loops read through index arrays: 2 loops are run by threads where an inspection of the index arrays at run time finds that no row reads what another one writes
// OFF-NOT: index arrays
// SERIAL-NOT: poly_apart
// CHECK-LABEL: define {{.*}}@product(
// CHECK: call i1 @product_poly_apart_0(
// Rows of which each begins where the one before ends are not looked at one after the other.
// CHECK-LABEL: define internal i1 @product_poly_chain_0(
// CHECK: call void @product_poly_scan
// CHECK-LABEL: define internal i1 @product_poly_apart_0(
// CHECK: call void {{.*}}@__kmpc_fork_call(
// CHECK: call void {{.*}}@__kmpc_fork_call(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 20000
#define MANY 8

static int forks;
#ifdef COUNT
void __real_GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
void __wrap_GOMP_parallel(void (*function)(void *), void *shared, unsigned threads, unsigned flags) {
  forks++;
  __real_GOMP_parallel(function, shared, threads, flags);
}
#endif

__attribute__((noinline)) void product(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

static void say(const double *y, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long word;
    memcpy(&word, y + i, sizeof word);
    sum = sum * 31 + word;
  }
  printf("%llx\n", sum);
}

static int counted(void) {
  int known = forks;
  forks = 0;
  return known;
}

int main(void) {
  int *row = malloc((N + 1) * sizeof *row), *col = malloc(N * MANY * sizeof *col);
  double *val = malloc(N * MANY * sizeof *val), *x = malloc(2 * N * sizeof *x), *y = malloc(N * sizeof *y);
  unsigned state = 1;
  for (int k = 0; k < N * MANY; k++) {
    state = state * 1103515245u + 12345u;
    col[k] = (int)((state >> 8) % N);
    val[k] = 1.0 / (k % 1000 + 3);
  }
  for (int i = 0; i < 2 * N; i++)
    x[i] = 1 + i % 13;
  for (int i = 0; i <= N; i++)
    row[i] = i * MANY;
  product(N, row, col, val, x, y);
  int apart = counted();
  say(y, N);
  product(N, row, col, val, x, x);
  int in_place = counted();
  say(x, N);
  for (int k = N * MANY - 8; k < N * MANY; k++)
    col[k] = N + 5;
  // The last row reads what the sixth has written.
  product(N, row, col, val, x, x + N);
  int at_end = counted();
  say(x, 2 * N);
  product(2000, row, col, val, x, y);
  say(y, N);
  fprintf(stderr, "apart %d, in place %d, ends in the result %d, short %d\n", apart, in_place, at_end, counted());
  free(row), free(col), free(val), free(x), free(y);
  return 0;
}
