// Short loops that become parts of neighbouring nests which threads share, before and after them; and loops that must not.
#include "check.h"

#define N 67

// Initialization and division of sums of columns.
TEST_FUNCTION means(int n, int m, double x[N][N], double *restrict mean) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += x[i][j];
    mean[j] /= 7;
  }
}

// Diagonals before and after rows: the first is overwritten in part, the second reads what rows have written.
TEST_FUNCTION diagonals(int n, int m, double x[N][N], double *restrict trace) {
  for (int i = 0; i < n; i++)
    x[i][i] = 1;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < m; j++)
      x[i][j] = x[i][j] * 0.5 + i;
  for (int i = 0; i < n; i++)
    trace[i] = x[i][i] + x[i][m - 1];
}

// The first loop has more iterations than the rows after it, the last one fewer, and is for other rows.
TEST_FUNCTION lengths(int n, int m, double x[N][N], double *restrict r, double *restrict s) {
  for (int i = 0; i < m; i++)
    r[i] = i * 0.25;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] += r[i];
  for (int i = 2; i < n; i++)
    s[i] = x[i][3] - r[i - 2];
}

// What is read was written for another row, above or below, or in the last row: no part of the rows.
TEST_FUNCTION others(int n, int m, double x[N][N], double *restrict r, double *restrict s, double *restrict t) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = x[i][j] * 3 + j;
  for (int i = 0; i + 1 < n; i++)
    r[i] = x[i + 1][2];
  for (int i = 1; i < n; i++)
    s[i] = x[n - i][1];
  for (int i = 0; i < n; i++)
    t[i] = x[n - 1][i];
}

// The loop overwrites what rows that come later would read.
TEST_FUNCTION overwritten(int n, int m, double x[N][N], double y[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i][j] = x[j][i] + x[i][0];
  for (int i = 0; i < n; i++)
    x[i][0] = i;
}

// Sums of integers, in any order: loops of updates of what the rows update.
TEST_FUNCTION sums(int n, int m, int x[N][N], int *restrict s) {
  for (int j = 0; j < m; j++)
    s[j] += 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[j] += x[i][j];
  for (int i = 0; i < n; i++)
    s[0] += x[i][i];
}

static double a[N][N], b[N][N], c[N][N];
static int p[N][N], q[N];

#define OUTPUT(label, array) SHOW(label, &array[0][0], N * N)

static void run(int n, int m) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  FILL(&p[0][0], N * N, 4);
  FILL(q, N, 5);
  means(n, m, a, c[0]);
  diagonals(n, m, b, c[1]);
  OUTPUT("diagonals", b);
  lengths(n, m, b, c[2], c[3]);
  OUTPUT("lengths", b);
  others(n, m, a, c[4], c[5], c[6]);
  OUTPUT("others", c);
  overwritten(n, m, a, b);
  OUTPUT("overwritten", a);
  OUTPUT("overwritten", b);
  sums(n, m, p, q);
  SHOW("sums", q, N);
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 1}, {4, 7}, {8, 8}, {9, 16}, {16, 15}, {31, 33}, {67, 67}, {66, 5}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]));
  return 0;
}
