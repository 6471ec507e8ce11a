// Tables of few rows, of which the number of the iteration picks one: remainders of counters that
// begin anywhere, go up or down, by one or more; the other one of two rows; rows that pointers in a
// table mean; three and four rows; remainders of negative numbers, of counters that wrap around, and
// rows that are accessed in another way as well, which stay as they are.
// poly: optimizes parity other tabled relaxed three
#include "check.h"

#define MAX 400

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static signed char A[MAX + 1], B[MAX + 1];
static int Rows[4][MAX + 9];
static double Real[4][MAX + 9];
static int *Table[2];

TEST_VALUE(int) parity(const signed char *a, int n, const signed char *b, int m, int (*d)[MAX + 9]) {
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) {
    d[i % 2][0] = i;
    for (int j = 1; j <= m; j++)
      d[i % 2][j] = smaller(d[(i - 1) % 2][j - 1] + (a[i - 1] != b[j - 1]), smaller(d[(i - 1) % 2][j], d[i % 2][j - 1]) + 1);
  }
  return d[n % 2][m];
}

// The other row as the number that is left.
TEST_VALUE(int) other(const signed char *a, int n, const signed char *b, int m) {
  for (int i = 0; i < n; i++) {
    int cur = i & 1, old = 1 - cur;
    for (int j = 1; j <= m; j++)
      Rows[cur][j] = a[i] == b[j - 1] ? Rows[old][j - 1] + 1 : larger(Rows[cur ^ 1][j], Rows[cur][j - 1]);
  }
  return Rows[(n + 1) & 1][m];
}

// Rows that pointers in a table mean.
TEST_VALUE(int) tabled(const signed char *a, int n, const signed char *b, int m, int **restrict d) {
  for (int i = 1; i <= n; i++) {
    d[i & 1][0] = i;
    for (int j = 1; j <= m; j++)
      d[i & 1][j] = smaller(d[(i - 1) & 1][j - 1] + (a[i - 1] != b[j - 1]), smaller(d[(i - 1) & 1][j], d[i & 1][j - 1]) + 1);
  }
  return d[n & 1][m];
}

// The first row depends on what the caller says.
TEST_VALUE(int) from_any(const signed char *a, int from, int n, const signed char *b, int m) {
  for (int i = from; i < from + n; i++) {
    Rows[i & 1][0] = i;
    for (int j = 1; j <= m; j++)
      Rows[i & 1][j] = smaller(Rows[(i + 1) & 1][j - 1] + (a[i - from] != b[j - 1]),
                               smaller(Rows[(i + 1) & 1][j], Rows[i & 1][j - 1]) + 1);
  }
  return Rows[0][m];
}

TEST_VALUE(int) down(const signed char *a, int n, const signed char *b, int m) {
  for (int i = n - 1; i >= 0; i--) {
    Rows[i % 2][0] = i;
    for (int j = 1; j <= m; j++)
      Rows[i % 2][j] = smaller(Rows[(i + 1) % 2][j - 1] + (a[i] != b[j - 1]),
                               smaller(Rows[(i + 1) % 2][j], Rows[i % 2][j - 1]) + 1);
  }
  return Rows[0][m];
}

TEST_FUNCTION relaxed(int steps, int n) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n; i++)
      Real[(t + 1) % 2][i] = 0.25 * Real[t % 2][i - 1] + 0.5 * Real[t % 2][i] + 0.25 * Real[t % 2][i + 1];
}

TEST_FUNCTION three(unsigned steps, int n) {
  for (unsigned t = 1; t < steps; t++)
    for (int i = 1; i < n; i++)
      Real[(t + 1) % 3][i] = Real[t % 3][i - 1] - 0.5 * Real[(t - 1) % 3][i] + 0.25 * Real[t % 3][i + 1];
}

// Every third row, of four; and every second, which are always the same.
TEST_FUNCTION four(int steps, int n) {
  for (int t = 0; t < steps; t += 3)
    for (int i = 1; i < n; i++)
      Real[(t + 3) & 3][i] = 0.25 * Real[t & 3][i - 1] + 0.5 * Real[t & 3][i] + 0.125 * Real[(t + 2) & 3][i + 1];
  for (int t = 0; t < steps; t += 2)
    for (int i = 1; i < n; i++)
      Real[t % 2][i] = 0.25 * Real[t % 2][i - 1] + 0.5 * Real[(t + 1) % 2][i];
}

// Remainders of negative numbers are negative: rows before the one that is given.
TEST_FUNCTION negative(int from, int to, int n, double (*middle)[MAX + 9]) {
  for (int t = from; t < to; t++)
    for (int i = 1; i < n; i++)
      middle[t % 2][i] = 0.25 * middle[t % 2][i - 1] + 0.5 * middle[0][i] + 0.25 * middle[t % 2][i + 1];
}

// A counter that wraps around: behind 255, which is a multiple of three, comes 0.
TEST_FUNCTION wrapping(int steps, int n) {
  unsigned char t = 250;
  for (int s = 0; s < steps; s++, t++)
    for (int i = 1; i < n; i++)
      Real[t % 3][i] = 0.25 * Real[t % 3][i - 1] + 0.5 * Real[(unsigned char)(t + 1) % 3][i];
}

// The first row is meant in two ways.
TEST_FUNCTION two_ways(int steps, int n) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n; i++)
      Real[(t + 1) % 2][i] = 0.25 * Real[t % 2][i - 1] + 0.5 * Real[0][i] + 0.25 * Real[t % 2][i + 1];
}

// Rows that the program sees as one: longer than they are.
TEST_FUNCTION long_rows(int steps, int n, double *rows, long apart) {
  double(*r)[apart] = (void *)rows;
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n; i++)
      r[(t + 1) & 1][i] = 0.25 * r[t & 1][i - 1] + 0.5 * r[t & 1][i] + 0.25 * r[t & 1][i + 1];
}

static unsigned state = 1;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }

static void fill(void) {
  for (int i = 0; i <= MAX; i++) {
    A[i] = (signed char)(next() % 4);
    B[i] = (signed char)(next() % 4);
  }
  for (int r = 0; r < 4; r++)
    for (int j = 0; j < MAX + 9; j++) {
      Rows[r][j] = (int)(next() % 5000);
      Real[r][j] = (double)(next() % 5000) / 16;
    }
  Table[0] = Rows[2];
  Table[1] = Rows[3];
}

static void rows_left(void) {
  long sum = 0;
  double real = 0;
  for (int r = 0; r < 4; r++)
    for (int j = 0; j < MAX + 9; j++) {
      sum = (sum * 31 + Rows[r][j]) % 1000000007;
      real = real * 0.5 + Real[r][j] * (1 + j % 7);
    }
  printf("  left: %ld %.17g\n", sum, real);
}

static void tables(int n, int m) {
  fill();
  printf("%d x %d: %d", n, m, parity(A, n, B, m, Rows));
  rows_left();
  printf(" %d", other(A, n, B, m));
  rows_left();
  printf(" %d", tabled(A, n, B, m, Table));
  Table[1] = Rows[2] + 1;
  printf(" %d", tabled(A, n, B, m, Table));
  rows_left();
  for (int from = -3; from <= 4; from += 3)
    printf(" %d", from_any(A, from, n, B, m));
  rows_left();
  printf(" %d", down(A, n, B, m));
  rows_left();
}

static void steps(int t, int n) {
  fill();
  printf("%d steps of %d", t, n);
  relaxed(t, n);
  rows_left();
  three((unsigned)t, n);
  rows_left();
  four(t, n);
  rows_left();
  negative(-t, t / 2, n, Real + 1);
  rows_left();
  wrapping(t, n);
  rows_left();
  two_ways(t, n);
  rows_left();
  long_rows(t, n, Real[0], MAX + 9);
  long_rows(t, n, Real[0], n / 2 + 1);
  long_rows(t, n, Real[0], n + 1);
  rows_left();
}

int main(void) {
  int sizes[] = {0, 1, 2, 3, 17, 64, 129, 250, 399};
  int count = sizeof sizes / sizeof *sizes;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      tables(sizes[i], sizes[j]);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      steps(sizes[i], sizes[j]);
  return 0;
}
