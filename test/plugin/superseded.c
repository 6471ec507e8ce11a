// A loop is in a SCoP of its own at first, for which no code can be written; when the next nest has been dealt with, the loop around it is modelled, too.
// What is said then of both is all that is said. (That needs more operations than so small a function gets without the option.)

// RUN: env POLY_OPTS='force;process-unprofitable;budget=50000000' %clang -O3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

#define MIN(a, b) ((a) < (b) ? (a) : (b))

// CHECK: superseded.c:[[#@LINE+9]]:3: remark: optimized 1 loop
// CHECK: superseded.c:[[#@LINE+2]]:3: remark: 2 loops not optimized: the accessed part of 'M0' is not bounded
void kernel(long p0, unsigned long A0[12][13][13], unsigned char A1[20][13], int e2, unsigned *A2) {
  for (int i0 = 1; i0 < p0; i0 += 1)
    for (short i1 = (short)(p0 + 1); i1 >= i0 + 3; i1 -= 1) {
      A0[i0 - 1][i0 + 2][i0 - 1] = (unsigned)A0[i0 - 1][i0 + 2][i0 - 1] & 1;
      for (int i2 = 6; i2 >= 1; i2 -= 1)
        A0[10 - i0][i2 + 1][13 - p0] = (unsigned)A0[10 - i0][i2 + 1][13 - p0] + A2[(i2 + 1) * e2 + i1 % 4] + A1[i1][p0];
    }
  for (int i0 = 0; i0 < MIN(p0 - 2, p0 - 2); i0 += 1)
    A0[i0 + 1][i0 + 1][i0 + 1] = (unsigned)A0[i0 + 1][i0 + 1][i0 + 1] + A2[(16 - 2 * i0) * e2 + i0];
}
