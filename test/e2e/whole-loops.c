// Inner loops of which the iterations are not modelled: they depend on data, are left early, or run under a condition on data.
// poly: optimizes halved
// poly: optimizes escape_time
// poly: optimizes under_data
// poly: optimizes by_row
// poly: optimizes sparse
// poly: optimizes left_early
// poly: optimizes two_ways_out
// poly: optimizes position
// poly: optimizes nested
// poly: optimizes by_product
// poly: optimizes in_place
// poly: optimizes with_switch
// poly: optimizes filled
// poly: optimizes carried
// poly: optimizes searched
// poly: optimizes summed
// poly: optimizes last_read
#include "check.h"

#include <math.h>

#define N 24

TEST_FUNCTION halved(int n, double a[restrict N][N], double b[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = b[j][i];
      while (x > 1.0)
        x *= 0.5;
      a[i][j] += x;
    }
}

TEST_FUNCTION escape_time(int n, int m, int *restrict out, const double *restrict re, const double *restrict im) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = 0, y = 0;
      int k = 0;
      for (; k < 40 && x * x + y * y < 4; k++) {
        double t = x * x - y * y + re[j];
        y = 2 * x * y + im[i];
        x = t;
      }
      out[i * m + j] = k;
    }
}

TEST_FUNCTION under_data(int n, const int *restrict flag, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    if (flag[i] > 1)
      for (int j = 0; j < n; j++)
        a[i][j] += b[j][i];
}

TEST_FUNCTION by_row(int n, const int *restrict length, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      a[i][j] += b[j][i];
}

TEST_FUNCTION sparse(int n, const int *restrict row, const int *restrict col, const double *restrict v,
                     const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += v[k] * x[col[k]];
}

TEST_FUNCTION left_early(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (b[j][i] < 0.4)
        break;
      a[i][j] += b[j][i];
    }
}

// The ways out do different things and leave different values.
TEST_FUNCTION two_ways_out(int n, double a[N][N], double b[N][N], int *where) {
  for (int i = 0; i < n; i++) {
    int found = -1;
    for (int j = 0; j < n; j++) {
      if (b[j][i] > 2.5) {
        found = j;
        a[i][j] = -1;
        break;
      }
      if (b[j][i] < 0.25) {
        found = 100 + j;
        break;
      }
      a[i][j] += 1;
    }
    where[i] = found;
  }
}

TEST_FUNCTION position(int n, double a[N][N], double x, int *where, double *last) {
  for (int i = 0; i < n; i++) {
    int j = 0;
    while (j < n && a[j][i] != x)
      j++;
    where[i] = j;
    last[i] = j < n ? a[j][i] : x;
  }
}

// A loop in a loop, both by data.
TEST_FUNCTION nested(int n, const int *restrict rows, const int *restrict length, double a[N][N], double *restrict s) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int r = 0; r < rows[i]; r++)
      for (int c = 0; c < length[r]; c++)
        sum += a[r][c] * (i + 1);
    s[i] = sum;
  }
}

TEST_FUNCTION by_product(int n, int m, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i * m; j++)
      a[i][j] += b[j][i];
}

// What one iteration of the outer loop writes the next one reads.
TEST_FUNCTION in_place(int n, const int *length, int *a) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      a[i * N + j] = a[(i - 1) * N + j] + a[length[i] + j];
}

TEST_FUNCTION with_switch(int n, const unsigned char *restrict text, int *restrict count) {
  for (int i = 0; i < n; i++) {
    int words = 0;
    for (int k = i; text[k]; k++)
      switch (text[k]) {
      case ' ': words += 1; break;
      case '.': words += 10; break;
      case '!': words = 1000; break;
      default: words ^= 1;
      }
    count[i] = words;
  }
}

TEST_FUNCTION filled(int n, const int *restrict length, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < length[i]; k++)
      for (int j = 0; j < N; j++)
        a[i][j] = a[i][j] > k ? 0 : a[i][j] + k;
    a[i][0] += 1;
  }
}

// The value that a loop leaves is where the next one begins.
TEST_FUNCTION carried(int n, const int *restrict step, long *restrict out) {
  long x = 7;
  for (int i = 0; i < n; i++) {
    while (x % 5 != step[i])
      x = (x * 3 + 1) % 1001 + (x % 2);
    out[i] = x;
    x += i + 1;
  }
  out[n] = x;
}

// The exit leaves two loops, which are executed as one.
TEST_FUNCTION searched(int n, int a[N][N], int *restrict where) {
  for (int k = 0; k < n; k++) {
    where[k] = -1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (a[i][j] == k * 3) {
          where[k] = i * n + j;
          goto found;
        }
  found:;
  }
}

TEST_FUNCTION summed(int n, const unsigned *restrict x, unsigned *restrict sum) {
  unsigned steps = 0, most = 0;
  for (int i = 0; i < n; i++) {
    unsigned value = x[i] % 1000 + 1, count = 0;
    while (value != 1) {
      value = value % 2 ? 3 * value + 1 : value / 2;
      count++;
    }
    steps += count;
    most = most > count ? most : count;
  }
  sum[0] = steps;
  sum[1] = most;
}

// The inner loop has no effect; only the place is used that it is left at. What it would be for each of the two ways out is known.
TEST_FUNCTION last_read(int n, int m, double a[N][N], double *out) {
  double last = 1;
  for (int i = n - 1; i >= 0; i--)
    for (int j = m + 3 - 1; j >= 0 && a[i][i] > 0.5 && j + i - 2 >= 0; j--)
      last = a[N - 1 - j][i % 3];
  out[0] = last;
}

static double a[N][N], b[N][N], v[4 * N], x[N], y[N], re[N], im[N];
static int flag[N], length[N + 1], row[N + 1], col[4 * N], where[N], out[N * N], numbers[2 * N * N];
static long longs[N + 1];

int main(void) {
  FILL(&b[0][0], N * N, 2);
  FILL(v, 4 * N, 3);
  FILL(x, N, 4);
  for (int i = 0; i < N; i++) {
    flag[i] = i * 7 % 4;
    re[i] = -2 + 3.0 * i / N;
    im[i] = -1 + 2.0 * i / N;
  }
  for (int n = 0; n <= N; n = n * 2 + 3) {
    int end = 0;
    for (int i = 0; i <= N; i++) {
      length[i] = i * 5 % 9 - 2 > n ? n : i * 5 % 9 - 2;
      row[i] = end;
      end += i % 3;
    }
    for (int k = 0; k < 4 * N; k++)
      col[k] = k * 11 % N;
    FILL(&a[0][0], N * N, 1);
    FILL(y, N, 5);
    halved((int)hidden(n), a, b);
    SHOW("halved", &a[0][0], N * N);
    escape_time((int)hidden(n), (int)hidden(n), out, re, im);
    for (int i = 0; i < n * n; i++)
      printf(" %d", out[i]);
    printf("\n");
    under_data((int)hidden(n), flag, a, b);
    SHOW("under_data", &a[0][0], N * N);
    under_data((int)hidden(n), flag, a, a);
    SHOW("under_data", &a[0][0], N * N);
    by_row((int)hidden(n), length, a, b);
    SHOW("by_row", &a[0][0], N * N);
    by_row((int)hidden(n), length, a, a);
    SHOW("by_row", &a[0][0], N * N);
    sparse((int)hidden(n), row, col, v, x, y);
    SHOW("sparse", y, N);
    left_early((int)hidden(n), a, b);
    SHOW("left_early", &a[0][0], N * N);
    two_ways_out((int)hidden(n), a, b, where);
    SHOW("two_ways_out", &a[0][0], N * N);
    for (int i = 0; i < n; i++)
      printf(" %d", where[i]);
    printf("\n");
    position((int)hidden(n), a, a[n / 2][n / 3], where, y);
    SHOW("position", y, N);
    for (int i = 0; i < n; i++)
      printf(" %d", where[i]);
    printf("\n");
    int rows[N];
    for (int i = 0; i < N; i++)
      rows[i] = i % 4 < n ? i % 4 : n;
    nested((int)hidden(n), rows, length, a, y);
    SHOW("nested", y, N);
    if (n < 5)
      by_product((int)hidden(n), (int)hidden(n), a, b);
    SHOW("by_product", &a[0][0], N * N);
    for (int i = 0; i < 2 * N * N; i++)
      numbers[i] = i * 17 % 101;
    in_place((int)hidden(n), length, numbers);
    for (int i = 0; i < N * N; i++)
      printf(" %d", numbers[i]);
    printf("\n");
    with_switch((int)hidden(n), (const unsigned char *)"Words. and. Numbers! no more. and more. of them. here!", where);
    for (int i = 0; i < n; i++)
      printf(" %d", where[i]);
    printf("\n");
    filled((int)hidden(n), length, a);
    SHOW("filled", &a[0][0], N * N);
    int step[N];
    for (int i = 0; i < N; i++)
      step[i] = i % 3;
    carried((int)hidden(n), step, longs);
    for (int i = 0; i <= n; i++)
      printf(" %ld", longs[i]);
    printf("\n");
    int square[N][N];
    for (int i = 0; i < N * N; i++)
      square[i / N][i % N] = i * 29 % 71;
    searched((int)hidden(n), square, where);
    for (int i = 0; i < n; i++)
      printf(" %d", where[i]);
    printf("\n");
    unsigned start[N], sum[2];
    for (int i = 0; i < N; i++)
      start[i] = (unsigned)i * 77;
    summed((int)hidden(n), start, sum);
    printf("summed: %u %u\n", sum[0], sum[1]);
    for (int k = -3; k < 3; k++) {
      double last;
      last_read((int)hidden(n), (int)hidden(n / 2 + k), a, &last);
      SHOW("last_read", &last, 1);
    }
  }
  return 0;
}
