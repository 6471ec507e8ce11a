// Deriche's recursive smoothing filter: along each row forward and backward, then along each column
// poly: optimizes kernel_deriche
// poly: one scop kernel_deriche
#include <math.h>

#include "harness.h"

#define W BY_SIZE(64, 192, 720, 4096, 7680)
#define H BY_SIZE(64, 128, 480, 2160, 4320)

KERNEL kernel_deriche(int w, int h, float alpha, float in[DIM(W, w)][DIM(H, h)], float out[DIM(W, w)][DIM(H, h)],
                      float y1[DIM(W, w)][DIM(H, h)], float y2[DIM(W, w)][DIM(H, h)]) {
  float k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) / (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
  float a1 = k, a5 = k;
  float a2 = k * expf(-alpha) * (alpha - 1.0f), a6 = a2;
  float a3 = k * expf(-alpha) * (alpha + 1.0f), a7 = a3;
  float a4 = -k * expf(-2.0f * alpha), a8 = a4;
  float b1 = powf(2.0f, -alpha);
  float b2 = -expf(-2.0f * alpha);
  float c1 = 1, c2 = 1;

  for (int i = 0; i < w; i++) {
    float ym1 = 0.0f, ym2 = 0.0f, xm1 = 0.0f;
    for (int j = 0; j < h; j++) {
      y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = in[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  for (int i = 0; i < w; i++) {
    float yp1 = 0.0f, yp2 = 0.0f, xp1 = 0.0f, xp2 = 0.0f;
    for (int j = h - 1; j >= 0; j--) {
      y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = in[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = c1 * (y1[i][j] + y2[i][j]);

  for (int j = 0; j < h; j++) {
    float tm1 = 0.0f, ym1 = 0.0f, ym2 = 0.0f;
    for (int i = 0; i < w; i++) {
      y1[i][j] = a5 * out[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = out[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  for (int j = 0; j < h; j++) {
    float tp1 = 0.0f, tp2 = 0.0f, yp1 = 0.0f, yp2 = 0.0f;
    for (int i = w - 1; i >= 0; i--) {
      y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = out[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = c2 * (y1[i][j] + y2[i][j]);
}

static void fill(float in[W][H]) {
  for (int i = 0; i < W; i++)
    for (int j = 0; j < H; j++)
      in[i][j] = (float)((313 * i + 991 * j) % 65536) / 65535.0f;
}

int main(void) {
  float(*in)[W][H] = allocate(sizeof *in);
  float(*out)[W][H] = allocate(sizeof *out);
  float(*y1)[W][H] = allocate(sizeof *y1);
  float(*y2)[W][H] = allocate(sizeof *y2);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*in);
    start_clock();
    kernel_deriche(W, H, 0.25f, *in, *out, *y1, *y2);
    stop_clock();
  }
  show_work(32.0 * W * H, sizeof *in + sizeof *out);
  show_floats("out", out, sizeof *out);
  free(in);
  free(out);
  free(y1);
  free(y2);
  return 0;
}
