// Columns of matrices whose rows are a power of two apart: their lines compete for few places of a cache, and the model exchanges loops that go along them.
// poly: optimizes triangle
// poly: optimizes identity
// poly: optimizes alternating
// poly: optimizes band
#include "check.h"

#define N 64

static float a[N][N], b[N][N], c[N][N], row[N], weights[N];

// The lower triangle, column by column: the loop inside begins at the one outside.
TEST_FUNCTION triangle(void) {
  for (int j = 0; j < N; j++)
    for (int i = j; i < N; i++)
      a[i][j] = b[i][j] + c[i][j];
}

TEST_FUNCTION identity(void) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      a[j][i] = 0;
    a[i][i] = 1;
  }
}

// Every column has the same recurrence, in one row of memory.
TEST_FUNCTION alternating(void) {
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++) {
      row[j] = 1 - row[j - 1];
      a[j][i] = row[j] + b[j][i] * weights[j];
    }
}

// Both ends of a column depend on its number.
TEST_FUNCTION band(void) {
  for (int j = 0; j < N; j++)
    for (int i = j; i < j + 9 && i < N; i++)
      a[i][j] += b[i][j] * c[i][j];
}

int main(void) {
  FILL(&b[0][0], N * N, 1);
  FILL(&c[0][0], N * N, 7);
  FILL(row, N, 3);
  FILL(weights, N, 5);
  triangle();
  SHOW("triangle", &a[0][0], N * N);
  identity();
  SHOW("identity", &a[0][0], N * N);
  alternating();
  SHOW("alternating", &a[0][0], N * N);
  SHOW("row", row, N);
  band();
  SHOW("band", &a[0][0], N * N);
  return 0;
}
