// Sums over several dimensions in their order: the loops over results become the innermost ones, long rows of them, and
// are not mixed with the few terms of a window.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: env "POLY_OPTS=debug-dump=ast" %clang -O3 -march=x86-64-v3 %withpoly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=AST

// CHECK: windows-of-parameters.c:[[#@LINE+7]]:3: remark: optimized {{.*}} loops, {{.*}}vector
// Rows `x` are innermost, below the window.
// AST:        for (int c1 = 0; c1 <= 2 * p0; c1 += 1)
// AST-NEXT:     for (int c2 = 0; c2 <= 2 * p0; c2 += 1) {
// AST-NEXT:       // vector
// AST-NEXT:       for (int c3 = 0; c3 < p1 - 2 * p0; c3 += 1)
void box(int w, int h, int r, const float *in, float *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float s = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          s += in[(y + dy) * w + x + dx];
      out[y * w + x] = s;
    }
}

// CHECK: windows-of-parameters.c:[[#@LINE+3]]:3: remark: optimized {{.*}} loops, {{.*}}vector
void layer(int C, int K, int H, int W, int R, int S, const float *x, const float *w, float *y) {
  int P = H - R + 1, Q = W - S + 1;
  for (int k = 0; k < K; k++)
    for (int p = 0; p < P; p++)
      for (int q = 0; q < Q; q++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < R; r++)
            for (int t = 0; t < S; t++)
              s += x[(c * H + p + r) * W + q + t] * w[((k * C + c) * R + r) * S + t];
        y[(k * P + p) * Q + q] = s;
      }
}

// Results are contiguous along `k`, what is summed up along `p`: rows of it are transposed in registers.
// CHECK: windows-of-parameters.c:[[#@LINE+2]]:3: remark: optimized 3 loops, {{.*}}register tiles of 1x{{[0-9]+}}, reordered, vector
void channels(int n, int c, int w, const float *restrict a, float *restrict s) {
  for (int k = 0; k < c; k++)
    for (int i = 0; i < n; i++)
      for (int p = 0; p < w; p++)
        s[k] += a[(i * c + k) * w + p];
}
