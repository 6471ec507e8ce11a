// Blocks that work on copies of what they touch: with rows of sizes that are known when the program runs, with elements of two sizes, in a loop around, with writes that depend on data, and where arrays overlap.
// poly: optimizes of_any_size integers repeated sparse shifted
#include "check.h"

#define M 37
#define N 90

#define ORTHOGONALIZE(type, part)                                                                                                   \
  for (int k = 0; k < n; k++) {                                                                                                    \
    type norm = 1;                                                                                                                 \
    for (int i = 0; i < m; i++)                                                                                                    \
      norm += a[i][k] * a[i][k];                                                                                                   \
    r[k][k] = norm;                                                                                                                \
    for (int i = 0; i < m; i++)                                                                                                    \
      q[i][k] = a[i][k] * part + r[k][k] * part;                                                                                   \
    for (int j = k + 1; j < n; j++) {                                                                                              \
      r[k][j] = 0;                                                                                                                 \
      for (int i = 0; i < m; i++)                                                                                                  \
        r[k][j] += q[i][k] * a[i][j];                                                                                              \
      for (int i = 0; i < m; i++)                                                                                                  \
        a[i][j] = a[i][j] - q[i][k] * r[k][j] * part;                                                                              \
    }                                                                                                                              \
  }

TEST_FUNCTION of_any_size(int m, int n, double a[restrict m][n], double r[restrict n][n], double q[restrict m][n]) {
  ORTHOGONALIZE(double, 0x1p-14)
}

TEST_FUNCTION integers(int m, int n, uint32_t a[restrict M][N], uint32_t r[restrict N][N], uint32_t q[restrict M][N]) {
  ORTHOGONALIZE(uint32_t, 3)
}

// The blocks of a round are all written back before the next round reads them.
TEST_FUNCTION repeated(int m, int n, int rounds, uint32_t a[restrict M][N], uint32_t r[restrict N][N], uint32_t q[restrict M][N]) {
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = 3 * a[i][j] + q[i][j];
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < m; i++)
        q[i][k] = a[i][k] * 5;
      for (int j = k + 1; j < n; j++) {
        for (int i = 0; i < m; i++)
          r[k][j] += q[i][k] * a[i][j];
        for (int i = 0; i < m; i++)
          a[i][j] = a[i][j] - q[i][k] * r[k][j];
      }
    }
  }
}

// Elements that are written only where data say so are not copied.
TEST_FUNCTION sparse(int m, int n, uint32_t a[restrict M][N], uint32_t r[restrict N][N], uint32_t q[restrict M][N]) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < m; i++)
      q[i][k] = a[i][k] * 5;
    for (int j = k + 1; j < n; j++) {
      for (int i = 0; i < m; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < m; i++)
        if (r[k][j] % 3 != 0)
          a[i][j] = a[i][j] - q[i][k] * r[k][j];
    }
  }
}

// Blocks begin in the middle of lines, and end in front of the ends of rows.
TEST_FUNCTION shifted(int m, int n, double a[M][N + 3], double r[N][N], double q[M][N]) {
  for (int k = 3; k < n; k++) {
    for (int i = 1; i < m; i++)
      q[i - 1][k - 3] = a[i][k + 2] * 0x1p-10;
    for (int j = k + 1; j < n; j++) {
      for (int i = 1; i < m; i++)
        r[k][j] += q[i - 1][k - 3] * a[i][j + 2];
      for (int i = 1; i < m; i++)
        a[i][j + 2] = a[i][j + 2] - q[i - 1][k - 3] * r[k][j];
    }
  }
}

static double a[M * N], r[N * N], q[M * N];
static uint32_t as[M][N], rs[N][N], qs[M][N];
static double mixed[(M + 2) * (N + 3) + N * N + M * N];

static void fill(void) {
  FILL(a, M * N, 1);
  FILL(r, N * N, 2);
  FILL(q, M * N, 3);
  FILL(&as[0][0], M * N, 4);
  FILL(&rs[0][0], N * N, 5);
  FILL(&qs[0][0], M * N, 6);
  FILL(mixed, (int)COUNT(mixed), 7);
}

static void show(int m, int n) {
  of_any_size(m, n, (double(*)[n])a, (double(*)[n])r, (double(*)[n])q);
  SHOW("of_any_size", a, M * N);
  SHOW("of_any_size", r, N * N);
  SHOW("of_any_size", q, M * N);
  integers(m, n, as, rs, qs);
  SHOW("integers", &as[0][0], M * N);
  SHOW("integers", &rs[0][0], N * N);
  SHOW("integers", &qs[0][0], M * N);
  repeated(m, n, 3, as, rs, qs);
  SHOW("repeated", &as[0][0], M * N);
  SHOW("repeated", &rs[0][0], N * N);
  SHOW("repeated", &qs[0][0], M * N);
  sparse(m, n, as, rs, qs);
  SHOW("sparse", &as[0][0], M * N);
  SHOW("sparse", &rs[0][0], N * N);
  SHOW("sparse", &qs[0][0], M * N);
}

int main(void) {
  const int columns[] = {0, 1, 2, 5, 6, 7, 24, 25, 63, 64, 65, 90};
  for (int i = 0; i < (int)COUNT(columns); i++) {
    int n = (int)hidden(columns[i]);
    fill();
    show((int)hidden(n % 2 == 0 ? M : 1 + n % M), n);
    // Apart, and one in the other.
    for (int distance = 0; distance < 2; distance++) {
      fill();
      double *first = mixed, *second = first + (distance == 0 ? M * (N + 3) : 5), *third = mixed + (M + 2) * (N + 3) + N * N - M * N * distance / 2;
      shifted(M, n, (double(*)[N + 3])first, (double(*)[N])second, (double(*)[N])third);
      SHOW("shifted", mixed, (int)COUNT(mixed));
    }
  }
  return 0;
}
