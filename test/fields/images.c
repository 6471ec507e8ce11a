// Images: filters, borders, bytes.
// poly: optimizes box_filter weighted_window blur_two_passes sobel unsharp to_grey rotate_quarter integral_image erode blend
// poly: optimizes resize_bilinear harris
#include "bench.h"

KERNEL void box_filter(int w, int h, int r, const float *in, float *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float s = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          s += in[(y + dy) * w + x + dx];
      out[y * w + x] = s / (float)((2 * r + 1) * (2 * r + 1));
    }
}
BENCH(box_filter, "box filter, radius a parameter") {
  int w = size(320), h = size(300);
  float *in = floats((long)w * h, 0, 1), *out = floats((long)w * h, 0, 0);
  REPEAT box_filter(w, h, size(3), in, out);
}

KERNEL void weighted_window(int w, int h, int size, const float *in, const float *weight, float *out) {
  for (int y = 0; y <= h - size; y++)
    for (int x = 0; x <= w - size; x++) {
      float s = 0;
      for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
          s += weight[j * size + i] * in[(y + j) * w + x + i];
      out[y * w + x] = s;
    }
}
BENCH(weighted_window, "window of an unknown width, flat") {
  int w = size(400), h = size(300), k = size(5);
  float *in = floats(w * h, 0, 1), *weight = floats(k * k, -1, 1), *out = floats(w * h, 0, 0);
  REPEAT weighted_window(w, h, k, in, weight, out);
}

KERNEL void blur_two_passes(int w, int h, const float *in, float *between, float *out, const float *k) {
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++) {
      float s = 0;
      for (int d = 0; d < 5; d++)
        s += k[d] * in[y * w + x + d - 2];
      between[y * w + x] = s;
    }
  for (int y = 2; y < h - 2; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int d = 0; d < 5; d++)
        s += k[d] * between[(y + d - 2) * w + x];
      out[y * w + x] = s;
    }
}
BENCH(blur_two_passes, "separable blur") {
  int w = size(1200), h = size(1000);
  long all = (long)w * h;
  float *in = floats(all, 0, 1), *between = floats(all, 0, 0), *out = floats(all, 0, 0), *k = floats(5, 0, 0.3f);
  REPEAT blur_two_passes(w, h, in, between, out, k);
}

KERNEL void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const unsigned char *p = in + y * w + x;
      int gx = -p[-w - 1] + p[-w + 1] - 2 * p[-1] + 2 * p[1] - p[w - 1] + p[w + 1];
      int gy = -p[-w - 1] - 2 * p[-w] - p[-w + 1] + p[w - 1] + 2 * p[w] + p[w + 1];
      int g = abs(gx) + abs(gy);
      out[y * w + x] = (unsigned char)(g > 255 ? 255 : g);
    }
}
BENCH(sobel, "Sobel on bytes") {
  int w = size(1000), h = size(800);
  unsigned char *in = bytes((long)w * h, 0, 255), *out = bytes((long)w * h, 0, 0);
  REPEAT sobel(in, out, w, h);
}

KERNEL void unsharp(int w, int h, float amount, const float *in, float *tmp, float *out) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      tmp[y * w + x] = (in[y * w + x - 1] + in[y * w + x] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                        in[(y + 1) * w + x]) * 0.2f;
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float v = in[y * w + x] + amount * (in[y * w + x] - tmp[y * w + x]);
      out[y * w + x] = v < 0 ? 0 : v > 1 ? 1 : v;
    }
}
BENCH(unsharp, "unsharp mask, two nests") {
  int w = size(1500), h = size(1200);
  long all = (long)w * h;
  float *in = floats(all, 0, 1), *tmp = floats(all, 0, 0), *out = floats(all, 0, 0);
  REPEAT unsharp(w, h, 0.7f, in, tmp, out);
}

KERNEL void to_grey(int pixels, const unsigned char *rgb, unsigned char *grey) {
  for (int i = 0; i < pixels; i++)
    grey[i] = (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
}
BENCH(to_grey, "RGB to grey, interleaved bytes") {
  int n = size(1000000);
  unsigned char *rgb = bytes(3L * n, 0, 255), *grey = bytes(n, 0, 0);
  REPEAT to_grey(n, rgb, grey);
}

KERNEL void rotate_quarter(int w, int h, const unsigned *in, unsigned *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[x * h + (h - 1 - y)] = in[y * w + x];
}
BENCH(rotate_quarter, "rotated copy") {
  int w = size(1200), h = size(1000);
  unsigned *in = words((long)w * h, 0, 0xffffff), *out = words((long)w * h, 0, 0);
  REPEAT rotate_quarter(w, h, in, out);
}

KERNEL void integral_image(int w, int h, const unsigned char *in, unsigned *sum) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      sum[y * w + x] = in[y * w + x] + (x > 0 ? sum[y * w + x - 1] : 0) + (y > 0 ? sum[(y - 1) * w + x] : 0) -
                       (x > 0 && y > 0 ? sum[(y - 1) * w + x - 1] : 0);
}
BENCH(integral_image, "summed-area table with conditions") {
  int w = size(1000), h = size(900);
  unsigned char *in = bytes((long)w * h, 0, 255);
  unsigned *sum = words((long)w * h, 0, 0);
  REPEAT integral_image(w, h, in, sum);
}

KERNEL void erode(int w, int h, int r, const unsigned char *in, unsigned char *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      unsigned char least = 255;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          if (in[(y + dy) * w + x + dx] < least)
            least = in[(y + dy) * w + x + dx];
      out[y * w + x] = least;
    }
}
BENCH(erode, "minimum over a window of bytes") {
  int w = size(400), h = size(300);
  unsigned char *in = bytes((long)w * h, 0, 255), *out = bytes((long)w * h, 0, 0);
  REPEAT erode(w, h, size(2), in, out);
}

KERNEL void blend(int n, const unsigned char *a, const unsigned char *b, const unsigned char *alpha, unsigned char *out) {
  for (int i = 0; i < n; i++) {
    int v = a[i] * alpha[i] + b[i] * (255 - alpha[i]) + 127;
    out[i] = (unsigned char)(v / 255);
  }
}
BENCH(blend, "alpha blending") {
  int n = size(1000000);
  unsigned char *a = bytes(n, 0, 255), *b = bytes(n, 0, 255), *alpha = bytes(n, 0, 255), *out = bytes(n, 0, 0);
  REPEAT blend(n, a, b, alpha, out);
}

KERNEL void resize_bilinear(int w, int h, int W, int H, const float *in, float *out) {
  for (int Y = 0; Y < H; Y++) {
    float fy = (float)Y * (float)(h - 1) / (float)H;
    int y = (int)fy;
    float ty = fy - (float)y;
    for (int X = 0; X < W; X++) {
      float fx = (float)X * (float)(w - 1) / (float)W;
      int x = (int)fx;
      float tx = fx - (float)x;
      out[Y * W + X] = (1 - ty) * ((1 - tx) * in[y * w + x] + tx * in[y * w + x + 1]) +
                       ty * ((1 - tx) * in[(y + 1) * w + x] + tx * in[(y + 1) * w + x + 1]);
    }
  }
}
BENCH(resize_bilinear, "resize with computed subscripts") {
  int w = size(500), h = size(400), W = size(800), H = size(700);
  float *in = floats((long)w * h, 0, 1), *out = floats((long)W * H, 0, 0);
  REPEAT resize_bilinear(w, h, W, H, in, out);
}

KERNEL void harris(int w, int h, const float *in, float *ix, float *iy, float *sxx, float *sxy, float *syy, float *out) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      ix[y * w + x] = in[y * w + x + 1] - in[y * w + x - 1];
      iy[y * w + x] = in[(y + 1) * w + x] - in[(y - 1) * w + x];
    }
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++) {
      float xx = 0, xy = 0, yy = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          float a = ix[(y + dy) * w + x + dx], b = iy[(y + dy) * w + x + dx];
          xx += a * a;
          xy += a * b;
          yy += b * b;
        }
      sxx[y * w + x] = xx;
      sxy[y * w + x] = xy;
      syy[y * w + x] = yy;
    }
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++) {
      float det = sxx[y * w + x] * syy[y * w + x] - sxy[y * w + x] * sxy[y * w + x];
      float trace = sxx[y * w + x] + syy[y * w + x];
      out[y * w + x] = det - 0.04f * trace * trace;
    }
}
BENCH(harris, "corner detector, three nests") {
  int w = size(640), h = size(480);
  long all = (long)w * h;
  float *in = floats(all, 0, 1), *m[6];
  for (int i = 0; i < 6; i++)
    m[i] = floats(all, 0, 0);
  REPEAT harris(w, h, in, m[0], m[1], m[2], m[3], m[4], m[5]);
}
