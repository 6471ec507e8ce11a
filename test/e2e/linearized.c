// Two-dimensional arrays written as A[i*n+j]. The shape is a guess that holds only while j stays below n.
// poly: optimizes product smooth
#include "check.h"

TEST_FUNCTION product(int n, int m, int l, double *restrict C, const double *restrict A, const double *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        C[i * m + j] += A[i * l + k] * B[k * m + j];
}

TEST_FUNCTION smooth(long n, long m, double *A, const double *B) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      A[i * m + j] = 0.25 * (B[(i - 1) * m + j] + B[(i + 1) * m + j] + B[i * m + j - 1] + B[i * m + j + 1]);
}

// columns beyond the width: element (i, j) is element (i + 1, j - m) of the next row
TEST_FUNCTION beyond(int n, int m, int width, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++)
      A[i * m + j] = A[i * m + j] * 0.5 + i + j;
}

TEST_FUNCTION below(int n, int m, double *A) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i * m - j] += A[i * m + j] * 0.5;
}

// the row length is not the loop's bound, and can be zero or negative
TEST_FUNCTION pitched(int n, int m, int pitch, double *A, const double *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i * pitch + j] += B[j * pitch + i];
}

TEST_FUNCTION column_major(int n, int m, float *A, float *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[j * n + i] = B[i * m + j] * 2;
}

static double x[2000], y[2000], z[2000];
static float f[2000], g[2000];

static void restart(void) {
  FILL(x, 2000, 1);
  FILL(y, 2000, 2);
  FILL(z, 2000, 3);
}

int main(void) {
  static const int sizes[][3] = {{0, 0, 0}, {1, 1, 1}, {5, 7, 9}, {9, 5, 7}, {20, 30, 25}, {33, 17, 40}, {1, 200, 3}, {200, 1, 3}};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k][0]), m = (int)hidden(sizes[k][1]), l = (int)hidden(sizes[k][2]);
    restart();
    product(n, m, l, x, y, z);
    SHOW("product", x, 2000);
    smooth(n, m, x, y);
    SHOW("smooth", x, 2000);
    smooth(n, m, x, x);
    SHOW("smooth in place", x, 2000);
    smooth(n, m, x, x + hidden(m));
    SHOW("smooth shifted", x, 2000);
    column_major(n, m, f, g);
    FILL(g, 2000, 5);
    column_major(n, m, f, g);
    column_major(n, m, g, g + 1);
    SHOW("column_major", f, 2000);
    SHOW("column_major", g, 2000);
  }
  static const int widths[][3] = {{10, 10, 10}, {10, 10, 11}, {10, 10, 25}, {30, 1, 40}, {20, 0, 30}, {5, 100, 99}, {5, 100, 101}};
  for (size_t k = 0; k < COUNT(widths); k++) {
    restart();
    beyond((int)hidden(widths[k][0]), (int)hidden(widths[k][1]), (int)hidden(widths[k][2]), x);
    SHOW("beyond", x, 2000);
    below((int)hidden(widths[k][0]), (int)hidden(widths[k][1]), y);
    SHOW("below", y, 2000);
  }
  static const int pitches[] = {0, 1, 2, 5, 19, 20, 21, 50, -1, -3, -25};
  for (size_t k = 0; k < COUNT(pitches); k++) {
    restart();
    pitched(20, 15, (int)hidden(pitches[k]), x + 1000, y + 1000);
    pitched(20, 15, (int)hidden(pitches[k]), y + 1000, y + 1000);
    SHOW("pitched", x, 2000);
    SHOW("pitched", y, 2000);
  }
  return 0;
}
