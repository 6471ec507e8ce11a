// Rows of a block must not be almost a page apart in the arrays that move along them. The weights of a filter do not,
// and their own rows are shorter than a vector: there is no condition for the width of the filter (p0) alone.
//
// RUN: %clang -O3 -march=znver4 %withpoly -Rpass=poly -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK:     remark: optimized {{.*}}; used for [[PARAMS:.*]] -> { : (33 + 1024*floor((p6)/1024) <= p6
// CHECK-NOT: floor((p0)/1024) <= p0
// CHECK:     predicted
void layer(int images, int channels, int filters, int height, int width, int r, int s, float *restrict out,
           const float *restrict in, const float *restrict w) {
  int rows = height - r + 1, columns = width - s + 1;
  for (int n = 0; n < images; n++)
    for (int o = 0; o < filters; o++)
      for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
          float sum = 0;
          for (int c = 0; c < channels; c++)
            for (int i = 0; i < r; i++)
              for (int j = 0; j < s; j++)
                sum += in[((n * channels + c) * height + y + i) * width + x + j] * w[((o * channels + c) * r + i) * s + j];
          out[((n * filters + o) * rows + y) * columns + x] = sum;
        }
}
