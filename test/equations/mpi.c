// `poly mpi`: loops of a program as C with MPI. What the code computes is tested with crates/equations; here, that it is made and what is refused.
// REQUIRES: poly
// RUN: rm -rf %t && mkdir -p %t
// RUN: %program-poly mpi %s --function=wave --tile=4,8 -o %t/wave_mpi.c -- --poly-plugin=%poly --poly-clang=%clang
// RUN: %FileCheck %s --input-file=%t/wave_mpi.c
// RUN: %FileCheck %s --check-prefix=HEADER --input-file=%t/wave_mpi.h
// RUN: %not %program-poly mpi %s -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=WHICH
// RUN: %not %program-poly mpi %s --function=chain -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=CHAIN
// RUN: %not %program-poly mpi %s --function=none -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %not %program-poly mpi %s --function=wave --tile=0 -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=TILE
// CHECK: /* The loops of wave, line
// CHECK: X_in is what the array X holds before, X what it holds afterwards. */
// CHECK: #include "wave_mpi.h"
// CHECK: MPI_Isend(
// CHECK: int wave_mpi(MPI_Comm comm, int64_t n, int64_t m, const int32_t *restrict A_in_, const int32_t *restrict w_, int32_t *restrict A_) {
// HEADER: in A_in[
// HEADER: int wave_mpi(MPI_Comm comm, int64_t n, int64_t m, const int32_t *A_in_, const int32_t *w_, int32_t *A_);
// WHICH: error: say with --function which one: {{.*}}wave
// CHAIN: error: chain, line {{[0-9]+}}: no band of the schedule can be distributed
// NONE: error: no loops of `none` are equations; those of these are: {{.*}}wave
// TILE: error: wave, line {{[0-9]+}}: tiles have a length of at least 1
void wave(int n, int m, int w, int A[restrict n][m]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      A[i][j] = A[i - 1][j] ^ A[i][j - 1] * w;
}
int chain(int n, int *restrict x) {
  int s = 1;
  for (int i = 1; i < n; i++)
    s = s * 7 ^ x[i];
  return s;
}
