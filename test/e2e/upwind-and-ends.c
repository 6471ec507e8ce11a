// Branches that write the same element on both sides, maxima in rows of few lanes, and products whose last columns fill no
// vector, at all sizes around those from which on new code is used.
// poly: optimizes upwind clamped product largest places
#include "check.h"

enum { MOST = 40, SIZE = MOST * MOST };

// One store, whatever the condition is.
TEST_FUNCTION upwind(int n, double d[restrict n][n], double a[restrict n][n], double v[restrict n][n]) {
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < n - 1; i++) {
      if (v[i][j] > 0.5)
        d[i][j] = a[i][j] - 0.1 * (a[i][j] - a[i - 1][j]);
      else
        d[i][j] = a[i][j] - 0.2 * (a[i + 1][j] - a[i][j]);
    }
}

// Several vectors at a time, and what they leave.
TEST_FUNCTION clamped(int n, int q[restrict n][n], int p[restrict n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int x = p[i][j] * 3 - 20;
      x = x < 0 ? 0 : x;
      q[i][j] = x > 255 ? 255 : x;
    }
}

// The last columns are whole vectors and single ones.
TEST_FUNCTION product(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j] * 0.5;
}

TEST_FUNCTION largest(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float best = x[i * m];
    for (int j = 1; j < m; j++)
      if (x[i * m + j] > best)
        best = x[i * m + j];
    y[i] = best;
  }
}

TEST_FUNCTION places(int n, int m, const float *x, int *y) {
  for (int i = 0; i < n; i++) {
    float best = x[i * m];
    int at = 0;
    for (int j = 1; j < m; j++)
      if (x[i * m + j] < best) {
        best = x[i * m + j];
        at = j;
      }
    y[i] = at;
  }
}

static double a[SIZE], b[SIZE], c[SIZE];
static float x[8 * 400], y[8];
static int u[SIZE], v[SIZE], at[8];

int main(void) {
  for (int k = 0; k <= MOST; k++) {
    int n = (int)hidden(k);
    FILL(a, SIZE, k);
    FILL(b, SIZE, k + 1);
    FILL(c, SIZE, k + 2);
    for (int i = 0; i < SIZE; i++)
      u[i] = start_value(i + k) % 100;
    upwind(n, (void *)c, (void *)a, (void *)b);
    SHOW("upwind", c, SIZE);
    product(n, (void *)c, (void *)a, (void *)b);
    SHOW("product", c, SIZE);
    clamped(n, (void *)v, (void *)u);
    SHOW("clamped", v, SIZE);
  }
  for (int k = 1; k <= 400; k += 7) {
    int m = (int)hidden(k);
    for (int i = 0; i < 8 * 400; i++)
      x[i] = (float)(start_value(i + k) % 50) * (i % 3 ? 0.0f : -1.0f);
    x[k % 100] = 0.0f / (float)hidden(0);
    largest(8, m, x, y);
    SHOW("largest", y, 8);
    places(8, m, x, at);
    SHOW("places", at, 8);
  }
  return 0;
}
