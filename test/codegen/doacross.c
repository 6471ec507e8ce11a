// Threads take blocks in turn: they wait for blocks that come before their own, with LLVM's runtime by its own interface, and with GNU's interface, which LLVM's runtime understands, too. Each has its own
// copies of what its block touches.

// REQUIRES: omp
// RUN: %clang -O2 %s -o %t.expected && %t.expected > %t.txt
// RUN: env POLY_OPTS='parallel;force;process-unprofitable;block-size=8' %clang -O2 %withpoly %s -o %t.1 %libomp -Rpass=poly 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: env OMP_NUM_THREADS=1 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=2 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=3 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=17 %t.1 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;process-unprofitable;block-size=8;omp-runtime=gnu' %clang -O2 %withpoly %s -o %t.2 %libomp
// RUN: env OMP_NUM_THREADS=3 %t.2 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;process-unprofitable;block-size=3;num-threads=4;omp-schedule=static' %clang -O2 %withpoly %s -o %t.3 %libomp && %t.3 | cmp - %t.txt
// REMARK: doacross.c:[[#]]:3: remark: {{.*}} tiled by 8, doacross, parallel; {{.*}} packed in blocks

// Who has one thread only does not wait. The iterations have to be dealt in order.
// RUN: env POLY_OPTS='parallel;force;process-unprofitable;block-size=8;omp-schedule=static' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=LLVM %s
// RUN: env POLY_OPTS='parallel;force;process-unprofitable;block-size=8;omp-runtime=gnu' %clang -O2 %withpoly %s -S -emit-llvm -o - | %FileCheck --check-prefix=GNU %s
// LLVM: define internal void @columns_poly_subfn_
// LLVM: call i32 @omp_get_thread_num()
// LLVM: call void @__kmpc_doacross_init(ptr {{.*}}, i32 %{{.*}}, i32 1, ptr {{.*}})
// LLVM-DAG: call void @__kmpc_dispatch_init_8(ptr {{.*}}, i32 %{{.*}}, i32 536870947, i64 {{.*}}, i64 {{.*}}, i64 1, i64 1)
// LLVM-DAG: call void @__kmpc_doacross_wait(ptr {{.*}}, i32 %{{.*}}, ptr {{.*}})
// LLVM-DAG: call void @__kmpc_doacross_post(ptr {{.*}}, i32 %{{.*}}, ptr {{.*}})
// LLVM-DAG: call void @__kmpc_doacross_fini(ptr {{.*}}, i32 %{{.*}})
// GNU-NOT: __kmpc
// GNU: call {{.*}}i8 @GOMP_loop_doacross_dynamic_start(i32 1, ptr {{.*}}, i64 1, ptr {{.*}}, ptr {{.*}})
// GNU-DAG: call void (i64, ...) @GOMP_doacross_wait(i64 {{.*}})
// GNU-DAG: call void @GOMP_doacross_post(ptr {{.*}})

#include <stdio.h>

#define M 21
#define N 100

__attribute__((noinline)) void columns(int n, double a[restrict M][N], double r[restrict N][N], double q[restrict M][N]) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < M; i++)
      r[k][k] += a[i][k] * a[i][k];
    for (int i = 0; i < M; i++)
      q[i][k] = a[i][k] * 0.25 + r[k][k] * 0x1p-10;
    for (int j = k + 1; j < n; j++) {
      for (int i = 0; i < M; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < M; i++)
        a[i][j] -= q[i][k] * r[k][j] * 0x1p-10;
    }
  }
}

static double a[M][N], r[N][N], q[M][N];

int main(void) {
  const int sizes[] = {0, 1, 7, 8, 9, 16, 23, 64, 99, N};
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = ((i * 7 + j * 13 + round) % 31) / 31.0;
        q[i][j] = i - j;
      }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        r[i][j] = i == j;
    columns(sizes[round % 10], a, r, q);
    unsigned long long hash = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        union {
          double value;
          unsigned long long bits;
        } one = {r[i][j]}, other = {i < M ? q[i][j] : 0}, third = {i < M ? a[i][j] : 0};
        hash = hash * 31 + (one.bits ^ other.bits * 3 ^ third.bits * 5);
      }
    printf("%d %llx\n", sizes[round % 10], hash);
  }
}
