// Windows whose width is a parameter. A window is thought to be narrow; LLVM makes no vectors of
// a loop along it
// then, so vectors along the results pay. Where integers are summed up LLVM makes vectors of
// wide windows, so that
// there is a width up to which the new order is used; of a minimum, too, as with a radius of 250
// it is predicted to take
// 0.83 of the original's time, and clearly less is asked for.
//
// RUN: env POLY_OPTS=no-simplify-reductions %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// Sums from those of the windows before take the same time however wide the window is; they are used for
// all widths if they pay for narrow ones.
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FEWER
// FEWER: remark: optimized 5 loops, {{.*}} vector; {{.*}}used for {{.*(p0 >= 2|2 <= p0 <= [1-9][0-9]+)}} and
// FEWER: remark: optimized 2 loops, {{.*}}; reduction into {{.*}} from degree 2 to 1, {{.*}}used for [p0, p1] -> { : p0 >= 2 and p1 >=
// FEWER: remark: optimized 3 loops, {{.*}} vector; {{.*}}used for [p0, p1] -> { : p0 >= 2 and p1 >=
// FEWER: remark: optimized 5 loops, {{.*}} vector; {{.*}}1 scalar in memory; {{.*}}used for

// CHECK: remark: optimized 5 loops, {{.*}} vector; {{.*}}used for {{.*(p0 >= 2|2 <= p0 <= [1-9][0-9]+)}} and
void least(int w, int h, int r, const unsigned char *in, unsigned char *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      unsigned char m = 255;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          if (in[(y + dy) * w + x + dx] < m)
            m = in[(y + dy) * w + x + dx];
      out[y * w + x] = m;
    }
}

// CHECK: remark: optimized 2 loops, {{.*}} vector; {{.*}}used for [p0, p1] -> { : 2 <= p0 <= {{[1-9][0-9]+}} and p1 >=
void sums(int n, int width, const int *in, int *out) {
  for (int i = 0; i + width <= n; i++) {
    int s = 0;
    for (int k = 0; k < width; k++)
      s += in[i + k];
    out[i] = s;
  }
}

// A sum of floating-point numbers is a chain however wide the window is.
//
// CHECK: remark: optimized 3 loops, {{.*}} vector; {{.*}}used for [p0, p1] -> { : p0 >= 2 and p1 >=
void average(int n, int width, const double *in, double *out) {
  for (int i = width - 1; i < n; i++) {
    double s = 0;
    for (int k = 0; k < width; k++)
      s += in[i - k];
    out[i] = s / width;
  }
}

// The sum is not of the type of the image: there is a row of sums. A loop over x + dx inside of
// one over x has no more
// iterations than one over dx, so vectors along it do not pay.
//
// CHECK: remark: optimized 5 loops, {{.*}} vector; {{.*}}1 scalar in memory; {{.*}}used for
void box(int w, int h, int r, const unsigned char *in, unsigned char *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      int s = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          s += in[(y + dy) * w + x + dx];
      out[y * w + x] = s / ((2 * r + 1) * (2 * r + 1));
    }
}

// The window's weights have rows of its width, so it has at least one element: wherever the new code
// runs, the sum has been computed. Nothing of it stays in a scalar.
//
// CHECK: remark: optimized 5 loops, 2 statements; {{.*}} vector; {{.*}}used for {{.*}}2 <= p1
void weighted(int h, int w, int size, const float *in, const float *weight, float *out) {
  for (int y = 0; y <= h - size; y++)
    for (int x = 0; x <= w - size; x++) {
      float s = 0;
      for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
          s += weight[j * size + i] * in[(y + j) * w + x + i];
      out[y * w + x] = s;
    }
}

// A width that was an unsigned integer of 64 bits, as that of a container: where the loop runs, LLVM
// uses the lower 31 bits of it, and all of them where they bound `x`.
//
// CHECK: remark: optimized 2 loops, {{.*}} vector; {{.*}}used for [p0, p1] -> { : p0 >= 2 and
void of_containers(unsigned long length, unsigned long width, const float *in, const float *weight, float *out) {
  int n = (int)length, k = (int)width;
  for (int x = 0; x <= n - k; x++) {
    float s = 0;
    for (int i = 0; i < k; i++)
      s += weight[i] * in[x + i];
    out[x] = s;
  }
}
