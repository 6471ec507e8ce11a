// Bodies of several statements that depend on each other, at several depths.
// poly: optimizes chain
#include "check.h"

#define N 25

TEST_FUNCTION chain(int n, double *a, double *b, double *c, double *d) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i - 1] + c[i];
    b[i] = a[i] * 0.5 + d[i + 1];
    c[i] = b[i] - a[i - 1];
    d[i] = c[i] * c[i - 1] * 0.125;
  }
}

TEST_FUNCTION depths(int n, double m[N][N], double *v, double *w) {
  for (int i = 0; i < n; i++) {
    v[i] = m[i][0];
    for (int j = 1; j < n; j++) {
      m[i][j] += v[i] * 0.5;
      w[j] = w[j] * 0.5 + m[i][j];
    }
    m[i][0] = w[i] * 0.25;
    for (int j = 0; j < i; j++)
      v[j] += m[i][j] * 0.125;
  }
}

TEST_FUNCTION sequence_of_nests(int n, double a[N][N], double b[N][N], double c[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[i][j] + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j][i] = a[i][j] * 0.5;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = a[i - 1][j] + b[i][n - 1 - j];
  for (int i = 0; i < n; i++)
    a[i][i] = c[i][0];
}

TEST_FUNCTION overwritten(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = a[i] + 2;
    a[i] = b[i] * 3;
    a[n - 1 - i] = a[i] - i;
    b[0] = a[n - 1];
  }
}

static double a[N][N], b[N][N], c[N][N], v[4][N];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 2) {
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(&c[0][0], N * N, 3);
    FILL(&v[0][0], 4 * N, 4);
    chain((int)hidden(n), v[0], v[1], v[2], v[3]);
    SHOW("chain", &v[0][0], 4 * N);
    chain((int)hidden(n), v[0], v[0], v[1], v[1]);
    SHOW("chain", &v[0][0], 4 * N);
    FILL(&v[0][0], 4 * N, 4);
    depths((int)hidden(n), a, v[0], v[1]);
    SHOW("depths", &a[0][0], N * N);
    SHOW("depths", &v[0][0], 4 * N);
    sequence_of_nests((int)hidden(n), a, b, c);
    sequence_of_nests((int)hidden(n), a, a, b);
    SHOW("a", &a[0][0], N * N);
    SHOW("b", &b[0][0], N * N);
    SHOW("c", &c[0][0], N * N);
    overwritten((int)hidden(n), v[2], v[3]);
    SHOW("overwritten", &v[0][0], 4 * N);
    overwritten((int)hidden(n), v[2], v[2]);
    SHOW("overwritten", &v[0][0], 4 * N);
  }
  return 0;
}
