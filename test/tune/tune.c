// poly tune looks for options by running a program. Here, the time that is printed depends on nothing but the profile.
// REQUIRES: poly, polycc
// RUN: rm -rf %t && mkdir %t
// RUN: %program-poly tune --repeat 2 --budget 60 --time-after time: -o %t/profile -- sh %S/Inputs/build-and-run.sh %t %s %polycc > %t/out 2> %t/progress
// RUN: %FileCheck %s --check-prefix=PROGRESS --input-file=%t/progress
// RUN: %FileCheck %s --check-prefix=OUT --input-file=%t/out
// RUN: %FileCheck %s --check-prefix=PROFILE --input-file=%t/profile
// PROGRESS: 1 loop nest to tune:
// PROGRESS-NEXT: product{{.*}} (optimized)
// PROGRESS-NEXT: without Poly 4.000 s (median 4.000 s, 2 runs), as the cost model has it 4.000 s (median 4.000 s, 2 runs)
// PROGRESS: run {{[0-9]+}} of 50: product{{.*}}: disable: {{.*}}, not better; best so far 1.00 times as fast as the model's choice
// PROGRESS: scheduler=original;force: 2.000 s (median 2.000 s, 2 runs), better; best so far 2.00 times as fast
// PROGRESS: comparing the best with the cost model's choice once more
// OUT: the model's choice 4.000 s (median 4.000 s, 5 runs)
// OUT-NEXT: the best 2.000 s (median 2.000 s, 5 runs): 2.00 times as fast
// OUT-NEXT: product{{.*}}: scheduler=original;force
// OUT-NEXT: is written; it is used with --poly-profile=
// PROFILE: poly profile 1
// PROFILE: nest {{[0-9a-f]+}} of product: scheduler=original;force

// What was measured is known the next time, and the same is found.
// RUN: %program-poly tune --repeat 2 --budget 60 --time-after time: -o %t/again --state %t/profile.state -- sh %S/Inputs/build-and-run.sh %t %s %polycc 2>&1 | %FileCheck %s --check-prefix=AGAIN
// AGAIN: {{[0-9]+}} measured runs from before
// AGAIN-NOT: disable
// RUN: diff %t/profile %t/again
// RUN: %not %program-poly tune --repeat 3 --budget 60 --time-after time: -o %t/again --state %t/profile.state -- sh %S/Inputs/build-and-run.sh %t %s %polycc 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: profile.state has measurements with another --repeat: --restart begins anew

// The profile is used.
// RUN: %polycc --poly-profile=%t/profile -O2 -Rpass=poly -c %s -o %t/a.o 2>&1 | %FileCheck %s --check-prefix=USED
// USED: options of the profile: scheduler=original;force

// Requests that cannot be met.
// RUN: %not %program-poly tune --budget 5 -- true 2>&1 | %FileCheck %s --check-prefix=SMALL
// SMALL: error: --budget=5: with --repeat=5, at least 44 runs are needed, of which the last comparison has 22
// RUN: %not %program-poly tune -o %t/none --build true -- true 2>&1 | %FileCheck %s --check-prefix=NOTHING
// NOTHING: error: the build command has compiled no loops with Poly. It has to compile everything each time (make -B)
// RUN: %not %program-poly tune -o %t/none -- false 2>&1 | %FileCheck %s --check-prefix=FAILS
// FAILS: error: the command fails without Poly: its exit status is 1
// RUN: %not %program-poly tune 2>&1 | %FileCheck %s --check-prefix=EMPTY
// EMPTY: error: the following required arguments were not provided
// RUN: ls %t | %FileCheck %s --check-prefix=FILES --implicit-check-not=none --implicit-check-not=tmp
// FILES: profile.state
// RUN: %program-poly tune --help | %FileCheck %s --check-prefix=HELP
// HELP: Examples:
// HELP-NEXT: poly tune --build

#include <stdio.h>

static double A[100][100], B[100][100], C[100][100];

__attribute__((noinline)) void product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

int main(void) {
  A[1][2] = B[2][3] = 3;
  product(100);
  printf("%g\n", C[1][3]);
  return 0;
}
