// Sums and products of floating-point numbers that may be reassociated, with fewer operations:
// nothing is taken out of a rounded sum again. All sums here are exact, so that their order cannot
// be seen.
// poly: optimizes prefix constant_window equation checksum products window growing borders image product_window
#include "check.h"

#pragma clang fp reassociate(on) contract(off)

#define N 48

TEST_FUNCTION prefix(int n, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j <= i; j++)
      sum += x[j];
    y[i] = sum;
  }
}

TEST_FUNCTION constant_window(int n, double *restrict y, const double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      y[i] += x[i + j];
}

TEST_FUNCTION equation(int n, double *restrict y, double a[restrict N][2 * N], double b[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][j + k] * b[k][j];
    y[i] = sum;
  }
}

TEST_FUNCTION checksum(int n, double *restrict y, double a[restrict N][N], double b[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        *y += a[i][k] * b[k][j];
}

TEST_FUNCTION products(int n, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i] *= x[j];
}

// How many ones a sum of ones is made of is no number once it is rounded.
TEST_FUNCTION repeated(int n, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        y[i] += x[k];
}

TEST_FUNCTION window(int n, int w, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      y[i] += x[i + j];
}

TEST_FUNCTION growing(int n, double *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = i; j <= 2 * i; j++)
      sum += x[j];
    y[i] = sum;
  }
}

TEST_FUNCTION borders(int n, int r, double *restrict y, const double *restrict x) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = i < r ? 0 : i - r; j <= (i + r < n ? i + r : n - 1); j++)
      sum += x[j];
    y[i] = sum;
  }
}

TEST_FUNCTION image(int n, int r, float y[restrict N][N], float x[restrict 2 * N][2 * N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// Integers: products have no inverse.
TEST_FUNCTION product_window(int n, int w, unsigned *restrict y, const unsigned *restrict x) {
  for (int i = 0; i < n; i++) {
    unsigned product = 1;
    for (int j = 0; j < w; j++)
      product *= x[i + j];
    y[i] = product;
  }
}

#define WIDE 10000

static float wx[WIDE + N], picture[2 * N][2 * N], sums[N][N];
static double wy[WIDE], wz[WIDE];
static unsigned ux[WIDE + N], uy[N];
static float fy[N];

// Widths at which the number of intervals of each width changes, and wider ones than all intervals.
static void wide_windows(void) {
  static const int widths[] = {0, 1, 2, 15, 16, 17, 31, 32, 255, 256, 257, 271, 272, 4095, 4096, 4097, 4111, 4112, 8191, 8192, 8193, 9999};
  for (int i = 0; i < WIDE + N; i++) {
    wx[i] = (float)(start_value(i) % 16);
    ux[i] = (unsigned)(2 * start_value(i) + 1);
  }
  for (size_t number = 0; number < COUNT(widths); number++) {
    int w = (int)hidden(widths[number]), n = (int)hidden(number % 3 == 0 ? N : 20);
    FILL(fy, N, 1);
    window(n, w, fy, wx);
    SHOW("wide window", fy, N);
    product_window(n, w, uy, ux);
    SHOW("wide product", uy, N);
  }
  int n = (int)hidden(WIDE / 2);
  growing(n, wy, wx);
  SHOW("growing", wy, WIDE / 2);
  for (int i = 0; i < WIDE; i++)
    wz[i] = start_value(i + 9);
  for (int r = 1; r < 3000; r = 7 * r + 3) {
    borders((int)hidden(r < 100 ? 50 : WIDE / 2), (int)hidden(r), wy, wz);
    SHOW("borders", wy, WIDE / 2);
  }
  FILL(&picture[0][0], 4 * N * N, 2);
  for (int r = 0; r <= N; r = 2 * r + 1) {
    image((int)hidden(N), (int)hidden(r), sums, picture);
    SHOW("image", &sums[0][0], N * N);
  }
}

static float fx[4 * N], two[N];
static double dx[4 * N], dy[N], a[N][2 * N], b[N][N], c[N][N];

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 20, 47, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = (int)hidden(sizes[number]);
    for (int i = 0; i < 4 * N; i++) {
      fx[i] = (float)start_value(i);
      dx[i] = start_value(i + 3) / 4.0;
    }
    // Infinite, and no number: what is not in a window does not see them.
    dx[30] = n == 20 ? 1.0 / 0.0 : 2;
    dx[170] = n == 47 ? __builtin_nan("") : 3;
    for (int i = 0; i < N; i++) {
      fy[i] = (float)i;
      dy[i] = -i;
      two[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.5f : -1;
      for (int j = 0; j < 2 * N; j++)
        a[i][j] = start_value(i * 5 + j);
      for (int j = 0; j < N; j++) {
        b[i][j] = start_value(i * 3 + j + 1) / 2.0;
        c[i][j] = start_value(i * 7 + j + 2);
      }
    }
    prefix(n, fy, fx);
    SHOW("prefix", fy, N);
    constant_window(n, dy, dx);
    for (int i = 0; i < N; i++)
      printf("%s%a ", dy[i] != dy[i] ? "not " : "", dy[i] != dy[i] ? 0.0 : dy[i]);
    printf("\n");
    for (int i = 0; i < N; i++)
      dy[i] = i;
    equation(n, dy, a, b);
    SHOW("equation", dy, N);
    checksum(n, dy, b, c);
    SHOW("checksum", dy, N);
    products(n, fy, two);
    SHOW("products", fy, N);
    repeated(n, fy, fx);
    SHOW("repeated", fy, N);
    for (int w = 0; w < 60; w = 3 * w + 1) {
      window(n, (int)hidden(w), fy, fx);
      SHOW("window", fy, N);
    }
  }
  wide_windows();
  return 0;
}
