// Statements that compute tables and keep the least or the greatest element of all in a scalar:
// maxima, minima, bits that all have and that one has; several scalars at once, values that are
// not stored, three loops, a scalar that is read between, sums, which may not be done twice, and
// what the scalar is before; with no rows, with few, with many. Tables of which two rows are kept,
// whose pointers change places: counted from one and from zero, by numbers with and without a sign.
// poly: optimizes aligned least in_two_rows from_zero by_size
#include "check.h"

#define MAX 300

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static signed char A[MAX + 1], B[MAX + 1];
static int H[MAX + 1][MAX + 1], G[MAX + 1][MAX + 1];
static unsigned U[MAX + 1][MAX + 1];
static double D[MAX + 1][MAX + 1];
static int C[20][70][40];

TEST_VALUE(int) aligned(const signed char *a, int n, const signed char *b, int m, int best) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int s = larger(H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), larger(H[i - 1][j], H[i][j - 1]) - 1);
      H[i][j] = larger(s, 0);
      best = larger(best, H[i][j]);
    }
  return best;
}

TEST_VALUE(int) least(const signed char *a, int n, const signed char *b, int m) {
  int best = 5;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      H[i][j] = smaller(H[i - 1][j], H[i][j - 1]) + (a[i - 1] == b[j - 1] ? -2 : 1);
      best = smaller(best, H[i][j] - G[i][j]);
    }
  return best;
}

TEST_VALUE(unsigned) bits(int n, int m) {
  unsigned all = ~0u, some = 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      U[i][j] = (U[i - 1][j] ^ U[i][j - 1]) + U[i - 1][j - 1] + 0x80u;
      all &= U[i][j] | 0xff00u;
      some |= U[i][j] & 0xf0u;
    }
  return all * 31 + some;
}

TEST_VALUE(int) two(const signed char *a, int n, const signed char *b, int m) {
  int low = 1000, high = -1000;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      H[i][j] = larger(H[i - 1][j] - 1, H[i][j - 1] - 2) + (a[i - 1] == b[j - 1]);
      low = smaller(low, H[i][j]);
      high = larger(high, H[i][j]);
    }
  return low * 10000 + high;
}

// What is kept is looked at in every row; and what is kept of a row only.
TEST_VALUE(int) between(const signed char *a, int n, const signed char *b, int m) {
  int best = 0, sum = 0;
  for (int i = 1; i <= n; i++) {
    int row = -7;
    for (int j = 1; j <= m; j++) {
      H[i][j] = larger(H[i - 1][j], H[i][j - 1]) + (a[i - 1] == b[j - 1] ? 2 : -3);
      best = larger(best, H[i][j]);
      row = larger(row, H[i][j]);
    }
    G[i][0] = best + row;
    sum += best;
  }
  return sum;
}

TEST_VALUE(int) summed(const signed char *a, int n, const signed char *b, int m) {
  int sum = 3;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      H[i][j] = larger(H[i - 1][j], H[i][j - 1]) + (a[i - 1] == b[j - 1] ? 2 : -3);
      sum += H[i][j];
    }
  return sum;
}

// The first maximum decides where there are several zeros.
TEST_VALUE(double) of_doubles(int n, int m) {
  double best = -0.0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      D[i][j] = 0.5 * D[i - 1][j] - 0.25 * D[i][j - 1];
      best = best < D[i][j] ? D[i][j] : best;
    }
  return 1 / (best + 1);
}

TEST_VALUE(int) three(int n, int m, int k) {
  int best = -5;
  for (int x = 1; x < n; x++)
    for (int i = 1; i < m; i++)
      for (int j = 1; j < k; j++) {
        C[x][i][j] = (C[x - 1][i][j] + C[x][i - 1][j] * 3 + C[x][i][j - 1] * 5) & 0xffff;
        best = larger(best, C[x][i][j]);
      }
  return best;
}

// Rows of different lengths, some of them empty.
TEST_VALUE(int) triangle(const signed char *a, int n, int from) {
  int best = -100;
  for (int i = 1; i <= n; i++)
    for (int j = from; j < i; j++) {
      H[i][j] = larger(H[i - 1][j], H[i][j - 1]) + a[j] - 1;
      best = larger(best, H[i][j]);
    }
  return best;
}

TEST_VALUE(int) in_two_rows(const signed char *a, int n, const signed char *b, int m, int *prev, int *cur) {
  int best = 0;
  for (int i = 1; i <= n; i++) {
    cur[0] = 0;
    for (int j = 1; j <= m; j++) {
      int s = larger(prev[j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), larger(prev[j], cur[j - 1]) - 1);
      cur[j] = larger(s, 0);
      best = larger(best, cur[j]);
    }
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return best;
}

TEST_VALUE(int) from_zero(const signed char *a, int n, const signed char *b, int m, int *prev, int *cur, int best) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      cur[j + 1] = smaller(prev[j] + (a[i] == b[j] ? -3 : 1), smaller(prev[j + 1], cur[j]) + 1);
      best = smaller(best, cur[j + 1]);
    }
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return best;
}

// The number of rows is one less than what the loop is bounded by.
TEST_VALUE(int) by_size(const signed char *a, unsigned long n, const signed char *b, unsigned long m, int *prev,
                        int *cur) {
  int best = 0;
  for (unsigned long i = 1; i < n; i++) {
    for (unsigned long j = 1; j < m; j++) {
      int s = larger(prev[j - 1] + (a[i - 1] == b[j - 1] ? 3 : -3), larger(prev[j], cur[j - 1]) - 2);
      cur[j] = larger(s, 0);
      best = larger(best, cur[j]);
    }
    int *t = prev;
    prev = cur;
    cur = t;
  }
  return best;
}

static unsigned state = 1;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }

static void fill(void) {
  for (int i = 0; i <= MAX; i++) {
    A[i] = (signed char)(next() % 4);
    B[i] = (signed char)(next() % 4);
    for (int j = 0; j <= MAX; j++) {
      H[i][j] = (int)(next() % 10);
      G[i][j] = (int)(next() % 10);
      U[i][j] = next();
      D[i][j] = (double)(next() % 100) - 50;
    }
  }
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 70; j++)
      for (int k = 0; k < 40; k++)
        C[i][j][k] = (int)(next() % 100);
}

static void left(void) {
  long sum = 0;
  double real = 0;
  for (int i = 0; i <= MAX; i++)
    for (int j = 0; j <= MAX; j++) {
      sum = (sum * 31 + H[i][j] + 7 * G[i][j] + (long)U[i][j]) % 1000000007;
      real = real * 0.999 + D[i][j];
    }
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 70; j++)
      for (int k = 0; k < 40; k++)
        sum = (sum * 31 + C[i][j][k]) % 1000000007;
  printf("  left: %ld %.17g\n", sum, real);
}

int main(void) {
  int sizes[] = {0, 1, 2, 17, 64, 129, 299};
  int count = sizeof sizes / sizeof *sizes;
  fill();
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      int n = sizes[i], m = sizes[j];
      printf("%d x %d: %d %d", n, m, aligned(A, n, B, m, 0), aligned(A, n, B, m, 100000));
      printf(" %d", least(A, n, B, m));
      printf(" %u", bits(n, m));
      printf(" %d", two(A, n, B, m));
      left();
      printf(" %d", between(A, n, B, m));
      printf(" %d", summed(A, n, B, m));
      printf(" %.17g", of_doubles(n, m));
      printf(" %d", three(n / 15, m / 5 + 1, 40));
      printf(" %d", triangle(A, n, m + 1));
      printf(" %d", in_two_rows(A, n, B, m, H[0], H[1]));
      printf(" %d %d", from_zero(A, n, B, m, G[0], G[1], 7), from_zero(A, n, B, m, H[2], H[3], -100000));
      printf(" %d", by_size(A, (unsigned long)n, B, (unsigned long)m, G[2], G[3]));
      printf(" %d", in_two_rows(A, n, B, m, H[4], H[4] + 3 * (m > 3)));
      left();
    }
  return 0;
}
