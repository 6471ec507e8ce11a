// Machine learning: layers, norms, optimizers.
// poly: optimizes dense_layer softmax_rows layer_norm batch_norm conv2d conv_nhwc depthwise max_pool attention adam
// poly: optimizes quantized nearest_centres
#include "bench.h"

KERNEL void dense_layer(int batch, int in, int out, const float *x, const float *w, const float *bias, float *y) {
  for (int b = 0; b < batch; b++)
    for (int o = 0; o < out; o++) {
      float s = bias[o];
      for (int i = 0; i < in; i++)
        s += x[b * in + i] * w[o * in + i];
      y[b * out + o] = s > 0 ? s : 0;
    }
}
BENCH(dense_layer, "dense layer with ReLU") {
  int batch = size(64), in = size(512), out = size(256);
  float *x = floats((long)batch * in, -1, 1), *w = floats((long)out * in, -1, 1), *bias = floats(out, -1, 1);
  float *y = floats((long)batch * out, 0, 0);
  REPEAT dense_layer(batch, in, out, x, w, bias, y);
}

KERNEL void softmax_rows(int rows, int n, float *x) {
  for (int r = 0; r < rows; r++) {
    float max = x[r * n];
    for (int i = 1; i < n; i++)
      if (x[r * n + i] > max)
        max = x[r * n + i];
    float sum = 0;
    for (int i = 0; i < n; i++) {
      x[r * n + i] = expf(x[r * n + i] - max);
      sum += x[r * n + i];
    }
    for (int i = 0; i < n; i++)
      x[r * n + i] /= sum;
  }
}
BENCH(softmax_rows, "softmax of rows") {
  int rows = size(200), n = size(500);
  float *x = floats((long)rows * n, -1, 1);
  REPEAT softmax_rows(rows, n, x);
}

KERNEL void layer_norm(int rows, int n, const float *x, const float *g, const float *b, float *y) {
  for (int r = 0; r < rows; r++) {
    float mean = 0, var = 0;
    for (int i = 0; i < n; i++)
      mean += x[r * n + i];
    mean /= (float)n;
    for (int i = 0; i < n; i++) {
      float d = x[r * n + i] - mean;
      var += d * d;
    }
    float scale = 1.0f / sqrtf(var / (float)n + 1e-5f);
    for (int i = 0; i < n; i++)
      y[r * n + i] = (x[r * n + i] - mean) * scale * g[i] + b[i];
  }
}
BENCH(layer_norm, "layer norm") {
  int rows = size(300), n = size(768);
  float *x = floats((long)rows * n, -1, 1), *g = floats(n, 0, 1), *b = floats(n, 0, 1);
  float *y = floats((long)rows * n, 0, 0);
  REPEAT layer_norm(rows, n, x, g, b, y);
}

#define NCHW(a, n, c, h, w) a[(((n) * C + (c)) * H + (h)) * W + (w)]
KERNEL void batch_norm(int N, int C, int H, int W, const float *x, float *mean, float *var, float *y) {
  for (int c = 0; c < C; c++) {
    float s = 0, q = 0;
    for (int n = 0; n < N; n++)
      for (int h = 0; h < H; h++)
        for (int w = 0; w < W; w++)
          s += NCHW(x, n, c, h, w);
    mean[c] = s / (float)(N * H * W);
    for (int n = 0; n < N; n++)
      for (int h = 0; h < H; h++)
        for (int w = 0; w < W; w++) {
          float d = NCHW(x, n, c, h, w) - mean[c];
          q += d * d;
        }
    var[c] = q / (float)(N * H * W);
  }
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int h = 0; h < H; h++)
        for (int w = 0; w < W; w++)
          NCHW(y, n, c, h, w) = (NCHW(x, n, c, h, w) - mean[c]) / sqrtf(var[c] + 1e-5f);
}
BENCH(batch_norm, "batch norm, NCHW") {
  int N = size(8), C = size(16), H = size(28), W = size(28);
  long all = (long)N * C * H * W;
  float *x = floats(all, -1, 1), *m = floats(C, 0, 0), *v = floats(C, 0, 0), *y = floats(all, 0, 0);
  REPEAT batch_norm(N, C, H, W, x, m, v, y);
}

KERNEL void conv2d(int C, int K, int H, int W, int R, int S, const float *x, const float *w, float *y) {
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
BENCH(conv2d, "convolution layer, all sizes parameters") {
  int C = size(16), K = size(32), H = size(34), W = size(34), R = size(3), S = size(3);
  float *x = floats((long)C * H * W, -1, 1), *w = floats((long)K * C * R * S, -1, 1), *y = floats(32L * K * 32, 0, 0);
  REPEAT conv2d(C, K, H, W, R, S, x, w, y);
}

KERNEL void conv_nhwc(int H, int W, int C, int K, const float *x, const float *w, float *y) {
  for (int h = 0; h < H - 2; h++)
    for (int v = 0; v < W - 2; v++)
      for (int k = 0; k < K; k++) {
        float s = 0;
        for (int r = 0; r < 3; r++)
          for (int t = 0; t < 3; t++)
            for (int c = 0; c < C; c++)
              s += x[((h + r) * W + v + t) * C + c] * w[((r * 3 + t) * C + c) * K + k];
        y[(h * (W - 2) + v) * K + k] = s;
      }
}
BENCH(conv_nhwc, "3x3 convolution, channels last") {
  int H = size(34), W = size(34), C = size(16), K = size(32);
  float *x = floats((long)H * W * C, -1, 1), *w = floats(9L * C * K, -1, 1), *y = floats((long)H * W * K, 0, 0);
  REPEAT conv_nhwc(H, W, C, K, x, w, y);
}

KERNEL void depthwise(int C, int H, int W, const float *x, const float *w, float *y) {
  for (int c = 0; c < C; c++)
    for (int h = 1; h < H - 1; h++)
      for (int v = 1; v < W - 1; v++) {
        float s = 0;
        for (int r = 0; r < 3; r++)
          for (int t = 0; t < 3; t++)
            s += x[(c * H + h + r - 1) * W + v + t - 1] * w[c * 9 + r * 3 + t];
        y[(c * H + h) * W + v] = s;
      }
}
BENCH(depthwise, "depthwise convolution") {
  int C = size(32), H = size(56), W = size(56);
  float *x = floats((long)C * H * W, -1, 1), *w = floats(9L * C, -1, 1), *y = floats((long)C * H * W, 0, 0);
  REPEAT depthwise(C, H, W, x, w, y);
}

KERNEL void max_pool(int C, int H, int W, const float *x, float *y) {
  for (int c = 0; c < C; c++)
    for (int h = 0; h < H / 2; h++)
      for (int w = 0; w < W / 2; w++) {
        float m = x[(c * H + 2 * h) * W + 2 * w];
        for (int a = 0; a < 2; a++)
          for (int b = 0; b < 2; b++)
            m = fmaxf(m, x[(c * H + 2 * h + a) * W + 2 * w + b]);
        y[(c * (H / 2) + h) * (W / 2) + w] = m;
      }
}
BENCH(max_pool, "2x2 maximum") {
  int C = size(64), H = size(112), W = size(112);
  float *x = floats((long)C * H * W, -1, 1), *y = floats((long)C * H * W / 4, 0, 0);
  REPEAT max_pool(C, H, W, x, y);
}

KERNEL void attention(int heads, int n, int d, const float *q, const float *k, const float *v, float *s, float *o) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++) {
      float max = -1e30f, sum = 0;
      for (int j = 0; j <= i; j++) {
        float dot = 0;
        for (int c = 0; c < d; c++)
          dot += q[(i * heads + h) * d + c] * k[(j * heads + h) * d + c];
        s[j] = dot;
        if (dot > max)
          max = dot;
      }
      for (int j = 0; j <= i; j++) {
        s[j] = expf(s[j] - max);
        sum += s[j];
      }
      for (int c = 0; c < d; c++)
        o[(i * heads + h) * d + c] = 0;
      for (int j = 0; j <= i; j++)
        for (int c = 0; c < d; c++)
          o[(i * heads + h) * d + c] += s[j] / sum * v[(j * heads + h) * d + c];
    }
}
BENCH(attention, "causal attention") {
  int heads = size(4), n = size(160), d = size(32);
  long all = (long)heads * n * d;
  float *q = floats(all, -1, 1), *k = floats(all, -1, 1), *v = floats(all, -1, 1), *s = floats(n, 0, 0);
  float *o = floats(all, 0, 0);
  REPEAT attention(heads, n, d, q, k, v, s, o);
}

KERNEL void adam(int n, float lr, float b1, float b2, const float *g, float *m, float *v, float *w) {
  for (int i = 0; i < n; i++) {
    m[i] = b1 * m[i] + (1 - b1) * g[i];
    v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
    w[i] -= lr * m[i] / (sqrtf(v[i]) + 1e-8f);
  }
}
BENCH(adam, "optimizer step") {
  int n = size(500000);
  float *g = floats(n, -1, 1), *m = floats(n, -1, 1), *v = floats(n, 0, 1), *w = floats(n, -1, 1);
  REPEAT adam(n, 0.001f, 0.9f, 0.999f, g, m, v, w);
}

KERNEL void quantized(int rows, int n, const signed char *w, const signed char *x, const float *scale, float *y) {
  for (int r = 0; r < rows; r++) {
    int s = 0;
    for (int i = 0; i < n; i++)
      s += (int)w[r * n + i] * (int)x[i];
    y[r] = (float)s * scale[r];
  }
}
BENCH(quantized, "dot products of bytes") {
  int rows = size(1000), n = size(1024);
  unsigned char *w = bytes((long)rows * n, 0, 255), *x = bytes(n, 0, 255);
  float *scale = floats(rows, 0, 1), *y = floats(rows, 0, 0);
  REPEAT quantized(rows, n, (signed char *)w, (signed char *)x, scale, y);
}

KERNEL void nearest_centres(int n, int k, int d, const float *p, const float *c, int *label) {
  for (int i = 0; i < n; i++) {
    float best = 1e30f;
    for (int j = 0; j < k; j++) {
      float dist = 0;
      for (int t = 0; t < d; t++) {
        float diff = p[i * d + t] - c[j * d + t];
        dist += diff * diff;
      }
      if (dist < best) {
        best = dist;
        label[i] = j;
      }
    }
  }
}
BENCH(nearest_centres, "k-means assignment, argmin") {
  int n = size(4000), k = size(16), d = size(16);
  float *p = floats((long)n * d, -1, 1), *c = floats((long)k * d, -1, 1);
  int *label = ints(n, 0, 0);
  REPEAT nearest_centres(n, k, d, p, c, label);
}
