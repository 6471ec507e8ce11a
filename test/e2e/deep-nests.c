// Nests of four and more loops, contractions of tensors, convolutions.
// poly: optimizes convolve
#include "check.h"

#define N 8

TEST_FUNCTION contract(int n, double c[N][N][N][N], double a[N][N][N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          for (int m = 0; m < n; m++)
            c[i][j][k][l] += a[i][m][j][k] * b[m][l];
}

TEST_FUNCTION convolve(int channels, int n, int width, double out[N][N][N], double in[N][2 * N][2 * N], double weight[N][N][N][N]) {
  for (int o = 0; o < channels; o++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int c = 0; c < channels; c++)
          for (int p = 0; p < width; p++)
            for (int q = 0; q < width; q++)
              out[o][i][j] += in[c][i + p][j + q] * weight[o][c][p][q];
}

TEST_FUNCTION simplex(int n, double a[N][N][N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = j; k < n; k++)
        for (int l = k; l < n; l++)
          a[i][j][k][l] = a[l][k][j][i] * 0.5 + i + j - k + l;
}

TEST_FUNCTION pool(int n, float out[N][N], float in[2 * N][2 * N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float best = -1000;
      for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
          best = in[2 * i + p][2 * j + q] > best ? in[2 * i + p][2 * j + q] : best;
      out[i][j] = best;
    }
}

static double a[N][N][N][N], b[N][N], c[N][N][N][N], in[N][2 * N][2 * N], out[N][N][N];
static float fin[2 * N][2 * N], fout[N][N];

int main(void) {
  for (int n = 0; n <= N; n += 2) {
    int h = (int)hidden(n);
    FILL(&a[0][0][0][0], N * N * N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(&c[0][0][0][0], N * N * N * N, 3);
    FILL(&in[0][0][0], N * 2 * N * 2 * N, 4);
    FILL(&out[0][0][0], N * N * N, 5);
    FILL(&fin[0][0], 4 * N * N, 6);
    contract(h, c, a, b);
    SHOW("contract", &c[0][0][0][0], N * N * N * N);
    convolve(h, h, h / 2 + 1, out, in, a);
    SHOW("convolve", &out[0][0][0], N * N * N);
    simplex(h, a);
    SHOW("simplex", &a[0][0][0][0], N * N * N * N);
    pool(h, fout, fin);
    SHOW("pool", &fout[0][0], N * N);
  }
  return 0;
}
