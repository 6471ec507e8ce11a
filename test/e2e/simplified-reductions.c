// Reductions that are computed with fewer operations: from neighbouring results, and from parts that several have in common.
// poly: optimizes prefix sliding constant_window box equation triangles checksum rectangles suffix differences in_a_loop bits most growing borders squares
#include "check.h"

#define N 48

TEST_FUNCTION prefix(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      sum += x[j];
    y[i] = sum;
  }
}

TEST_FUNCTION suffix(int n, long *restrict y, const long *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      y[i] += x[j];
}

TEST_FUNCTION sliding(int n, int w, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < w; j++)
      y[i] += x[i + j];
  }
}

// The sum is combined with what was there, and used once more behind it.
TEST_FUNCTION constant_window(int n, unsigned *restrict y, const unsigned *restrict x) {
  for (int i = 0; i < n; i++) {
    unsigned sum = y[i];
    for (int j = 0; j < 16; j++)
      sum += 3 * x[i + j] + 1;
    y[i] = sum / 3;
  }
}

TEST_FUNCTION box(int n, int m, int y[restrict N][N], int x[restrict N + 8][N + 8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

TEST_FUNCTION equation(int n, int *restrict y, int a[restrict N][2 * N], int b[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][j + k] * b[k][j];
    y[i] = sum;
  }
}

TEST_FUNCTION triangles(int n, int *restrict y, int a[restrict N][N], int b[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][k] * b[k][j];
    y[i] = sum;
  }
}

TEST_FUNCTION rectangles(int n, int *restrict y, int a[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    int most = a[0][0];
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < n - i; k++)
        most = a[j][k] > most ? a[j][k] : most;
    y[i] = most;
  }
}

TEST_FUNCTION checksum(int n, int *restrict y, int a[restrict N][N], int b[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        *y += a[i][k] * b[k][j];
}

TEST_FUNCTION differences(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 24; j++)
      y[i] -= x[i + j];
}

// What is summed up changes with the outer loop.
TEST_FUNCTION in_a_loop(int steps, int n, int *restrict y, int *restrict x) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < 20; j++)
        y[i] += x[i + j];
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i] / 7 + t;
  }
}

TEST_FUNCTION bits(int n, uint16_t *restrict y, const uint16_t *restrict x) {
  for (int i = 0; i < n; i++) {
    uint16_t parity = 0;
    for (int j = 0; j < 20; j++)
      parity ^= x[i + j];
    y[i] = parity;
  }
}

// Nothing can be taken out of a maximum.
TEST_FUNCTION most(int n, int w, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      y[i] = x[i + j] > y[i] ? x[i + j] : y[i];
}

TEST_FUNCTION growing(int n, unsigned *restrict y, const unsigned *restrict x) {
  for (int i = 0; i < n; i++) {
    unsigned least = x[i];
    for (int j = i; j <= 2 * i; j++)
      least = x[j] < least ? x[j] : least;
    y[i] = least;
  }
}

// Windows are cut at the ends.
TEST_FUNCTION borders(int n, int r, long *restrict y, const long *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = i < r ? 0 : i - r; j < (i + r < n ? i + r : n); j++)
      y[i] |= x[j];
}

TEST_FUNCTION squares(int n, int m, int w, int y[restrict N][N], int x[restrict 2 * N][2 * N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int least = x[i][j];
      for (int a = 0; a < w; a++)
        for (int b = 0; b < w; b++)
          least = x[i + a][j + b] < least ? x[i + a][j + b] : least;
      y[i][j] = least;
    }
}

// No two sums have a term in common.
TEST_FUNCTION rows(int n, int *restrict y, int a[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[i][j];
}

// Floating-point sums have an order.
TEST_FUNCTION ordered(int n, double *restrict y, const double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 16; j++)
      y[i] += x[i + j];
}

// The sums are read by what they are made of.
TEST_FUNCTION dependent(int n, int *y) {
  for (int i = 16; i < n; i++)
    for (int j = 1; j < 16; j++)
      y[i] += y[i - j];
}

static int x[200], y[200], a[N][2 * N], b[N][N], c[N][N], image[N + 8][N + 8];
static long lx[200], ly[200];
static unsigned ux[200], uy[200];
static uint16_t sx[200], sy[200];
static double dx[200], dy[200];
static int wide_x[20000], wide_y[20000], board[2 * N][2 * N];
static unsigned wide_ux[20000], wide_uy[20000];
static long wide_lx[20000], wide_ly[20000];

// Windows of an element to windows that are wider than any that two others cover.
static void windows(void) {
  static const int sizes[] = {0, 1, 5, 64, 300, 5000, 9000};
  FILL(&board[0][0], 4 * N * N, 12);
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = sizes[number];
    FILL(wide_x, 20000, 10);
    FILL(wide_y, 20000, 11);
    for (int i = 0; i < 20000; i++) {
      wide_ux[i] = (unsigned)wide_x[i] * 77777777u;
      wide_lx[i] = 1L << (i % 63) & 1L << (wide_x[i] & 31);
      wide_ly[i] = i == 7;
    }
    for (int w = 0; w < 9100; w = w * 5 + 1) {
      most((int)hidden(n), (int)hidden(w), wide_y, wide_x);
      SHOW("most", wide_y, n);
      borders((int)hidden(n), (int)hidden(w), wide_ly, wide_lx);
      for (int i = 0; i < n; i += 1 + n / 50)
        printf("%ld ", wide_ly[i]);
    }
    growing((int)hidden(n), wide_uy, wide_ux);
    SHOW("growing", wide_uy, n);
  }
  for (int w = 0; w < N; w = w * 2 + 1) {
    squares((int)hidden(N), (int)hidden(N - 3), (int)hidden(w), c, board);
    SHOW("squares", &c[0][0], N * N);
  }
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 20, 47, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = sizes[number];
    int size = (int)hidden(n);
    FILL(x, 200, 1);
    FILL(y, 200, 2);
    FILL(&a[0][0], N * 2 * N, 3);
    FILL(&b[0][0], N * N, 4);
    FILL(&c[0][0], N * N, 5);
    FILL(&image[0][0], (N + 8) * (N + 8), 6);
    for (int i = 0; i < 200; i++) {
      lx[i] = x[i] * 1000003L;
      ly[i] = i;
      ux[i] = (unsigned)x[i] * 77777777u;
      uy[i] = (unsigned)i;
      sx[i] = (uint16_t)(x[i] * 40503);
      dx[i] = x[i] / 3.0;
      dy[i] = i;
    }
    x[7] = INT32_MAX;
    x[8] = -5;
    prefix(size, y, x + 20);
    SHOW("prefix", y, 200);
    suffix(size, ly, lx);
    for (int i = 0; i < n; i++)
      printf("%ld ", ly[i]);
    printf("\n");
    for (int w = 0; w < 40; w = w * 3 + 1) {
      sliding(size, (int)hidden(w), y, x + 20);
      SHOW("sliding", y, 200);
    }
    constant_window(size, uy, ux);
    SHOW("constant window", uy, 200);
    box(size, (int)hidden(n / 2 + 1), c, image);
    SHOW("box", &c[0][0], N * N);
    equation(size, y, a, b);
    SHOW("equation", y, 200);
    triangles(size, y, b, c);
    SHOW("triangles", y, 200);
    if (n > 0)
      rectangles(size, y, b);
    SHOW("rectangles", y, 200);
    checksum(size, y, b, c);
    SHOW("checksum", y, 200);
    differences(size, y, x + 20);
    SHOW("differences", y, 200);
    in_a_loop((int)hidden(5), size, y, x + 20);
    SHOW("in a loop", y, 200);
    bits(size, sy, sx);
    SHOW("bits", sy, 200);
    rows(size, y, b);
    SHOW("rows", y, 200);
    ordered(size, dy, dx);
    SHOW("ordered", dy, 200);
    FILL(y, 200, 9);
    dependent(size < 30 ? size : 30, y);
    SHOW("dependent", y, 200);
  }
  windows();
  return 0;
}
