// Branches that depend on data: the statement with the branch is modelled as one that may write; the loops around it are still reordered.
// poly: optimizes one_branch with_else nested short_circuit guarded_access joined_value chosen_twice one_after_another conditional_sum
// poly: optimizes inner_join
#include "check.h"

enum { N = 23 };
static double a[N][N], b[N][N], c[N][N];
static int u[N * N], v[N * N], w[N * N];

TEST_FUNCTION one_branch(int n, double x[N][N], double y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (x[j][i] > 0)
        y[i][j] += x[j][i];
}

TEST_FUNCTION with_else(int n, double x[N][N], double y[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (x[i][j] > y[i][j])
        y[i][j] = x[i][j] * 0.5;
      else
        x[i][j] = y[i][j] - 1;
}

TEST_FUNCTION nested(int n, int *x, int *y, int *z) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 3) {
      y[i] = x[i] * 3;
      if (y[i] % 2 == 0)
        z[i] = y[i] / 2;
      else if (y[i] > 50)
        z[i] -= 7;
    } else {
      z[i] += 1;
    }
  }
}

TEST_FUNCTION short_circuit(int n, int *x, int *y, int *z) {
  for (int i = 1; i < n; i++)
    if ((x[i] > 3 && y[i - 1] < 20) || z[i] == 7)
      z[i] = x[i] + y[i - 1];
}

// The access is only valid, and the division only defined, where the condition holds.
TEST_FUNCTION guarded_access(int n, int m, const int *restrict x, int *restrict y, int *restrict z) {
  for (int i = 0; i < n; i++)
    if (x[i] != 0 && x[i] < m && x[i] > -m)
      z[i] = 1000 / x[i] + y[x[i] < 0 ? -x[i] : x[i]];
}

TEST_FUNCTION joined_value(int n, double x[N][N], double y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = 1;
      if (x[i][j] > 0) {
        if (x[i][j] > 3)
          t = y[i][j];
        else
          y[i][j] = 2;
      }
      x[i][j] = t;
    }
}

TEST_FUNCTION chosen_twice(int n, double x[N][N], double y[N][N], double z[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0, t = 0;
      if (x[i][j] > 0)
        s = y[i][j];
      if (s > 1)
        t = z[i][j] + s;
      y[i][j] = t;
      if (t < 0)
        z[i][j] = s;
    }
}

TEST_FUNCTION one_after_another(int n, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 0)
      y[i] += 1;
    if (y[i] > 0)
      x[i] -= 1;
  }
  for (int i = 0; i < n; i++)
    if (x[n - 1 - i] < 0)
      y[i] *= 0.5;
}

TEST_VALUE(int) conditional_sum(int n, const int *x, int *y) {
  int sum = 0, last = -1;
  for (int i = 0; i < n; i++)
    if (x[i] > 2) {
      sum += x[i];
      last = i;
      y[i] = sum;
    }
  return sum * 1000 + last;
}

// The join of the branch on data is also the join of an affine one.
TEST_FUNCTION inner_join(int n, int m, double x[N][N], double y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = x[i][j];
      if (i + j < m) {
        if (y[i][j] > 0)
          t = y[i][j] + 1;
      }
      y[i][j] = t;
    }
}

int main(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  for (int i = 0; i < N * N; i++) {
    u[i] = start_value(i);
    v[i] = start_value(i + 5);
    w[i] = start_value(i + 50) / 7;
  }
  for (int n = 0; n <= N; n += 11) {
    int size = (int)hidden(n);
    one_branch(size, a, b);
    with_else(size, b, c);
    joined_value(size, c, a);
    chosen_twice(size, a, b, c);
    inner_join(size, (int)hidden(n + 3), a, b);
    one_after_another(size * size, &a[0][0], &b[0][0]);
    SHOW("a", &a[0][0], N * N);
    // One array under both names.
    one_branch(size, a, a);
    with_else(size, b, b);
    joined_value(size, c, c);
    nested(size, u, v, w);
    short_circuit(size, v, u, w);
    guarded_access(size, N, w, v, u);
    printf("%d\n", conditional_sum(size * size, v, w));
    nested(size, u, u, u);
    printf("%d\n", conditional_sum(size, u, u));
  }
  SHOW("a", &a[0][0], N * N);
  SHOW("b", &b[0][0], N * N);
  SHOW("c", &c[0][0], N * N);
  SHOW("u", u, N * N);
  SHOW("v", v, N * N);
  SHOW("w", w, N * N);
  return 0;
}
