// What a temporary costs decides whether there is new code, and from which sizes on it runs.
// The state of each series is a scalar in the loop over time. With an element for each series, the loop over them is innermost.
//
// RUN: env POLY_OPTS=machine=x86-64-v3 %clang -O3 -S -emit-llvm %withpoly -Rpass=poly %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=USUAL
// RUN: %FileCheck %s --check-prefix=CODE < %t.ll
// RUN: printf 'processor = x86-64-v3\nmemory.small_allocation_cycles = 2000000\nmemory.allocation_cycles = 2000000\n' > %t.slow
// RUN: env POLY_OPTS=machine=%t.slow %clang -O3 -S -emit-llvm %withpoly -Rpass=poly %s -o - 2>&1 | %FileCheck %s --check-prefix=SLOW
// RUN: printf 'processor = x86-64-v3\nmemory.small_allocation_cycles = 2000000000\nmemory.allocation_cycles = 2000000000\n' > %t.never
// RUN: env POLY_OPTS=machine=%t.never %clang -O3 -S -emit-llvm %withpoly %s -o - | %FileCheck %s --check-prefix=NEVER

// USUAL: used for [p0, p1] -> { : (p0 >= {{[0-9]?[0-9]}} and p1 >= {{[0-9]?[0-9]}}) or (p0 >= 16 and p1 >= {{[0-9]+}}) }; predicted {{.*}}e6 cycles
// SLOW: used for [p0, p1] -> { : p0 >= {{[0-9][0-9][0-9]}} and p1 >= {{[0-9][0-9][0-9]}} }
// CODE-LABEL: define {{.*}} @sums(
// CODE: call {{.*}}@malloc
// NEVER-NOT: malloc
void sums(int n, int m, const double *restrict x, double *restrict low, double *restrict high) {
  for (int j = 0; j < m; j++) {
    double a = 0, b = 1;
    for (int i = 0; i < n; i++) {
      double old = a;
      a = 0.5 * b + x[i * m + j];
      b = 0.25 * old - a;
    }
    low[j] = a * b;
    high[j] = a + b;
  }
}
