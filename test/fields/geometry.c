// Geometry and functions of points.
// poly: optimizes mandelbrot distances transform_points horner inside heights kernel_density
#include "bench.h"

KERNEL void mandelbrot(int w, int h, int most, unsigned char *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double cr = -2 + 3.0 * x / w, ci = -1 + 2.0 * y / h, zr = 0, zi = 0;
      int i = 0;
      while (i < most && zr * zr + zi * zi < 4) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        i++;
      }
      out[y * w + x] = (unsigned char)i;
    }
}
BENCH(mandelbrot, "exit that depends on data") {
  int w = size(300), h = size(200);
  unsigned char *out = bytes((long)w * h, 0, 0);
  REPEAT mandelbrot(w, h, size(100), out);
}

KERNEL void distances(int n, int m, int d, const float *a, const float *b, float *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int k = 0; k < d; k++) {
        float diff = a[i * d + k] - b[j * d + k];
        s += diff * diff;
      }
      out[i * m + j] = sqrtf(s);
    }
}
BENCH(distances, "distance matrix") {
  int n = size(300), m = size(320), d = size(64);
  float *a = floats((long)n * d, -1, 1), *b = floats((long)m * d, -1, 1), *out = floats((long)n * m, 0, 0);
  REPEAT distances(n, m, d, a, b, out);
}

KERNEL void transform_points(int n, const float *m, const float *in, float *out) {
  for (int p = 0; p < n; p++)
    for (int i = 0; i < 4; i++) {
      float s = 0;
      for (int j = 0; j < 4; j++)
        s += m[i * 4 + j] * in[p * 4 + j];
      out[p * 4 + i] = s;
    }
}
BENCH(transform_points, "4x4 matrix times points") {
  int n = size(50000);
  float *m = floats(16, -1, 1), *in = floats(4L * n, -1, 1), *out = floats(4L * n, 0, 0);
  REPEAT transform_points(n, m, in, out);
}

KERNEL void horner(int n, int degree, const double *c, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double v = c[degree];
    for (int k = degree - 1; k >= 0; k--)
      v = v * x[i] + c[k];
    y[i] = v;
  }
}
BENCH(horner, "polynomials at many points") {
  int n = size(20000), degree = size(24);
  double *c = doubles(degree + 1, -1, 1), *x = doubles(n, -1, 1), *y = doubles(n, 0, 0);
  REPEAT horner(n, degree, c, x, y);
}

KERNEL void inside(int points, int corners, const float *px, const float *py, const float *cx, const float *cy,
            unsigned char *in) {
  for (int p = 0; p < points; p++) {
    int c = 0;
    for (int i = 0, j = corners - 1; i < corners; j = i++)
      if ((cy[i] > py[p]) != (cy[j] > py[p]) &&
          px[p] < (cx[j] - cx[i]) * (py[p] - cy[i]) / (cy[j] - cy[i]) + cx[i])
        c = !c;
    in[p] = (unsigned char)c;
  }
}
BENCH(inside, "points in a polygon") {
  int points = size(4000), corners = size(40);
  float *px = floats(points, 0, 1), *py = floats(points, 0, 1), *cx = floats(corners, 0, 1);
  float *cy = floats(corners, 0, 1);
  unsigned char *in = bytes(points, 0, 0);
  REPEAT inside(points, corners, px, py, cx, cy, in);
}

KERNEL void heights(int w, int h, float *z, int octaves, const float *wave) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float v = 0, scale = 1;
      for (int o = 0; o < octaves; o++) {
        v += scale * (wave[o * 4] * (float)x + wave[o * 4 + 1] * (float)y);
        scale *= 0.5f;
      }
      z[y * w + x] = v;
    }
}
BENCH(heights, "sum of octaves") {
  int w = size(400), h = size(300);
  float *z = floats((long)w * h, 0, 0), *wave = floats(40, -1, 1);
  REPEAT heights(w, h, z, size(10), wave);
}

KERNEL void kernel_density(int n, int m, const double *x, const double *at, double *d, double width) {
  for (int i = 0; i < m; i++) {
    d[i] = 0;
    for (int j = 0; j < n; j++) {
      double u = (at[i] - x[j]) / width;
      d[i] += u > -1 && u < 1 ? 0.75 * (1 - u * u) : 0;
    }
    d[i] /= n * width;
  }
}
BENCH(kernel_density, "density estimate with a condition") {
  int n = size(2000), m = size(500);
  double *x = doubles(n, 0, 1), *at = doubles(m, 0, 1), *d = doubles(m, 0, 0);
  REPEAT kernel_density(n, m, x, at, d, 0.1);
}
