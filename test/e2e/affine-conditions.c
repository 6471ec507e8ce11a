// Branches on affine conditions: inequalities, equalities, remainders, and, or, else.
// poly: optimizes quadrants
#include "check.h"

#define N 30

TEST_FUNCTION quadrants(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i < j)
        a[i][j] = a[i][j] * 0.5 + 1;
      else if (i + j < n)
        a[i][j] = a[i][j] * 2 - 3;
      else
        a[i][j] -= 0.25;
    }
}

TEST_FUNCTION diagonal(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i == j)
        a[i][j] = 1;
      else if (i != j + 2)
        a[i][j] = b[j][i];
}

TEST_FUNCTION remainders(int n, int k, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if ((i + j) % 3 == 0)
        a[i][j] += 1;
      if (i % 2 == 1 && j % 5 != 2)
        a[i][j] *= 0.5;
      if (i < k || j > k)
        a[i][j] -= 2;
    }
}

TEST_FUNCTION outer_guard(int n, int k, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    if (i > k)
      for (int j = 0; j < n; j++)
        a[i][j] = a[k < 0 ? 0 : k][j] + i;
    if (k > 5)
      a[i][0] = k;
  }
}

TEST_FUNCTION guarded_subscript(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      if (i > 0)
        sum += a[i - 1][j];
      if (j > 0)
        sum += a[i][j - 1];
      if (i < n - 1)
        sum += a[i + 1][j];
      a[i][j] = sum * 0.25;
    }
}

static double a[N][N], b[N][N];

int main(void) {
  FILL(&b[0][0], N * N, 2);
  for (int n = 0; n <= N; n = n * 2 + 2)
    for (int k = -3; k < 40; k += 9) {
      FILL(&a[0][0], N * N, 1);
      quadrants((int)hidden(n), a);
      SHOW("quadrants", &a[0][0], N * N);
      diagonal((int)hidden(n), a, b);
      SHOW("diagonal", &a[0][0], N * N);
      diagonal((int)hidden(n), a, a);
      remainders((int)hidden(n), (int)hidden(k), a);
      SHOW("remainders", &a[0][0], N * N);
      if (k < N)
        outer_guard((int)hidden(n), (int)hidden(k), a);
      SHOW("outer_guard", &a[0][0], N * N);
      guarded_subscript((int)hidden(n), a);
      SHOW("guarded_subscript", &a[0][0], N * N);
    }
  return 0;
}
