// Two copies of a nest, of which one is executed: a SCoP with both would have all that cannot be
// said about the strides of the first one. Each gets its own order, or none.

// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c -o /dev/null %s 2>&1 | %FileCheck %s

void shortest(long n, long stride, int *d) {
  if (stride == 1) {
    // CHECK-DAG: exclusive-nests.c:[[@LINE+1]]:5: remark: optimized 3 loops, 1 statement in 9 index sets
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) {
          int way = d[i + k * n] + d[k + j * n];
          d[i + j * n] = way < d[i + j * n] ? way : d[i + j * n];
        }
  } else {
    // CHECK-DAG: exclusive-nests.c:[[@LINE+1]]:5: remark: 3 loops not optimized
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) {
          int way = d[i * stride + k * n] + d[k * stride + j * n];
          d[i * stride + j * n] = way < d[i * stride + j * n] ? way : d[i * stride + j * n];
        }
  }
}
