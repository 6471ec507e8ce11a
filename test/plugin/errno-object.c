// What might be errno: its address is compared with what the loops access.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly %s -S -o /dev/null 2>&1 | %FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 %withpoly %s -S -o - | %FileCheck --check-prefix=ASM %s
#include <math.h>

// Integers that may be errno, and calls that set it.
// ASM-LABEL: columns:
// ASM: __errno_location
// CHECK: errno-object.c:[[@LINE+2]]:{{.*}} optimized 2 loops, 1 statement; band of 2, reordered, vector; 3 run-time checks
void columns(int n, int (*a)[n], double (*x)[n], double (*y)[n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      y[i][j] = exp(x[i][j]) * a[i][j];
}

// LLVM makes a memset of the loop around no products, which writes numbers, too: nothing is
// compared with errno.
// ASM-LABEL: attention:
// ASM-NOT: __errno_location
// CHECK: errno-object.c:[[@LINE+2]]:{{.*}} optimized 7 loops
void attention(int n, int d, const float *q, const float *k, const float *v, float *out, float *s) {
  for (int i = 0; i < n; i++) {
    float most = -1e30f, sum = 0;
    for (int j = 0; j < n; j++) {
      s[j] = 0;
      for (int l = 0; l < d; l++)
        s[j] += q[i * d + l] * k[j * d + l];
      if (s[j] > most)
        most = s[j];
    }
    for (int j = 0; j < n; j++) {
      s[j] = expf(s[j] - most);
      sum += s[j];
    }
    for (int l = 0; l < d; l++) {
      float value = 0;
      for (int j = 0; j < n; j++)
        value += s[j] * v[j * d + l];
      out[i * d + l] = value / sum;
    }
  }
}
// ASM: .ident
