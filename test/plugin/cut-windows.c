// A window that borders cut off is as wide for every place, so that the number of instances does
// not tell that it is narrow. Its bounds do: the width is a parameter of a loop that moves a
// subscript together with another one. Rows of the picture are innermost, and the new code is used
// for a radius of 2.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: env "POLY_OPTS=debug-dump=ast" %clang -O3 -march=x86-64-v3 %withpoly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=AST

// CHECK: cut-windows.c:[[#@LINE+7]]:3: remark: optimized 4 loops, {{.*}}vector; {{.*}}used for [p0, p1, p2, p3] -> {{.*}}(p0 >= 2 and p1 >= {{[1-9][0-9]}} and p2 >= 2)
// Rows `x` are innermost, below the window.
// AST:      for (int c1 = max(p0 - c0, 0); c1 <= min(p0 + p2 - c0 - 1, 2 * p0); c1 += 1)
// AST-NEXT:   for (int c2 = {{.*}}2 * p0); c2 += 1) {
// AST-NEXT:     // vector
// AST-NEXT:     for (int c3 = {{.*}}p1 - 1
void cut(int h, int w, const float *restrict in, float *restrict out, const float *restrict k, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
          if (y + j >= 0 && y + j < h && x + i >= 0 && x + i < w)
            s += in[(y + j) * w + x + i] * k[(j + r) * (2 * r + 1) + i + r];
      out[y * w + x] = s;
    }
}

// Layers with such windows, which are unrolled, have many conditions and statements. What it takes
// to see that they add to one element is spent, for everything behind it takes less then.
// CHECK: cut-windows.c:[[#@LINE+2]]:3: remark: optimized 7 loops, {{.*}} register tiles {{.*}} vector; {{.*}}used for
void layers(int c, int h, int w, int o, const float *in, const float *weight, const float *bias, float *out) {
  for (int z = 0; z < o; z++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float s = bias[z];
        for (int l = 0; l < c; l++)
          for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
              int at = y + j - 1, to = x + i - 1;
              if (at >= 0 && at < h && to >= 0 && to < w)
                s += in[(l * h + at) * w + to] * weight[((z * c + l) * 3 + j) * 3 + i];
            }
        out[(z * h + y) * w + x] = s;
      }
}
