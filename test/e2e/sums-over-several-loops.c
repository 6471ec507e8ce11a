// Reductions over several loops, each of which has a PHI node of its own in LLVM's form, and windows of operators without inverse, in blocks.
// poly: optimizes box equation prefixes triangles checksum rectangles most least_unsigned bits squares
#include "check.h"

#define N 40

// Windows of symbolic width; there may be none.
TEST_FUNCTION box(int n, int m, int w, int v, int y[restrict N][N], int x[restrict 2 * N][2 * N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int sum = 0;
      for (int a = 0; a < w; a++)
        for (int b = 0; b < v; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

TEST_FUNCTION equation(int n, long *restrict y, long a[restrict N][2 * N], long b[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    long sum = 3;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += a[i][j + k] * b[k][j];
    y[i] = sum;
  }
}

// Sums of sums of the beginning: the counts meet in faces of the domain.
TEST_FUNCTION prefixes(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++)
        sum += x[k];
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
    int most = INT32_MIN;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < n - i; k++)
        most = a[j][k] > most ? a[j][k] : most;
    y[i] = most;
  }
}

TEST_FUNCTION checksum(int n, int *restrict y, int a[restrict N][N], int b[restrict N][N]) {
  int sum = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        sum += a[i][k] * b[k][j];
  *y = sum;
}

TEST_FUNCTION most(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    y[i] = INT32_MIN;
    for (int j = 0; j < 150; j++)
      y[i] = x[i + j] > y[i] ? x[i + j] : y[i];
  }
}

// Windows that run backwards.
TEST_FUNCTION least_unsigned(int n, uint16_t *restrict y, const uint16_t *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 131; j++)
      y[i] = x[i + 130 - j] < y[i] ? x[i + 130 - j] : y[i];
}

TEST_FUNCTION bits(int n, uint64_t *restrict y, const uint64_t *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 3; j < 140; j++)
      y[i] &= x[i + j];
}

TEST_FUNCTION squares(int n, int m, int8_t y[restrict N][N], int8_t x[restrict 200][200]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      y[i][j] = -128;
      for (int a = 0; a < 150; a++)
        for (int b = 0; b < 150; b++)
          y[i][j] = x[i + a][j + b] > y[i][j] ? x[i + a][j + b] : y[i][j];
    }
}

// Inner sums that may be empty, and a second statement in the nest.
TEST_FUNCTION guarded(int n, int w, int *restrict y, int *restrict z, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = i;
    for (int j = 0; j < w; j++) {
      for (int k = j; k < 9; k++)
        sum += x[i + k];
      z[i] = j;
    }
    y[i] = sum;
  }
}

// The sum of each row is seen, so it is no sum over both loops.
TEST_FUNCTION seen(int n, int m, int *restrict y, int *restrict z, int x[restrict N][N]) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      sum += x[i][j];
    z[i] = sum;
  }
  *y = sum;
}

// Another start in the middle.
TEST_FUNCTION restarted(int n, int *restrict y, int x[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++) {
      if (j == 5)
        sum = 7;
      for (int k = 0; k < n; k++)
        sum += x[j][k];
    }
    y[i] = sum;
  }
}

static int x[400], y[400], z[400], a[N][N], b[N][N], c[N][N], image[2 * N][2 * N];
static long ly[N], la[N][2 * N], lb[N][N];
static uint16_t sx[400], sy[400];
static uint64_t wx[400], wy[400];
static int8_t bx[200][200], by[N][N];

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 19, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = sizes[number];
    int size = (int)hidden(n);
    FILL(x, 400, 1);
    FILL(y, 400, 2);
    FILL(&a[0][0], N * N, 3);
    FILL(&b[0][0], N * N, 4);
    FILL(&image[0][0], 4 * N * N, 5);
    for (int i = 0; i < 400; i++) {
      sx[i] = (uint16_t)(x[i] * 40503);
      sy[i] = 65535;
      wx[i] = ~0ull ^ (1ull << (i * 37 % 64)) * (i % 5 == 0);
      wy[i] = ~0ull;
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        la[i][j] = a[i][j] * 1000003L;
        la[i][j + N] = a[j][i] * 77L;
        lb[i][j] = b[i][j] * 12345677L;
      }
    for (int i = 0; i < 200; i++)
      for (int j = 0; j < 200; j++)
        bx[i][j] = (int8_t)(x[(i * 7 + j * 13) % 400] % 128 - (i * j) % 60);
    for (int w = -1; w < N; w = w * 3 + 3) {
      box(size, (int)hidden(n / 2 + 1), (int)hidden(w), (int)hidden(w / 2 + 1), c, image);
      SHOW("box", &c[0][0], N * N);
    }
    equation(size, ly, la, lb);
    for (int i = 0; i < N; i++)
      printf("%ld ", ly[i]);
    prefixes(size * 5, y, x);
    SHOW("prefixes", y, 400);
    triangles(size, y, a, b);
    SHOW("triangles", y, 400);
    rectangles(size, y, a);
    SHOW("rectangles", y, 400);
    checksum(size, y, a, b);
    SHOW("checksum", y, 400);
    most(size * 5, y, x);
    SHOW("most", y, 400);
    least_unsigned(size * 5, sy, sx);
    SHOW("least", sy, 400);
    bits(size * 5, wy, wx);
    for (int i = 0; i < 400; i++)
      printf("%llx ", (unsigned long long)wy[i]);
    squares(size, (int)hidden(n / 2 + 1), by, bx);
    SHOW("squares", &by[0][0], N * N);
    for (int w = 0; w < 12; w = w * 2 + 1) {
      guarded(size, (int)hidden(w), y, z, x);
      SHOW("guarded", y, 400);
      SHOW("guarded", z, 400);
    }
    seen(size, (int)hidden(n / 3), y, z, a);
    SHOW("seen", z, 400);
    restarted(size, y, a);
    SHOW("restarted", y, 400);
  }
  return 0;
}
