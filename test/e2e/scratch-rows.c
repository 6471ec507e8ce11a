// Rows of memory that every iteration of a loop computes anew, and that the caller sees afterwards:
// recurrences along rows and columns of which each has a row of its own in new code. Tridiagonal
// systems, filters forwards and backwards, distances along columns, sums; scratch rows that are
// longer than what is written, that keep what an iteration before has left, that overlap with
// what is computed; no rows, few, many, of lengths that fill no vector.
// poly: optimizes tridiagonal columns filtered distances splines
#include "check.h"

#define MAX 150

static double A[MAX + 8], B[MAX + 8], C[MAX + 8], D[MAX * MAX + 8], E[MAX * MAX + 8], X[MAX + 8], Y[MAX + 8];
static float F[MAX * MAX + 8], G[MAX + 8];
static int N[MAX * MAX + 8], M[MAX * MAX + 8], K[MAX + 8];

TEST_FUNCTION tridiagonal(int rows, int n, const double *a, const double *b, const double *c, double *d, double *t) {
  for (int r = 0; r < rows; r++) {
    double *x = d + r * n;
    t[0] = c[0] / b[0];
    x[0] /= b[0];
    for (int i = 1; i < n; i++) {
      double q = 1 / (b[i] - a[i] * t[i - 1]);
      t[i] = c[i] * q;
      x[i] = (x[i] - a[i] * x[i - 1]) * q;
    }
    for (int i = n - 2; i >= 0; i--)
      x[i] -= t[i] * x[i + 1];
  }
}

TEST_FUNCTION columns(int m, int n, const double *a, double *d, double *t, double *u) {
  for (int s = 0; s < m; s++) {
    t[0] = 0.25;
    u[0] = d[s];
    for (int i = 1; i < n; i++) {
      t[i] = a[i] / (2 + t[i - 1]);
      u[i] = (d[i * m + s] + u[i - 1]) * t[i];
    }
    for (int i = n - 1; i >= 0; i--)
      d[i * m + s] = u[i] - t[i] * d[i * m + s];
  }
}

TEST_FUNCTION filtered(int h, int w, float *image, float *t, float part) {
  for (int y = 0; y < h; y++) {
    float *r = image + y * w;
    t[0] = r[0];
    for (int x = 1; x < w; x++)
      t[x] = part * r[x] + (1 - part) * t[x - 1];
    r[w - 1] = t[w - 1];
    for (int x = w - 2; x >= 0; x--)
      r[x] = part * t[x] + (1 - part) * r[x + 1];
  }
}

TEST_FUNCTION distances(int h, int w, const int *set, int *d, int *t) {
  for (int x = 0; x < w; x++) {
    t[0] = set[x] > 0 ? 0 : h + w;
    for (int y = 1; y < h; y++)
      t[y] = set[y * w + x] > 0 ? 0 : t[y - 1] + 1;
    for (int y = h - 2; y >= 0; y--) {
      int other = t[y + 1] + 1;
      t[y] = other < t[y] ? other : t[y];
    }
    for (int y = 0; y < h; y++)
      d[y * w + x] = t[y];
  }
}

// The first element of the scratch row is written in front of the loop only.
TEST_FUNCTION splines(int rows, int n, const double *y, double *z, double *u, double step) {
  u[0] = 0.5;
  for (int r = 0; r < rows; r++) {
    const double *from = y + r * n;
    double *to = z + r * n;
    to[0] = 0;
    for (int i = 1; i < n - 1; i++) {
      double p = 0.5 * to[i - 1] + 2;
      to[i] = -0.5 / p;
      u[i] = (6 * (from[i + 1] - 2 * from[i] + from[i - 1]) / step - 0.5 * u[i - 1]) / p;
    }
    to[n - 1] = 0;
    for (int k = n - 2; k >= 0; k--)
      to[k] = to[k] * to[k + 1] + u[k];
  }
}

// What the iteration before has left is read; rows become shorter, so that not all that is written
// is written by the last one; and something is written under conditions.
TEST_FUNCTION left_over(int rows, int n, double *d, double *t) {
  for (int r = 0; r < rows; r++) {
    for (int i = 1; i < n; i++)
      t[i] = 0.5 * t[i - 1] + 0.25 * t[i] + d[r * n + i];
    for (int i = 1; i < n; i++)
      d[r * n + i] -= t[i];
  }
}

TEST_FUNCTION shorter(int rows, int n, double *d, double *t) {
  for (int r = 0; r < rows; r++) {
    t[0] = 1;
    for (int i = 1; i < n - r; i++)
      t[i] = 0.5 * t[i - 1] + d[r * n + i];
    for (int i = 0; i < n - r; i++)
      d[r * n + i] -= t[i];
  }
}

TEST_FUNCTION sometimes(int rows, int n, double *d, double *t) {
  for (int r = 0; r < rows; r++) {
    t[0] = 1;
    for (int i = 1; i < n; i++)
      if (d[r * n + i] > 0)
        t[i] = 0.5 * t[i - 1] + d[r * n + i];
    for (int i = 0; i < n; i++)
      d[r * n + i] -= t[i];
  }
}

static void fill(void) {
  for (int i = 0; i < MAX + 8; i++) {
    A[i] = start_value(i) / 64.0;
    B[i] = 3 + start_value(i + 7) / 64.0;
    C[i] = start_value(i + 3) / 100.0;
    X[i] = start_value(i + 5);
    Y[i] = start_value(i + 9);
    G[i] = (float)start_value(i);
    K[i] = start_value(i);
  }
  for (int i = 0; i < MAX * MAX + 8; i++) {
    D[i] = E[i] = start_value(i) / 8.0;
    F[i] = (float)start_value(i + 1) / 8;
    N[i] = start_value(i);
    M[i] = start_value(i + 2);
  }
}

static double mixed(double sum, double next) { return sum * 0.75 + next; }

static void left(void) {
  double sum = 0;
  for (int i = 0; i < MAX + 8; i++)
    sum = mixed(sum, X[i] + Y[i] + (double)G[i] + K[i]);
  for (int i = 0; i < MAX * MAX + 8; i++)
    sum = mixed(sum, D[i] + E[i] + (double)F[i] + M[i]);
  printf(" %.17g %.17g %.9g %d", sum, X[MAX / 2] + Y[MAX / 3], (double)G[MAX / 2], K[MAX / 2]);
  double all = 0;
  for (int i = 0; i < MAX * MAX + 8; i++)
    all += (D[i] + E[i]) * (1 + i % 7) + (double)F[i] * (1 + i % 5) + M[i] * (1 + i % 3);
  for (int i = 0; i < MAX + 8; i++)
    all += (X[i] + Y[i] + (double)G[i] + K[i]) * (1 + i % 11);
  printf(" %.17g\n", all);
}

int main(void) {
  int sizes[] = {0, 1, 2, 3, 9, 32, 67, 150};
  int count = (int)COUNT(sizes);
  for (int i = 0; i < count; i++)
    for (int j = 1; j < count; j++) {
      int rows = (int)hidden(sizes[i]), n = (int)hidden(sizes[j]);
      printf("%d x %d\n", rows, n);
      fill();
      tridiagonal(rows, n, A, B, C, D, X);
      left();
      columns(rows, n, A, D, X, Y);
      left();
      filtered(rows, n, F, G, 0.375f);
      left();
      distances(n, rows, N, M, K);
      left();
      if (n > 1)
        splines(rows, n, D + 1, E, X, 0.125);
      left();
      left_over(rows, n, D, X);
      shorter(rows, n, D, X);
      sometimes(rows, n, D, Y);
      left();
      // Scratch rows that are a part of what is computed.
      fill();
      tridiagonal(rows, n, A, B, C, D, D + 3);
      columns(rows, n, A, D, X, X + 1);
      filtered(rows, n, F, F + 5, 0.5f);
      distances(n, rows, N, M, M + 2);
      if (n > 1)
        splines(rows, n, D, E, E + 1, 0.5);
      left();
    }
  return 0;
}
