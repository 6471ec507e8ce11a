// Values that go from one statement of an iteration to another, in nests that are to be tiled or interchanged: lives of one scalar or element in another order.
// poly: optimizes taken_out last_is_used cells
#include "check.h"

#define N 67

// What is transposed is overwritten where it was, so the value must be kept.
TEST_FUNCTION taken_out(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = a[i][j];
      a[i][j] = t * 0.5 + 1;
      if (j < i)
        b[j][i] = t;
      c[j][i] = t - 1;
    }
}

// Two values, one of which is made of the other.
TEST_FUNCTION two(int m, int n, float a[restrict m][n], float b[restrict n][m], float c[restrict n][m]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = a[i][j], t = b[j][i];
      a[i][j] = s * 2 + t;
      b[j][i] = t + 0.25f;
      if (i + j < m)
        c[j][i] = s - t;
      if (i - j < n)
        c[j][i] += s + t * 3;
    }
}

// The scalar is used behind the nest: its last value must be that of the last iteration.
TEST_VALUE(double) last_is_used(int n, double a[n][n], double b[n][n]) {
  double t = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      t = a[i][j];
      a[i][j] = t * 0.5 + i;
      if (j != i)
        b[j][i] = t;
    }
  return t;
}

// Elements of memory in the place of scalars, which hold the last values afterwards.
TEST_FUNCTION cells(int n, double a[n][n], double b[n][n], double s[4]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s[0] = a[i][j] * 2;
      if (j < i)
        s[1] = a[i][j] - 1;
      else
        s[1] = 5;
      b[j][i] = s[0] * s[1];
    }
}

// One value goes on to the next iteration: its lives overlap in every other order.
TEST_FUNCTION goes_on(int n, double a[restrict n][n], double b[restrict n][n]) {
  double before = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = a[i][j];
      a[i][j] = t * 0.5 + before;
      if (j < i)
        b[j][i] = t - before;
      before = t;
    }
}

static double a[N * N], b[N * N], c[N * N];
static float f[N * N], g[N * N], h[N * N];

static void run(int m, int n) {
  FILL(a, N * N, 1), FILL(b, N * N, 2), FILL(c, N * N, 3);
  FILL(f, N * N, 4), FILL(g, N * N, 5), FILL(h, N * N, 6);
  taken_out(n, (void *)a, (void *)b, (void *)c);
  SHOW("taken out a", a, N * N), SHOW("taken out b", b, N * N), SHOW("taken out c", c, N * N);
  two(m, n, (void *)f, (void *)g, (void *)h);
  SHOW("two a", f, N * N), SHOW("two b", g, N * N), SHOW("two c", h, N * N);
  printf("last %a\n", last_is_used(n, (void *)a, (void *)b));
  SHOW("last a", a, N * N), SHOW("last b", b, N * N);
  goes_on(n, (void *)a, (void *)c);
  SHOW("goes on", c, N * N);
  double last[4] = {-1, -2, -3, -4};
  cells(n, (void *)a, (void *)b, last);
  SHOW("cells", b, N * N), SHOW("last cells", last, 4);
  // The same memory for what is read and what is written: the original runs.
  last_is_used(n, (void *)a, (void *)a);
  cells(n, (void *)b, (void *)b, &b[3]);
  SHOW("overlapping a", a, N * N), SHOW("overlapping b", b, N * N);
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 1}, {1, 5}, {4, 3}, {33, 64}, {67, 67}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]));
  return 0;
}
