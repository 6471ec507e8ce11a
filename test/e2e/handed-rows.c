// Tables of which the program keeps two rows, or one: every iteration gets a row of its own in
// memory that few rows share. Rows of pointers that are swapped, of numbers that pick the row,
// copied rows, one row with a saved diagonal, columns that nobody writes; sizes on both sides of
// where new loops are used, odd and even, none; and rows that overlap.
// poly: optimizes edits edits_in_place common affine warped
#include "check.h"

#define MAX 400

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static signed char A[MAX + 1], B[MAX + 1];
static double X[MAX + 1], Y[MAX + 1];
static int Rows[8][MAX + 9];
static double Real[2][MAX + 9];

TEST_VALUE(int) edits(const signed char *a, int n, const signed char *b, int m, int *prev, int *cur) {
  for (int j = 0; j <= m; j++)
    prev[j] = j;
  for (int i = 1; i <= n; i++) {
    cur[0] = i;
    for (int j = 1; j <= m; j++)
      cur[j] = smaller(prev[j - 1] + (a[i - 1] != b[j - 1]), smaller(prev[j], cur[j - 1]) + 1);
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return prev[m];
}

TEST_VALUE(int) edits_in_place(const signed char *a, int n, const signed char *b, int m, int *row) {
  for (int j = 0; j <= m; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int old = row[j];
      row[j] = smaller(diagonal + (a[i - 1] != b[j - 1]), smaller(old, row[j - 1]) + 1);
      diagonal = old;
    }
  }
  return row[m];
}

// Nobody writes the first column.
TEST_VALUE(int) common(const signed char *a, int n, const signed char *b, int m, int *restrict prev,
                                            int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      cur[j] = a[i - 1] == b[j - 1] ? prev[j - 1] + 1 : larger(prev[j], cur[j - 1]);
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return prev[m];
}

TEST_VALUE(int) affine(const signed char *a, int n, const signed char *b, int m, int *m0, int *m1,
                                            int *i0, int *i1, int *d0, int *d1) {
  for (int j = 0; j <= m; j++) {
    m0[j] = j ? -1000000 : 0;
    i0[j] = -1000000;
    d0[j] = j ? -2 - j : -1000000;
  }
  for (int i = 1; i <= n; i++) {
    m1[0] = -1000000;
    i1[0] = -2 - i;
    d1[0] = -1000000;
    for (int j = 1; j <= m; j++) {
      m1[j] = larger(m0[j - 1], larger(i0[j - 1], d0[j - 1])) + (a[i - 1] == b[j - 1] ? 2 : -1);
      i1[j] = larger(m0[j] - 3, i0[j] - 1);
      d1[j] = larger(m1[j - 1] - 3, d1[j - 1] - 1);
    }
    int *t = m0;
    m0 = m1;
    m1 = t;
    t = i0;
    i0 = i1;
    i1 = t;
    t = d0;
    d0 = d1;
    d1 = t;
  }
  return larger(m0[m], larger(i0[m], d0[m]));
}

TEST_VALUE(double) warped(const double *x, int n, const double *y, int m, double *prev, double *cur) {
  for (int j = 0; j <= m; j++)
    prev[j] = j ? 1e30 : 0;
  for (int i = 1; i <= n; i++) {
    cur[0] = 1e30;
    for (int j = 1; j <= m; j++) {
      double c = x[i - 1] > y[j - 1] ? x[i - 1] - y[j - 1] : y[j - 1] - x[i - 1];
      double least = prev[j] < cur[j - 1] ? prev[j] : cur[j - 1];
      cur[j] = c + (prev[j - 1] < least ? prev[j - 1] : least);
    }
    double *t = prev;
    prev = cur;
    cur = t;
  }
  return prev[m];
}

// Three rows in a ring: what is two rows above is read, too.
TEST_VALUE(int) three(const signed char *a, int n, const signed char *b, int m, int *r0, int *r1, int *r2) {
  for (int i = 0; i < n; i++) {
    r2[0] = i;
    r2[1] = -i;
    for (int j = 2; j <= m; j++)
      r2[j] = larger(r1[j - 1] + (a[i] == b[j - 1]), larger(r0[j - 2] + 2, r2[j - 1] - 1));
    int *t = r0;
    r0 = r1;
    r1 = r2;
    r2 = t;
  }
  return r1[m];
}

// Numbers pick the rows.
TEST_VALUE(int) parity(const signed char *a, int n, const signed char *b, int m, int (*d)[MAX + 9]) {
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) {
    d[i & 1][0] = i;
    for (int j = 1; j <= m; j++)
      d[i & 1][j] = smaller(d[(i - 1) & 1][j - 1] + (a[i - 1] != b[j - 1]), smaller(d[(i - 1) & 1][j], d[i & 1][j - 1]) + 1);
  }
  return d[n & 1][m];
}

// The row above is a copy.
TEST_VALUE(int) copied(const signed char *a, int n, const signed char *b, int m, int *restrict prev,
                                            int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    cur[0] = i;
    for (int j = 1; j <= m; j++)
      cur[j] = smaller(prev[j - 1] + (a[i - 1] != b[j - 1]), smaller(prev[j], cur[j - 1]) + 1);
    for (int j = 0; j <= m; j++)
      prev[j] = cur[j];
  }
  return prev[m];
}

// Part of a row only: a band around the diagonal. What lies beside it is of the rows before.
TEST_VALUE(int) banded(const signed char *a, int n, const signed char *b, int m, int w, int *restrict prev,
                                            int *restrict cur) {
  for (int i = 1; i <= n; i++) {
    int from = larger(1, i - w), to = smaller(m, i + w);
    for (int j = from; j <= to; j++)
      cur[j] = smaller(prev[j - 1] + (a[i - 1] != b[j - 1]), smaller(prev[j], cur[j - 1]) + 1);
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return prev[m];
}

// A relaxation in place that goes down and keeps no diagonal: the row below the last one is what is left.
TEST_FUNCTION relaxed(int n, int m, double *row) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      row[j] = 0.25 * row[j - 1] + 0.5 * row[j] + 0.25 * row[j + 1];
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
  for (int r = 0; r < 8; r++)
    for (int j = 0; j < MAX + 9; j++)
      Rows[r][j] = (int)(next() % 5000);
  for (int r = 0; r < 2; r++)
    for (int j = 0; j < MAX + 9; j++)
      Real[r][j] = (double)(next() % 5000) / 16;
}

static void rows_left(void) {
  long sum = 0;
  double real = 0;
  for (int r = 0; r < 8; r++)
    for (int j = 0; j < MAX + 9; j++)
      sum = (sum * 31 + Rows[r][j]) % 1000000007;
  for (int r = 0; r < 2; r++)
    for (int j = 0; j < MAX + 9; j++)
      real = real * 0.5 + Real[r][j] * (1 + j % 7);
  printf("  left: %ld %.17g\n", sum, real);
}

static void all(int n, int m) {
  fill();
  printf("%d x %d: %d", n, m, edits(A, n, B, m, Rows[0], Rows[1]));
  printf(" %d", edits_in_place(A, n, B, m, Rows[2]));
  printf(" %d", common(A, n, B, m, Rows[3], Rows[4]));
  rows_left();
  printf(" %d", affine(A, n, B, m, Rows[0], Rows[1], Rows[2], Rows[3], Rows[4], Rows[5]));
  printf(" %.17g", warped(X, n, Y, m, Real[0], Real[1]));
  rows_left();
  fill();
  printf(" %d", three(A, n, B, m, Rows[0], Rows[1], Rows[2]));
  printf(" %d", parity(A, n, B, m, &Rows[3]));
  printf(" %d", copied(A, n, B, m, Rows[5], Rows[6]));
  rows_left();
  fill();
  printf(" %d", banded(A, n, B, m, 3, Rows[0], Rows[1]));
  printf(" %d", banded(A, n, B, m, m, Rows[2], Rows[3]));
  relaxed(n, m, Real[0]);
  rows_left();
}

int main(void) {
  static const int sizes[][2] = {{0, 0},     {0, 5},     {5, 0},    {1, 1},     {1, 2},     {2, 1},     {2, 2},
                                 {3, 7},     {16, 16},   {17, 33},  {64, 64},   {65, 100},  {100, 65},  {127, 31},
                                 {128, 256}, {256, 128}, {301, 97}, {400, 400}, {399, 398}, {400, 399}, {1, 400}};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    all(sizes[k][0], sizes[k][1]);
  // Rows that overlap, or are the same one: the run-time check finds out.
  for (int shift = 0; shift < 40; shift += 13) {
    fill();
    printf("%d", edits(A, 200, B, 200, Rows[0], Rows[0] + shift));
    printf(" %d", edits(A, 201, B, 180, Rows[1] + shift, Rows[1]));
    printf(" %.17g", warped(X, 150, Y, 151, Real[0] + shift, Real[0]));
    rows_left();
    // A row that is one of the strings.
    fill();
    printf(" %d", edits_in_place((signed char *)(Rows[7] + shift), 200, B, 200, Rows[7]));
    rows_left();
  }
  return 0;
}
