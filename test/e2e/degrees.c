// Reductions that lose a degree by other laws than that of sums: numbers go into sums that did not
// overflow, equal values are counted.
// poly: optimizes interior unsigned_interior wide_interior narrow_interior differences least_of_three repeated weighted in_place_least guarded
#include "check.h"

#define N 40

// Interior loops of RNA folding: what depends on one pair, and on the difference and the sum of
// lengths, comes out of the minimum.
TEST_FUNCTION interior(int n, int v[restrict N][N], int e1[restrict N][N], int e2[restrict N][N], const int *restrict size,
                       const int *restrict asymmetry) {
  for (int i = 0; i < n; i++)
    for (int j = i + 3; j < n; j++) {
      int least = v[i][j];
      for (int p = i + 1; p < j; p++)
        for (int q = p + 1; q < j; q++) {
          int energy = e1[i][j] + e2[p][q] + size[p - i + j - q - 2] + asymmetry[p - i + q - j + N];
          least = energy < least ? energy : least;
        }
      v[i][j] = least;
    }
}

TEST_FUNCTION unsigned_interior(int n, unsigned v[restrict N][N], unsigned e1[restrict N][N], unsigned e2[restrict N][N], const unsigned *restrict size) {
  for (int i = 0; i < n; i++)
    for (int j = i + 3; j < n; j++)
      for (int p = i + 1; p < j; p++)
        for (int q = p + 1; q < j; q++) {
          unsigned energy = e1[i][j] + e2[p][q] + size[p - i + j - q - 2];
          v[i][j] = energy > v[i][j] ? energy : v[i][j];
        }
}

TEST_FUNCTION wide_interior(int n, long v[restrict N][N], long e1[restrict N][N], long e2[restrict N][N], const long *restrict size) {
  for (int i = 0; i < n; i++)
    for (int j = i + 3; j < n; j++)
      for (int p = i + 1; p < j; p++)
        for (int q = p + 1; q < j; q++) {
          long energy = e1[i][j] + e2[p][q] - size[p - i + j - q - 2];
          v[i][j] = energy < v[i][j] ? energy : v[i][j];
        }
}

// Numbers of few bits: their sums do not overflow, whatever they are.
TEST_FUNCTION narrow_interior(int n, int v[restrict N][N], short e1[restrict N][N], short e2[restrict N][N], const unsigned char *restrict size) {
  for (int i = 0; i < n; i++)
    for (int j = i + 3; j < n; j++)
      for (int p = i + 1; p < j; p++)
        for (int q = p + 1; q < j; q++) {
          int energy = e1[i][j] + e2[p][q] + size[p - i + j - q - 2];
          v[i][j] = energy < v[i][j] ? energy : v[i][j];
        }
}

// The largest difference between what is there and what was there before.
TEST_FUNCTION differences(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int most = y[i];
    for (int j = 0; j <= i; j++)
      most = x[i] - x[j] > most ? x[i] - x[j] : most;
    y[i] = most;
  }
}

TEST_FUNCTION least_of_three(int n, int *restrict y, const int *restrict a, const int *restrict b, const int *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        y[i] = a[i] + b[j] + c[k] < y[i] ? a[i] + b[j] + c[k] : y[i];
}

// The values are those of the sums, so they cannot be looked at before.
TEST_FUNCTION in_place_least(int n, int *restrict y, int *restrict x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      y[i] = y[i] < x[i] + x[j] ? y[i] : x[i] + x[j];
    x[i + 1] = y[i] / 2 + x[i + 1];
  }
}

// Each value is there as often as there are iterations of the loop that it does not depend on.
TEST_FUNCTION repeated(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i; k++)
        sum += x[k];
    y[i] = sum;
  }
}

TEST_FUNCTION weighted(int n, int m, unsigned short *restrict y, const unsigned short *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = j; k < m; k++)
        y[i] -= x[k];
}

// As many elements as fit: the window's width is in the bound of the outer loop.
TEST_FUNCTION guarded(int n, int r, int y[restrict N][N], int x[restrict N][N]) {
  for (int i = 0; i + r <= n; i++)
    for (int j = 0; j + r <= n; j++) {
      int sum = 0;
      for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
          sum += x[i + a][j + b];
      y[i][j] = sum;
    }
}

static int v[N][N], e1[N][N], e2[N][N], size[2 * N], asymmetry[2 * N], x[N + 1], y[N], z[N], w[N];
static unsigned uv[N][N], ud[N][N], ue[N][N], usize[2 * N];
static long lv[N][N], ld[N][N], le[N][N], lsize[2 * N];
static short sd[N][N], se[N][N];
static unsigned char bsize[2 * N];
static unsigned short sx[N], sy[N];

static void start(int seed) {
  FILL(&e1[0][0], N * N, 1 + seed);
  FILL(&e2[0][0], N * N, 2 + seed);
  FILL(size, 2 * N, 3 + seed);
  FILL(asymmetry, 2 * N, 4 + seed);
  FILL(x, N + 1, 5 + seed);
  FILL(z, N, 6 + seed);
  FILL(w, N, 8 + seed);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      v[i][j] = 1 << 20;
      uv[i][j] = 0;
      lv[i][j] = 1L << 40;
      ud[i][j] = (unsigned)(e2[i][j] + 100) * 54321u;
      ld[i][j] = e1[i][j] * 12345678901L;
      sd[i][j] = (short)(e1[i][j] * 999);
      ue[i][j] = (unsigned)(e1[i][j] + 100) * 12345u;
      le[i][j] = e2[i][j] * 1234567890L;
      se[i][j] = (short)(e2[i][j] * 1000);
    }
  for (int i = 0; i < 2 * N; i++) {
    usize[i] = (unsigned)(size[i] + 60) * 54321u;
    lsize[i] = size[i] * 9876543210L;
    bsize[i] = (unsigned char)(size[i] * 3);
  }
  for (int i = 0; i < N; i++) {
    y[i] = 3 * i;
    sx[i] = (unsigned short)(x[i] * 40503);
    sy[i] = (unsigned short)i;
  }
}

static void all(int n) {
  interior(n, v, e1, e2, size, asymmetry);
  SHOW("interior", &v[0][0], N * N);
  unsigned_interior(n, uv, ud, ue, usize);
  SHOW("unsigned", &uv[0][0], N * N);
  wide_interior(n, lv, ld, le, lsize);
  for (int i = 0; i < N; i++)
    printf("%ld ", lv[i][n > 0 ? n - 1 : 0]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      v[i][j] = 1 << 20;
  narrow_interior(n, v, sd, se, bsize);
  SHOW("narrow", &v[0][0], N * N);
  differences(n, y, x);
  SHOW("differences", y, N);
  least_of_three(n, y, x, z, w);
  SHOW("least of three", y, N);
  in_place_least(n, y, x);
  SHOW("in place", y, N);
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 4, 5, 11, 38, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = (int)hidden(sizes[number]);
    start(n);
    all(n);
    start(n);
    repeated(n, y, x);
    SHOW("repeated", y, N);
    for (int m = 0; m <= N; m += 13) {
      weighted(n, (int)hidden(m), sy, sx);
      SHOW("weighted", sy, N);
    }
    for (int r = 1; r <= n; r = 2 * r + 1) {
      guarded(n, (int)hidden(r), v, e1);
      SHOW("guarded", &v[0][0], N * N);
    }
  }
  // Numbers at the ends of what may be added up, and beyond: sums that do not overflow, although
  // others of the same numbers would.
  static const int large[] = {(1 << 29) - 1, -(1 << 29), 1 << 29, -(1 << 29) - 1, (1 << 30) - 1, 1 << 30, -(1 << 30), INT32_MAX - 400, INT32_MIN + 400};
  for (size_t number = 0; number < COUNT(large); number++) {
    for (int where = 0; where < 4; where++) {
      start(7);
      e2[5][9] = where == 0 ? large[number] : e2[5][9];
      e1[3][20] = where == 1 ? large[number] : e1[3][20];
      size[2] = where == 2 ? large[number] : size[2];
      asymmetry[N + 1] = where == 3 ? large[number] : asymmetry[N + 1];
      ue[7][11] = where == 0 ? (unsigned)large[number] : ue[7][11];
      usize[3] = where == 2 ? (unsigned)large[number] * 2u : usize[3];
      le[7][11] = where == 1 ? INT64_MAX / 3 - number : le[7][11];
      lsize[3] = where == 3 ? INT64_MIN / 3 + 5 : lsize[3];
      x[4] = where == 0 ? large[number] / 2 : x[4];
      z[0] = where == 2 ? large[number] / 2 : z[0];
      all((int)hidden(N));
    }
  }
  return 0;
}
