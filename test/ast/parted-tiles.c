// In a step of time within a tile, each statement goes through all of its rows before the next one does, where the rows then stay in the first cache.
//
// RUN: %clang -O3 -march=skylake-avx512 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -disable-output %t.ll 2>&1 \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),print<poly-ast;tile-sizes=16:16:8:256>)' \
// RUN:   | %FileCheck --match-full-lines --strict-whitespace %s

//CHECK-LABEL:Loops of function 'heat':
// CHECK-NEXT:scop "heat: {{.*}}"
// CHECK-NEXT:for (int c0 = 0; c0 <= floord(t - 1, 16); c0 += 1)
// CHECK-NEXT:  for (int c1 = 2 * c0; c1 <= min(2 * c0 + 9, floord(t + 59, 8)); c1 += 1)
// CHECK-NEXT:    for (int c2 = max(4 * c0, 2 * c1 - 15); c2 <= min(2 * c1 + 16, min(4 * c0 + 18, floord(t + 59, 4))); c2 += 1)
// CHECK-NEXT:      for (int c3 = floord(c0, 8); c3 <= min(floord(c0 + 4, 8), min(floord(c2 + 15, 32), floord(t + 59, 128))); c3 += 1)
// CHECK-NEXT:        for (int c4 = max(16 * c0, max(8 * c1 - 60, max(4 * c2 - 60, 128 * c3 - 60))); c4 <= min(t - 1, min(4 * c2 + 3, min(8 * c1 + 7, 16 * c0 + 15))); c4 += 1) {
// CHECK-NEXT:          if (c4 + 59 >= 4 * c2 && c4 + 59 >= 128 * c3)
// CHECK-NEXT:            for (int c5 = max(16 * c1, 2 * c4); c5 <= min(16 * c1 + 15, 2 * c4 + 119); c5 += 1)
// CHECK-NEXT:              for (int c6 = max(8 * c2, 2 * c4); c6 <= min(8 * c2 + 7, 2 * c4 + 119); c6 += 1) {
// CHECK-NEXT:                // vector
// CHECK-NEXT:                for (int c7 = max(256 * c3, 2 * c4); c7 <= min(2 * c4 + 119, 256 * c3 + 255); c7 += 1)
// CHECK-NEXT:                  S0(c4, c5 - 2 * c4, c6 - 2 * c4, c7 - 2 * c4);
// CHECK-NEXT:              }
// CHECK-NEXT:          for (int c5 = max(2 * c4 + 1, 16 * c1); c5 <= min(16 * c1 + 15, 2 * c4 + 120); c5 += 1)
// CHECK-NEXT:            for (int c6 = max(2 * c4 + 1, 8 * c2); c6 <= min(8 * c2 + 7, 2 * c4 + 120); c6 += 1) {
// CHECK-NEXT:              // vector
// CHECK-NEXT:              for (int c7 = max(2 * c4 + 1, 256 * c3); c7 <= min(2 * c4 + 120, 256 * c3 + 255); c7 += 1)
// CHECK-NEXT:                S1(c4, c5 - 2 * c4 - 1, c6 - 2 * c4 - 1, c7 - 2 * c4 - 1);
// CHECK-NEXT:            }
// CHECK-NEXT:        }
// CHECK-NOT:{{.+}}
void heat(long t, double a[restrict 122][122][122], double b[restrict 122][122][122]) {
  for (long s = 0; s < t; s++) {
    for (long i = 0; i < 120; i++)
      for (long j = 0; j < 120; j++)
        for (long k = 0; k < 120; k++)
          b[i + 1][j + 1][k + 1] = a[i][j + 1][k + 1] + a[i + 2][j + 1][k + 1] + a[i + 1][j][k + 1] + a[i + 1][j + 2][k + 1] +
                                   a[i + 1][j + 1][k] + a[i + 1][j + 1][k + 2] + a[i + 1][j + 1][k + 1];
    for (long i = 0; i < 120; i++)
      for (long j = 0; j < 120; j++)
        for (long k = 0; k < 120; k++)
          a[i + 1][j + 1][k + 1] = b[i][j + 1][k + 1] + b[i + 2][j + 1][k + 1] + b[i + 1][j][k + 1] + b[i + 1][j + 2][k + 1] +
                                   b[i + 1][j + 1][k] + b[i + 1][j + 1][k + 2] + b[i + 1][j + 1][k + 1];
  }
}
