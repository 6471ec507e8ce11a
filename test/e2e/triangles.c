// Triangular and trapezoidal domains, with and without a diagonal, in two and three dimensions.
// poly: optimizes lower upper
#include "check.h"

#define N 32

TEST_FUNCTION lower(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i][j] = a[i][j] * 0.5 + i * j;
}

TEST_FUNCTION upper(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      a[i][j] += b[j][i] * 2;
}

TEST_FUNCTION trapezoid(int n, int m, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < i + m; j++)
      a[i][j % N] += 0.5; // wraps around where i + m exceeds N
}

TEST_FUNCTION trapezoid_plain(int n, int m, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 2 * i + 1; j < 3 * i + m; j++)
      a[j] = a[j] * 0.5 + i;
}

TEST_FUNCTION tetrahedron(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++)
        a[i][k] += b[j][k] * 0.5 + b[i][j];
}

TEST_FUNCTION mirrored(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j][i] = a[i][j];
}

TEST_FUNCTION in_place_inverse(int n, double a[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++) {
      double sum = 0;
      for (int k = j; k < i; k++)
        sum += a[i][k] * a[k][j];
      a[i][j] = -sum * 0.5;
    }
}

static double a[N][N], b[N][N], line[400];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 1) {
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(line, 400, 3);
    int h = (int)hidden(n);
    lower(h, a);
    SHOW("lower", &a[0][0], N * N);
    upper(h, a, b);
    upper(h, a, a);
    SHOW("upper", &a[0][0], N * N);
    trapezoid(h, h / 2, a);
    SHOW("trapezoid", &a[0][0], N * N);
    trapezoid_plain(h, (int)hidden(7), line);
    trapezoid_plain(h, (int)hidden(-7), line);
    SHOW("trapezoid_plain", line, 400);
    tetrahedron(h, a, b);
    SHOW("tetrahedron", &a[0][0], N * N);
    mirrored(h, a);
    SHOW("mirrored", &a[0][0], N * N);
    for (int i = 0; i < N * N; i++)
      (&b[0][0])[i] *= 0.125;
    in_place_inverse(h, b);
    SHOW("in_place_inverse", &b[0][0], N * N);
  }
  return 0;
}
