// Statements become expressions with the meaning that they have in the program: the code of the equations and the program give the same
// numbers, bit for bit, for all types, conversions and conditions here.
// REQUIRES: poly
// RUN: rm -rf %t && mkdir -p %t
// RUN: %program-poly eq from %s -o %t/all.eq -- -ffp-contract=off --poly-plugin=%poly --poly-clang=%clang
// RUN: %FileCheck %s < %t/all.eq
// RUN: for f in axpy clip mixed bits lcs closest; do %program-poly eq c %t/all.eq --system $f -o %t/$f.c && %program-poly eq header %t/all.eq --system $f -o %t/$f.h && %clang -O1 -fwrapv -ffp-contract=off -c %t/$f.c -o %t/$f.o || exit 1; done
// RUN: %clang -O0 -ffp-contract=off -DCOMPARE -I%t %s %t/axpy.o %t/clip.o %t/mixed.o %t/bits.o %t/lcs.o %t/closest.o -lm -o %t/compare
// RUN: %t/compare | %FileCheck %s --check-prefix=SAME
// CHECK-NOT: {{^extern}}
// CHECK-LABEL: system axpy[n]
// CHECK: in f64 alpha : { [] };
// CHECK: S0[i0] = {{.*}}alpha{{.*}} + y_in[i0] / 3.0 + f64({{.*}}val[i0]
// CHECK-LABEL: system clip[n]
// CHECK: in f32 s_in_in
// CHECK: f32(s_in_in[i0] * 0.10000000149011612)
// CHECK-LABEL: system mixed[n]
// CHECK-LABEL: system bits[n]
// CHECK-LABEL: system lcs[n, m]
// CHECK: if a_in[i0] = b_in[i1] then case {
// A write that may not happen writes what was there.
// CHECK-LABEL: system closest[n]
// CHECK: } then case {
// CHECK: } else case {
// SAME: axpy clip mixed bits lcs closest
#ifdef COMPARE
#define axpy original_axpy
#define clip original_clip
#define mixed original_mixed
#define bits original_bits
#define lcs original_lcs
#define closest original_closest
#endif
void axpy(int n, double alpha, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = alpha * x[i] + y[i] / 3.0 + i;
}
void clip(int n, float *restrict in, float *restrict out, float lo) {
  for (int i = 0; i < n; i++) {
    float s = in[i] * 0.1f + lo;
    if (s < lo)
      s = lo;
    out[i] = s > 7.5f ? 7.5f : s / 3.0f;
  }
}
void mixed(int n, unsigned char *restrict a, unsigned *restrict s, int *restrict m) {
  for (int i = 1; i < n; i++) {
    s[i] = s[i - 1] * 2654435761u + a[i] / 3;
    if (a[i] > 100)
      m[i] = (int)s[i] % 10 + (signed char)(a[i] * 5);
  }
}
void bits(int n, int *restrict x, short *restrict y, double *restrict z) {
  for (int i = 0; i < n; i++) {
    unsigned u = (unsigned)x[i];
    y[i] = (short)((u >> 7 ^ u << 5) + (x[i] >> 3) + (u > 3000000000u ? x[i] / 7 : (int)(u * 3u)));
    z[i] = (double)(u % 1000u) + (double)x[i] * 0.5 + (x[i] < 0 ? -1 : (int)(x[i] * 1e-3));
  }
}
void lcs(int n, int m, const char *restrict a, const char *restrict b, int L[restrict n + 1][m + 1]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      if (a[i - 1] == b[j - 1])
        L[i][j] = L[i - 1][j - 1] + 1;
      else
        L[i][j] = L[i - 1][j] > L[i][j - 1] ? L[i - 1][j] : L[i][j - 1];
}
void closest(int n, int D[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (D[i][k] + D[k][j] < D[i][j])
          D[i][j] = D[i][k] + D[k][j];
}
#ifdef COMPARE
#undef axpy
#undef clip
#undef mixed
#undef bits
#undef lcs
#undef closest
#include "axpy.h"
#include "bits.h"
#include "clip.h"
#include "closest.h"
#include "lcs.h"
#include "mixed.h"
#include <stdio.h>
#include <string.h>
enum { N = 37 };
static unsigned state = 1;
static unsigned number(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 3 ^ state << 9;
}
static int same(const char *name, const void *a, const void *b, size_t bytes) {
  printf("%s%s ", name, memcmp(a, b, bytes) ? " differs" : "");
  return 0;
}
int main(void) {
  double x[N], y[N], y2[N], alpha = 1.1;
  for (int i = 0; i < N; i++)
    x[i] = number() * 1e-9, y[i] = (int)number() * 1e-8;
  axpy(N, x, y, &alpha, y2);
  original_axpy(N, alpha, x, y);
  same("axpy", y, y2, sizeof y);
  float in[N], out[N], out2[N], lo = -3.3f;
  for (int i = 0; i < N; i++)
    in[i] = (int)number() * 1e-7f;
  clip(N, in, &lo, out2);
  original_clip(N, in, out, lo);
  same("clip", out, out2, sizeof out);
  unsigned char a[N];
  unsigned s[N] = {7};
  int m[N], s2[N], m2[N], m_before[N];
  for (int i = 0; i < N; i++)
    a[i] = (unsigned char)number(), m[i] = m_before[i] = (int)number();
  mixed(N, (const int32_t *)s, (const int8_t *)a + 1, m_before + 1, s2 + 1, m2 + 1);
  original_mixed(N, a, s, m);
  same("mixed", s + 1, s2 + 1, sizeof s - 4);
  same("", m + 1, m2 + 1, sizeof m - 4);
  short h[N], h2[N];
  double z[N], z2[N];
  bits(N, m, h2, z2);
  original_bits(N, m, h, z);
  same("bits", h, h2, sizeof h);
  same("", z, z2, sizeof z);
  char p[N], q[N];
  static int L[N + 1][N + 1], before[N + 1][N + 1], L2[N][N];
  for (int i = 0; i < N; i++)
    p[i] = (char)(number() % 3), q[i] = (char)(number() % 3);
  for (int i = 0; i <= N; i++)
    L[i][0] = before[i][0] = i % 2, L[0][i] = before[0][i] = i % 3;
  lcs(N, N, (const int8_t *)p, (const int8_t *)q, &before[0][0], &L2[0][0]);
  original_lcs(N, N, p, q, L);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += memcmp(&L[i + 1][1], L2[i], sizeof L2[i]) != 0;
  same("lcs", &wrong, &(int){0}, sizeof wrong);
  static int D[N][N], D2[N][N], D3[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      D[i][j] = D3[i][j] = (int)(number() % 1000);
  closest(N, &D3[0][0], &D2[0][0]);
  original_closest(N, D);
  same("closest", D, D2, sizeof D);
  return 0;
}
#endif
