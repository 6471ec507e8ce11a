// Pointers and numbers that change places in every iteration of a loop over time.
// poly: optimizes line
// poly: optimizes plane
// poly: optimizes three
// poly: optimizes by_number
// poly: optimizes by_bit
// poly: optimizes constant_steps
// poly: optimizes two_pairs
// poly: optimizes then_copied
#include "check.h"

#define N 40

// What the pointers are at the end is seen.
TEST_VALUE(double *) line(int t, int n, double *a, double *b) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
    double *c = a;
    a = b;
    b = c;
  }
  return a;
}

TEST_FUNCTION plane(int t, int n, double (*a)[N], double (*b)[N]) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    double(*c)[N] = a;
    a = b;
    b = c;
  }
}

// Three time steps, as a wave needs them.
TEST_VALUE(double *) three(int t, int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      c[i] = 2 * b[i] - a[i] + 0.1 * (b[i - 1] - 2 * b[i] + b[i + 1]);
    double *x = a;
    a = b;
    b = c;
    c = x;
  }
  return b;
}

TEST_VALUE(int) by_number(int t, int n, double (*restrict a)[N]) {
  int now = 0, next = 1;
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      a[next][i] = 0.3 * (a[now][i - 1] + a[now][i] + a[now][i + 1]);
    int x = now;
    now = next;
    next = x;
  }
  return now;
}

TEST_VALUE(int) by_bit(int t, int n, double (*restrict a)[N]) {
  int now = 0;
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      a[1 - now][i] = 0.3 * (a[now][i - 1] + a[now][i] + a[now][i + 1]);
    now = 1 - now;
  }
  return now;
}

TEST_FUNCTION constant_steps(int n, double *restrict a, double *restrict b) {
  for (int k = 0; k < 7; k++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + 0.5 * a[i + 1];
    double *c = a;
    a = b;
    b = c;
  }
}

TEST_FUNCTION two_pairs(long first, long last, int n, float *restrict a, float *restrict b, float *restrict c,
                        float *restrict d) {
  for (long k = first; k < last; k += 3) {
    for (int i = 1; i < n; i++)
      b[i] = a[i - 1] - 0.25f * c[i];
    for (int i = 1; i < n; i++)
      d[i] = c[i] + 0.5f * b[i] + (float)k;
    float *x = a, *y = c;
    a = b;
    b = x;
    c = d;
    d = y;
  }
}

// The arrays are in their places behind the loop.
TEST_FUNCTION then_copied(int t, int n, double *restrict a, double *restrict b, double *restrict out) {
  for (int k = 0; k < t; k++) {
    for (int i = 0; i < n; i++)
      b[i] = a[n - 1 - i] * 0.75;
    double *c = a;
    a = b;
    b = c;
  }
  for (int i = 0; i < n; i++)
    out[i] = a[i] - 2 * b[i];
}

// How often the loop runs depends on data.
TEST_VALUE(int) until_small(int n, double *a, double *b) {
  double most = 100;
  int steps = 0;
  while (most > 0.5 && steps < 50) {
    most = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
      double change = b[i] > a[i] ? b[i] - a[i] : a[i] - b[i];
      most = change > most ? change : most;
    }
    double *c = a;
    a = b;
    b = c;
    steps++;
  }
  return steps;
}

static double x[4][N], y[4][N], planes[2][N][N];
static float f[4][N];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + (n < 5))
    for (int t = 0; t < 9; t += 1 + (t > 4)) {
      FILL(&x[0][0], 4 * N, n + t);
      FILL(&y[0][0], 4 * N, t);
      FILL(&f[0][0], 4 * N, t);
      FILL(&planes[0][0][0], 2 * N * N, n);
      printf("%d\n", (int)(line((int)hidden(t), (int)hidden(n), x[0], x[1]) - x[0]));
      SHOW("line", &x[0][0], 2 * N);
      // Both are the same, or have elements in common.
      printf("%d\n", (int)(line((int)hidden(t), (int)hidden(n), x[0], x[0]) - x[0]));
      printf("%d\n", (int)(line((int)hidden(t), (int)hidden(n), x[1], x[1] + 7) - x[0]));
      SHOW("line", &x[0][0], 4 * N);
      plane((int)hidden(t), (int)hidden(n), planes[0], planes[1]);
      SHOW("plane", &planes[0][0][0], 2 * N * N);
      plane((int)hidden(t), (int)hidden(n / 2), planes[0], planes[0] + 3);
      SHOW("plane", &planes[0][0][0], 2 * N * N);
      printf("%d\n", (int)(three((int)hidden(t), (int)hidden(n), x[0], x[1], x[2]) - x[0]));
      SHOW("three", &x[0][0], 4 * N);
      printf("%d\n", by_number((int)hidden(t), (int)hidden(n), y));
      SHOW("by_number", &y[0][0], 4 * N);
      printf("%d\n", by_bit((int)hidden(t), (int)hidden(n), y + 1));
      SHOW("by_bit", &y[0][0], 4 * N);
      constant_steps((int)hidden(n), y[0], y[3]);
      SHOW("constant_steps", &y[0][0], 4 * N);
      two_pairs(hidden(t - 4), hidden(2 * t), (int)hidden(n), f[0], f[1], f[2], f[3]);
      SHOW("two_pairs", &f[0][0], 4 * N);
      then_copied((int)hidden(t), (int)hidden(n), x[0], x[1], y[0]);
      SHOW("then_copied", &y[0][0], N);
      printf("%d\n", until_small((int)hidden(n), x[1], x[3]));
      SHOW("until_small", &x[0][0], 4 * N);
    }
  return 0;
}
