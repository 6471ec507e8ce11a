// What an iteration has computed becomes what the next one reads by a copy: rows of tables, lines
// and whole arrays of stencils, by memcpy, by loops that the compiler makes memcpy of, by memmove.
// Copies of fewer elements than are computed, of more, of others, in the other direction, of blocks
// that overlap, of bytes; what is left in both arrays; sizes on both sides of where new loops are
// used; greatest elements of tables.
// poly: optimizes edits warped heated relaxed
#include "check.h"

#define MAX 300

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static signed char A[MAX + 1], B[MAX + 1];
static int Rows[4][MAX + 9];
static double Real[4][MAX + 9], X[MAX + 1], Y[MAX + 1];
static double Old[60][70], New[60][70];
static float Small[2][MAX + 9];

TEST_VALUE(int) edits(const signed char *a, int n, const signed char *b, int m, int *restrict prev,
                                            int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    cur[0] = i;
    for (int j = 1; j <= m; j++)
      cur[j] = smaller(prev[j - 1] + (a[i - 1] != b[j - 1]), smaller(prev[j], cur[j - 1]) + 1);
    memcpy(prev, cur, (size_t)(m + 1) * sizeof *prev);
  }
  return prev[m];
}

// Perhaps the rows overlap.
TEST_VALUE(double) warped(const double *x, int n, const double *y, int m, double *prev, double *cur) {
  for (int i = 1; i <= n; i++) {
    cur[0] = 1e30;
    for (int j = 1; j <= m; j++) {
      double c = x[i - 1] > y[j - 1] ? x[i - 1] - y[j - 1] : y[j - 1] - x[i - 1];
      double least = prev[j] < cur[j - 1] ? prev[j] : cur[j - 1];
      cur[j] = c + (prev[j - 1] < least ? prev[j - 1] : least);
    }
    for (int j = 0; j <= m; j++)
      prev[j] = cur[j];
  }
  return prev[m];
}

// Copies of `count` elements, which may be fewer than are computed, or more.
TEST_VALUE(int) others(const signed char *a, int n, const signed char *b, int m, int count, int *restrict prev,
                                            int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    cur[0] = i;
    for (int j = 1; j <= m; j++)
      cur[j] = smaller(prev[j - 1] + (a[i - 1] != b[j - 1]), smaller(prev[j], cur[j - 1]) + 1);
    memcpy(prev, cur, (size_t)count * 4);
  }
  return prev[m];
}

// Each element goes one place further; and the row above is read where it was not copied.
TEST_VALUE(int) moved(const signed char *a, int n, const signed char *b, int m, int *restrict prev,
                                            int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    cur[0] = i;
    for (int j = 1; j <= m; j++)
      cur[j] = larger(prev[j - 1] + (a[i - 1] != b[j - 1]), larger(prev[j], cur[j - 1]) - 1);
    memcpy(prev + 1, cur, (size_t)m * sizeof *prev);
  }
  return prev[m];
}

// The row is copied before it is computed: what is read is two iterations old.
TEST_VALUE(int) before(const signed char *a, int n, const signed char *b, int m, int *restrict prev,
                                             int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    memcpy(prev, cur, (size_t)(m + 1) * sizeof *prev);
    cur[0] = i;
    for (int j = 1; j <= m; j++)
      cur[j] = smaller(prev[j - 1] + (a[i - 1] != b[j - 1]), smaller(prev[j], cur[j - 1]) + 1);
  }
  return cur[m];
}

TEST_FUNCTION heated(int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 59; i++)
      for (int j = 1; j < 69; j++)
        New[i][j] = 0.25 * (Old[i - 1][j] + Old[i + 1][j] + Old[i][j - 1] + Old[i][j + 1]);
    memcpy(Old, New, sizeof Old);
  }
}

// Only what has been computed; lines by a loop.
TEST_FUNCTION relaxed(int steps, int n, int m) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        New[i][j] = 0.2 * (Old[i][j] + Old[i - 1][j] + Old[i + 1][j] + Old[i][j - 1] + Old[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Old[i][j] = New[i][j];
  }
}

// Blocks that overlap if `by` is small; and lengths that are multiples of no element.
TEST_FUNCTION shifted(int steps, int n, float *a, int by, int bytes) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      a[i] = 0.5f * a[i - 1] + 0.25f * a[i];
    memmove(a + by, a, (size_t)n * sizeof *a);
    for (int i = 1; i < n; i++)
      Small[1][i] = a[i] + 1;
    memcpy(Small[0], Small[1], (size_t)bytes);
  }
}

// The greatest element, and what it is in each row of a table and of two rows.
TEST_VALUE(int) greatest(const signed char *a, int n, const signed char *b, int m) {
  static int H[MAX + 1][MAX + 1];
  int best = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int s = larger(H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), larger(H[i - 1][j], H[i][j - 1]) - 1);
      H[i][j] = larger(s, 0);
      best = larger(best, H[i][j]);
    }
  return best * 1000 + H[n][m];
}

static unsigned state = 1;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }

static void fill(void) {
  for (int i = 0; i <= MAX; i++) {
    A[i] = (signed char)(next() % 4);
    B[i] = (signed char)(next() % 4);
    X[i] = (double)(next() % 1000) / 8;
    Y[i] = (double)(next() % 1000) / 8;
  }
  for (int r = 0; r < 4; r++)
    for (int j = 0; j < MAX + 9; j++) {
      Rows[r][j] = (int)(next() % 5000);
      Real[r][j] = (double)(next() % 5000) / 16;
      Small[r % 2][j] = (float)(next() % 5000) / 16;
    }
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 70; j++) {
      Old[i][j] = (double)(next() % 100);
      New[i][j] = (double)(next() % 100);
    }
}

static void left(void) {
  long sum = 0;
  double real = 0;
  for (int r = 0; r < 4; r++)
    for (int j = 0; j < MAX + 9; j++) {
      sum = (sum * 31 + Rows[r][j]) % 1000000007;
      real = real * 0.5 + Real[r][j] * (1 + j % 7) + (double)Small[r % 2][j];
    }
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 70; j++)
      real = real * 0.9 + Old[i][j] + 0.5 * New[i][j];
  printf("  left: %ld %.17g\n", sum, real);
}

static void tables(int n, int m) {
  fill();
  printf("%d x %d: %d", n, m, edits(A, n, B, m, Rows[0], Rows[1]));
  left();
  printf(" %.17g", warped(X, n, Y, m, Real[0], Real[1]));
  printf(" %.17g", warped(X, n, Y, m, Real[2], Real[2] + 3));
  left();
  for (int more = -3; more <= 4; more++)
    if (m + more >= 0)
      printf(" %d", others(A, n, B, m, m + more, Rows[2], Rows[3]));
  left();
  printf(" %d", moved(A, n, B, m, Rows[0], Rows[1]));
  printf(" %d", before(A, n, B, m, Rows[0], Rows[2]));
  printf(" %d", greatest(A, n, B, m));
  left();
}

int main(void) {
  int sizes[] = {0, 1, 2, 3, 17, 64, 129, 250, 299};
  int count = sizeof sizes / sizeof *sizes;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      tables(sizes[i], sizes[j]);
  for (int t = 0; t < 20; t += 3) {
    fill();
    heated(t);
    left();
    relaxed(t, 60, 70);
    relaxed(t, 7, 11);
    left();
    shifted(t, MAX / 2, Small[0], MAX / 2 + 3, 4 * t);
    shifted(t, MAX / 2, Small[0], 3, 4 * t + 2);
    left();
  }
  return 0;
}
