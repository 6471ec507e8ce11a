// Sums over windows of constant size: LLVM has unrolled their loops, or nobody has written any.
// poly: optimizes box_4 box_16 by_hand image rounded ring two_images least most_of_bits cube columns column_of_products strided flat negated in_a_loop triangle in_common
#include "check.h"

#define N 61
#define M 53

TEST_FUNCTION box_4(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// Only the inner loop is unrolled; the arrays may overlap.
TEST_FUNCTION box_16(int n, int m, int y[N][M], int x[N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

// The element that is written is used by the next one.
TEST_FUNCTION by_hand(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      y[i][j] = (x[i - 1][j - 1] + x[i - 1][j] + x[i - 1][j + 1] + x[i][j - 1] + x[i][j] + x[i][j + 1] + x[i + 1][j - 1] +
                 x[i + 1][j] + x[i + 1][j + 1] + x[i + 2][j - 1] + x[i + 2][j] + x[i + 2][j + 1]) /
                    12 -
                y[i - 1][j];
}

// Bytes, widened; what is written is narrow again.
TEST_FUNCTION image(int n, int m, uint8_t y[restrict N][M], uint8_t x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 5; a++)
        for (int b = 0; b < 7; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum / 35;
    }
}

TEST_FUNCTION rounded(int n, int m, int16_t y[restrict N][M], int16_t x[restrict N + 16][M + 16], int bias) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = bias;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          sum += x[i + a][j + b];
      y[i][j] = (sum + 32) >> 6;
    }
}

// A hole in the box.
TEST_FUNCTION ring(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++)
          if (a != 3 || b != 3)
            sum += x[i + a][j + b];
      y[i][j] = 48 * x[i + 3][j + 3] - sum;
    }
}

// Two boxes of two images, of different sizes.
TEST_FUNCTION two_images(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16],
                         uint8_t z[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 7;
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
          sum += x[i + a][j + b];
      for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
          sum -= z[i + a][j + b];
      y[i][j] = sum;
    }
}

TEST_FUNCTION least(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int least = x[i][j];
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          least = x[i + a][j + b] < least ? x[i + a][j + b] : least;
      y[i][j] = least;
    }
}

TEST_FUNCTION most_of_bits(int n, int m, uint8_t y[restrict N][M], uint8_t x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      uint8_t all = 255, any = 0, parity = 0;
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
          all &= x[i + a][j + b];
          any |= x[i + a][j + b + 3];
          parity ^= x[i + a + 1][j + b];
        }
      y[i][j] = all + any * parity;
    }
}

#define K 23
TEST_FUNCTION cube(int n, int y[restrict K][K][K], int x[restrict K + 4][K + 4][K + 4]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        int sum = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 4; b++)
            for (int c = 0; c < 3; c++)
              sum += x[i + a][j + b][k + c];
        y[i][j][k] = sum;
      }
}

TEST_FUNCTION columns(int n, int m, long y[restrict N][M], long x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      long sum = 0;
      for (int a = 0; a < 12; a++)
        sum += x[i + a][j];
      y[i][j] = sum;
    }
}

// Two reads of one term move together.
TEST_FUNCTION column_of_products(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16],
                                 int z[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 9; a++)
        sum += (x[i + a][j] ^ z[i + a + 1][j]) * (x[i + a][j] + 3);
      y[i][j] = sum;
    }
}

// Every other column.
TEST_FUNCTION strided(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 4; b++)
          sum += x[i + a][j + 3 * b];
      y[i][j] = sum;
    }
}

// One subscript, rows of a constant length.
TEST_FUNCTION flat(int n, int m, unsigned *restrict y, const unsigned *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      unsigned sum = 0;
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
          sum += x[(i + a) * (M + 16) + j + b];
      y[i * M + j] = sum;
    }
}

TEST_FUNCTION negated(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
          sum -= x[i + a][j + b];
      y[i][j] = sum;
    }
}

// Smoothed again and again.
TEST_FUNCTION in_a_loop(int times, int n, int m, int y[restrict N + 16][M + 16], int x[restrict N + 16][M + 16]) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int sum = 0;
        for (int a = 0; a < 6; a++)
          for (int b = 0; b < 6; b++)
            sum += x[i + a][j + b];
        y[i][j] = sum / 36 + t;
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        x[i][j] = y[i][j];
  }
}

// Not all of a rectangle.
TEST_FUNCTION triangle(int n, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = i / 2; j <= i && j < M; j++) {
      int sum = 0;
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
          sum += x[i + a][j + b];
      y[i][j] += sum;
    }
}

// One dimension.
#define LINE(width)                                                                                                                \
  TEST_FUNCTION line_##width(int n, int *restrict y, const int *restrict x) {                                                      \
    for (int i = 0; i < n; i++) {                                                                                                  \
      int sum = 0, least = 1 << 30;                                                                                                \
      for (int j = 0; j < width; j++) {                                                                                            \
        sum += x[i + j];                                                                                                           \
        least = x[i + j + 2] < least ? x[i + j + 2] : least;                                                                       \
      }                                                                                                                            \
      y[i] = sum * least;                                                                                                          \
    }                                                                                                                              \
  }
LINE(2) LINE(3) LINE(4) LINE(5) LINE(8) LINE(13) LINE(16)

// Weights of a Gaussian are no box.
TEST_FUNCTION gaussian(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  static const int weights[] = {1, 4, 6, 4, 1};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
          sum += weights[a] * weights[b] * x[i + a][j + b];
      y[i][j] = (sum + 128) >> 8;
    }
}

// What is written is read by other windows.
TEST_FUNCTION in_place(int n, int m, int x[N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
          sum += x[i + a][j + b];
      x[i][j] = sum & 1023;
    }
}

// A window that does not move along the inner loop, and one that moves backwards.
TEST_FUNCTION still_and_back(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
          sum += x[i + a][b] ^ x[N + 8 - i - a][M + 8 - j - b];
      y[i][j] = sum;
    }
}

// The sum is used twice, once under a condition.
TEST_FUNCTION used_twice(int n, int m, int y[restrict N][M], int x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
          sum += x[i + a][j + b];
      if (x[i][j] > 3)
        y[i][j] = sum;
      y[i][0] += sum & 3;
    }
}

// Instances of the outer loop have windows of the inner one in common: each is one answer, not one for each instance.
TEST_FUNCTION in_common(int n, int m, unsigned y[restrict N][M], long x[restrict N + 16][M + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      unsigned sum = 7;
      for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
          sum -= (unsigned)(3 * x[i + 2 * a][j + b] + 1);
      y[i][j] += sum;
    }
}

static int x[N + 16][M + 16], y[N][M], back[N + 16][M + 16], line[400], sums[400];
static long lx[N + 16][M + 16], ly[N][M];
static int16_t sx[N + 16][M + 16], sy[N][M];
static uint8_t bx[N + 16][M + 16], by[N][M];
static unsigned ux[(N + 16) * (M + 16)], uy[N * M], common[N][M];
static int cx[K + 4][K + 4][K + 4], cy[K][K][K];

static void show(const char *name) {
  SHOW(name, &y[0][0], N * M);
}

int main(void) {
  static const int sizes[][2] = {{0, 3}, {1, 1}, {2, 17}, {9, 1}, {31, 40}, {N - 2, M - 1}};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = (int)hidden(sizes[number][0]), m = (int)hidden(sizes[number][1]);
    FILL(&x[0][0], (N + 16) * (M + 16), 1);
    FILL(&y[0][0], N * M, 2);
    for (int i = 0; i < (N + 16) * (M + 16); i++) {
      int value = (&x[0][0])[i];
      (&lx[0][0])[i] = value * 100000007L;
      (&sx[0][0])[i] = (int16_t)(value * 641);
      (&bx[0][0])[i] = (uint8_t)(value * 37);
      ux[i] = (unsigned)value * 77777777u;
      (&x[0][0])[i] = value * 21107;
    }
    FILL(&cx[0][0][0], (K + 4) * (K + 4) * (K + 4), 3);
    FILL(line, 400, 4);
    box_4(n, m, y, x);
    show("box 4");
    box_16(n, m, y, x);
    show("box 16");
    by_hand(n, m, y, x);
    show("by hand");
    image(n, m, by, bx);
    SHOW("image", &by[0][0], N * M);
    rounded(n, m, sy, sx, (int)hidden(5));
    SHOW("rounded", &sy[0][0], N * M);
    ring(n, m, y, x);
    show("ring");
    two_images(n, m, y, x, bx);
    show("two images");
    least(n, m, y, x);
    show("least");
    most_of_bits(n, m, by, bx);
    SHOW("most of bits", &by[0][0], N * M);
    cube(n < K ? n : K, cy, cx);
    SHOW("cube", &cy[0][0][0], K * K * K);
    columns(n, m, ly, lx);
    SHOW("columns", &ly[0][0], N * M);
    column_of_products(n, m, y, x, back);
    show("column of products");
    strided(n, m, y, x);
    show("strided");
    flat(n, m, uy, ux);
    SHOW("flat", uy, N * M);
    negated(n, m, y, x);
    show("negated");
    in_common(n, m, common, lx);
    SHOW("in common", &common[0][0], N * M);
    triangle(n, y, x);
    show("triangle");
    gaussian(n, m, y, x);
    show("gaussian");
    still_and_back(n, m, y, x);
    show("still and back");
    used_twice(n, m, y, x);
    show("used twice");
    line_2(n * 5, sums, line);
    line_3(n * 5, sums + 1, line);
    line_4(n * 5, sums + 2, line);
    line_5(n * 5, sums + 3, line);
    SHOW("short lines", sums, 400);
    line_8(n * 5, sums, line);
    SHOW("line 8", sums, 400);
    line_13(n * 5, sums, line);
    SHOW("line 13", sums, 400);
    line_16(n * 5, sums, line);
    SHOW("line 16", sums, 400);
    in_a_loop((int)hidden(3), n, m, back, x);
    SHOW("in a loop", &back[0][0], (N + 16) * (M + 16));
    in_place(n, m, x);
    SHOW("in place", &x[0][0], (N + 16) * (M + 16));
    // Part of the input is the output.
    box_16(n < 20 ? n : 20, m, (int(*)[M]) & x[9][3], x);
    SHOW("overlap", &x[0][0], (N + 16) * (M + 16));
  }
  return 0;
}
