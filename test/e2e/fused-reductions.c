// Sums of products that are multiplied and added at once, and sums under conditions, of floating-point
// numbers that may be reassociated. All sums are exact, so that their order cannot be seen.
// poly: optimizes products equation checksum class_sums differences
#include "check.h"

#pragma clang fp reassociate(on) contract(on)

#define N 48
#define K 5

TEST_FUNCTION products(int n, float *restrict y, const float *restrict x, const float *restrict z) {
  for (int i = 0; i < n; i++) {
    float sum = y[i];
    for (int j = 0; j <= i; j++)
      sum += x[j] * z[j];
    y[i] = sum;
  }
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
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        sum += a[i][k] * b[k][j];
  *y = sum;
}

TEST_FUNCTION class_sums(int n, int k, double y[restrict N][K], const double *restrict x, const double *restrict z, const int *restrict class) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      double sum = 0;
      for (int j = 0; j <= i; j++)
        if (class[j] == c)
          sum += x[j] * z[j];
      y[i][c] = sum;
    }
}

// What is taken away is added with the other sign.
TEST_FUNCTION differences(int n, double *restrict y, const double *restrict x, const double *restrict z) {
  for (int i = 0; i < n; i++) {
    double sum = y[i];
    for (int j = 0; j <= i; j++)
      sum -= x[j] * z[j];
    y[i] = sum;
  }
}

// The order of these is that of the source.
TEST_FUNCTION ordered(int n, float *restrict y, const float *restrict x, const float *restrict z) {
#pragma clang fp reassociate(off)
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j <= i; j++)
      sum += x[j] * z[j];
    y[i] = sum;
  }
}

static float fx[N], fz[N], fy[N];
static double dx[N], dz[N], dy[N], a[N][2 * N], b[N][N], c[N][N], sums[N][K];
static int class[N];

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 20, 47, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = (int)hidden(sizes[number]);
    for (int i = 0; i < N; i++) {
      fx[i] = (float)start_value(i);
      fz[i] = (float)start_value(i + 7) / 2;
      dx[i] = start_value(i + 3) / 4.0;
      dz[i] = start_value(i + 5);
      fy[i] = (float)i;
      dy[i] = -i;
      class[i] = (i * i + 3) % (K + 1);
      for (int j = 0; j < 2 * N; j++)
        a[i][j] = start_value(i * 5 + j);
      for (int j = 0; j < N; j++) {
        b[i][j] = start_value(i * 3 + j + 1) / 2.0;
        c[i][j] = start_value(i * 7 + j + 2);
      }
    }
    // Infinite, and no number: only the sums that they are in see them.
    dx[30] = n == 47 ? 1.0 / 0.0 : 2;
    dz[17] = n == 20 ? __builtin_nan("") : 3;
    products(n, fy, fx, fz);
    SHOW("products", fy, N);
    ordered(n, fy, fx, fz);
    SHOW("ordered", fy, N);
    differences(n, dy, dx, dz);
    for (int i = 0; i < N; i++)
      printf("%s%a ", dy[i] != dy[i] ? "not " : "", dy[i] != dy[i] ? 0.0 : dy[i]);
    equation(n, dy, a, b);
    SHOW("equation", dy, N);
    checksum(n, dy, c, b);
    SHOW("checksum", dy, 1);
    class_sums(n, (int)hidden(K), sums, dx, dz, class);
    for (int i = 0; i < N; i++)
      for (int k = 0; k < K; k++)
        printf("%s%a ", sums[i][k] != sums[i][k] ? "not " : "", sums[i][k] != sums[i][k] ? 0.0 : sums[i][k]);
  }
  return 0;
}
