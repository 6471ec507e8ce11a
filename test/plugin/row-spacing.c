// Rows of a block must not be almost a page apart in the arrays that move along them. The weights of a filter do not,
// and their own rows are shorter than a vector: there is no condition for the width of the filter (p1) alone.
//
// RUN: %clang -O3 -march=znver4 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK:     remark: optimized {{.*}}; used for [[PARAMS:.*]] -> {{{.*}} <= p2 <= 495 + 1024*floor((p2)/1024)
// CHECK-NOT: floor((p1)/1024) <= p1
// CHECK:     predicted
void filter(int height, int width, int r, int s, float *restrict out, const float *restrict in,
            const float *restrict w) {
  int rows = height - r + 1, columns = width - s + 1;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float sum = 0;
      for (int i = 0; i < r; i++)
        for (int j = 0; j < s; j++)
          sum += in[(y + i) * width + x + j] * w[i * s + j];
      out[y * columns + x] = sum;
    }
}
