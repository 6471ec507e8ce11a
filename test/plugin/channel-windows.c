// Windows over rows and columns of an image whose channels lie side by side: each channel has
// weights of its own. What is predicted at small sizes leaves another part of the loops together
// than the candidate did, which has strips of lanes there.
//
// RUN: env POLY_OPTS=machine=haswell %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly %s -S -o /dev/null 2>&1 | %FileCheck %s

// CHECK-NOT: internal error
// CHECK: channel-windows.c:[[@LINE+4]]:{{.*}} optimized 5 loops, {{.*}} vector;{{.*}} used for
// CHECK-NOT: internal error
void depthwise(int h, int w, int c, int k, const float *in, const float *weight, float *out) {
  int rows = h - k + 1, columns = w - k + 1;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      for (int z = 0; z < c; z++) {
        float sum = 0;
        for (int dy = 0; dy < k; dy++)
          for (int dx = 0; dx < k; dx++)
            sum += in[((y + dy) * w + x + dx) * c + z] * weight[(dy * k + dx) * c + z];
        out[(y * columns + x) * c + z] = sum;
      }
}
