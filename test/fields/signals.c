// Signals: filters, transforms, correlations.
// poly: optimizes fir convolve_full autocorrelation biquads dft haar_rows window_frames cosine_blocks adapt
// poly: optimizes moving_sums
#include "bench.h"

KERNEL void fir(int n, int taps, const float *x, const float *h, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < taps; k++)
      s += h[k] * x[i + k];
    y[i] = s;
  }
}
BENCH(fir, "FIR filter") {
  int n = size(50000), taps = size(63);
  float *x = floats(n + taps, -1, 1), *h = floats(taps, -1, 1), *y = floats(n, 0, 0);
  REPEAT fir(n, taps, x, h, y);
}

KERNEL void convolve_full(const double *a, int n, const double *b, int m, double *c) {
  for (int i = 0; i < n + m - 1; i++)
    c[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i + j] += a[i] * b[j];
}
BENCH(convolve_full, "convolution, scattered sums") {
  int n = size(3000), m = size(2000);
  double *a = doubles(n, -1, 1), *b = doubles(m, -1, 1), *c = doubles(n + m, 0, 0);
  REPEAT convolve_full(a, n, b, m, c);
}

KERNEL void autocorrelation(int n, int lags, const double *x, double *r) {
  for (int l = 0; l < lags; l++) {
    double s = 0;
    for (int i = 0; i < n - l; i++)
      s += x[i] * x[i + l];
    r[l] = s;
  }
}
BENCH(autocorrelation, "autocorrelation, ordered sums") {
  int n = size(20000), lags = size(200);
  double *x = doubles(n, -1, 1), *r = doubles(lags, 0, 0);
  REPEAT autocorrelation(n, lags, x, r);
}

KERNEL void biquads(int channels, int n, const float *x, float *y, float b0, float b1, float b2, float a1, float a2) {
  for (int c = 0; c < channels; c++) {
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < n; i++) {
      float v = x[c * n + i];
      float w = b0 * v + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
      x2 = x1;
      x1 = v;
      y2 = y1;
      y1 = w;
      y[c * n + i] = w;
    }
  }
}
BENCH(biquads, "IIR filters of many channels") {
  int channels = size(64), n = size(4000);
  float *x = floats((long)channels * n, -1, 1), *y = floats((long)channels * n, 0, 0);
  REPEAT biquads(channels, n, x, y, 0.2f, 0.4f, 0.2f, -0.5f, 0.1f);
}

KERNEL void dft(int n, const double *re, const double *im, const double *c, const double *s, double *or_, double *oi) {
  for (int k = 0; k < n; k++) {
    double a = 0, b = 0;
    for (int t = 0; t < n; t++) {
      a += re[t] * c[k * n + t] + im[t] * s[k * n + t];
      b += im[t] * c[k * n + t] - re[t] * s[k * n + t];
    }
    or_[k] = a;
    oi[k] = b;
  }
}
BENCH(dft, "DFT with tables") {
  int n = size(700);
  double *re = doubles(n, -1, 1), *im = doubles(n, -1, 1), *c = doubles((long)n * n, -1, 1);
  double *s = doubles((long)n * n, -1, 1), *a = doubles(n, 0, 0), *b = doubles(n, 0, 0);
  REPEAT dft(n, re, im, c, s, a, b);
}

KERNEL void haar_rows(int rows, int n, const double *in, double *out) {
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < n / 2; i++) {
      out[r * n + i] = (in[r * n + 2 * i] + in[r * n + 2 * i + 1]) * 0.5;
      out[r * n + n / 2 + i] = (in[r * n + 2 * i] - in[r * n + 2 * i + 1]) * 0.5;
    }
}
BENCH(haar_rows, "Haar step, even and odd") {
  int rows = size(500), n = size(1024);
  double *in = doubles((long)rows * n, -1, 1), *out = doubles((long)rows * n, 0, 0);
  REPEAT haar_rows(rows, n, in, out);
}

KERNEL void window_frames(int frames, int hop, int n, const float *x, const float *w, float *out) {
  for (int f = 0; f < frames; f++)
    for (int i = 0; i < n; i++)
      out[f * n + i] = x[f * hop + i] * w[i];
}
BENCH(window_frames, "overlapping frames") {
  int frames = size(800), hop = size(256), n = size(1024);
  float *x = floats((long)frames * hop + n, -1, 1), *w = floats(n, 0, 1), *out = floats((long)frames * n, 0, 0);
  REPEAT window_frames(frames, hop, n, x, w, out);
}

KERNEL void cosine_blocks(int blocks, const float *basis, const float *in, float *tmp, float *out) {
  for (int b = 0; b < blocks; b++) {
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int k = 0; k < 8; k++)
          s += basis[i * 8 + k] * in[b * 64 + k * 8 + j];
        tmp[i * 8 + j] = s;
      }
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int k = 0; k < 8; k++)
          s += tmp[i * 8 + k] * basis[j * 8 + k];
        out[b * 64 + i * 8 + j] = s;
      }
  }
}
BENCH(cosine_blocks, "8x8 cosine transforms with a shared temporary") {
  int blocks = size(3000);
  float *basis = floats(64, -1, 1), *in = floats(64L * blocks, -1, 1), *tmp = floats(64, 0, 0);
  float *out = floats(64L * blocks, 0, 0);
  REPEAT cosine_blocks(blocks, basis, in, tmp, out);
}

KERNEL void adapt(int n, int taps, float mu, const float *x, const float *d, float *w, float *e) {
  for (int i = 0; i < n; i++) {
    float y = 0;
    for (int k = 0; k < taps; k++)
      y += w[k] * x[i + k];
    e[i] = d[i] - y;
    for (int k = 0; k < taps; k++)
      w[k] += mu * e[i] * x[i + k];
  }
}
BENCH(adapt, "LMS filter, a true chain") {
  int n = size(20000), taps = size(32);
  float *x = floats(n + taps, -1, 1), *d = floats(n, -1, 1), *w = floats(taps, 0, 0), *e = floats(n, 0, 0);
  REPEAT adapt(n, taps, 0.01f, x, d, w, e);
}

KERNEL void moving_sums(int n, int width, const int *x, int *y) {
  for (int i = 0; i + width <= n; i++) {
    int s = 0;
    for (int k = 0; k < width; k++)
      s += x[i + k];
    y[i] = s;
  }
}
BENCH(moving_sums, "sliding sums of integers") {
  int n = size(20000), width = size(200);
  int *x = ints(n, -1000, 1000), *y = ints(n, 0, 0);
  REPEAT moving_sums(n, width, x, y);
}
