// Sums, products, minima, maxima and bit operations of unsigned integers whose updates may change their order: through matrices the wrong way round,
// with readers and writers of the same element before, between and behind, and histograms.
#include "check.h"

#define N 37

TEST_VALUE(uint32_t) by_columns(int n, int m, uint32_t a[N][N]) {
  uint32_t s = 7;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      s += a[i][j] * 3;
  return s;
}

TEST_FUNCTION into_memory(int n, int m, uint64_t a[N][N], uint64_t *s) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      s[0] += a[i][j];
      s[1] ^= a[i][j] << 1;
      s[2] *= a[i][j] | 1;
      s[3] -= a[i][j];
      s[4] &= a[i][j] | 12;
      s[5] |= a[i][j] & 9;
    }
}

TEST_FUNCTION of_rows(int n, int m, uint32_t a[N][N], uint32_t *rows, uint32_t *columns) {
  for (int j = 0; j < m; j++) {
    columns[j] = 1;
    for (int i = 0; i < n; i++) {
      rows[i] += a[i][j];
      columns[j] *= a[i][j] + 2;
    }
  }
}

TEST_FUNCTION smallest_and_largest(int n, int m, uint32_t a[N][N], int b[N][N], uint32_t *least, int *most) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      least[0] = a[i][j] < least[0] ? a[i][j] : least[0];
      most[j] = b[i][j] > most[j] ? b[i][j] : most[j];
    }
}

TEST_FUNCTION prefix(int n, uint32_t *a, uint32_t *s, uint32_t *seen) {
  for (int i = 0; i < n; i++) {
    s[0] += a[i];
    seen[i] = s[0];
  }
}

TEST_FUNCTION read_between(int n, int m, uint32_t a[N][N], uint32_t *s, uint32_t *seen) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      s[0] += a[j][i];
    seen[i] = s[0];
    s[0] = s[0] * 5 + 1;
  }
}

TEST_FUNCTION two_sums_of_one(int n, int m, uint32_t a[N][N], uint32_t *s) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      s[i] += a[i][j];
      s[j] *= 3;
    }
}

TEST_FUNCTION histogram(int n, uint32_t a[N][N], uint32_t *h) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      h[(i + 2 * j) % 8] += a[j][i];
}

TEST_FUNCTION feeds_itself(int n, uint32_t *x, uint32_t a[N][N]) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] += x[j] * a[j][i];
}

TEST_FUNCTION product(int n, uint32_t a[N][N], uint32_t b[N][N], uint32_t c[N][N]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        c[i][j] += a[i][k] * b[k][j];
}

static uint32_t a[N][N], b[N][N], c[N][N], line[N], other[N], seen[N];
static uint64_t w[N][N], s[6];
static int d[N][N], most[N];

int main(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  FILL(&w[0][0], N * N, 4);
  FILL(&d[0][0], N * N, 5);
  FILL(s, 6, 6);
  FILL(line, N, 7);
  FILL(other, N, 8);
  FILL(most, N, 9);
  for (int n = 1; n <= N; n = n * 2 + 3)
    for (int m = 0; m <= N; m = m * 3 + 4) {
      int rows = (int)hidden(n), columns = (int)hidden(m);
      printf("%u\n", by_columns(rows, columns, a));
      into_memory(rows, columns, w, s);
      SHOW("memory", s, 6);
      of_rows(rows, columns, a, line, other);
      SHOW("rows", line, N);
      SHOW("columns", other, N);
      smallest_and_largest(rows, columns, b, d, line, most);
      SHOW("smallest", line, N);
      SHOW("largest", most, N);
      prefix(rows, line, other, seen);
      SHOW("prefix", seen, N);
      read_between(rows, columns, a, other, seen);
      SHOW("between", seen, N);
      two_sums_of_one(rows, columns, a, line);
      SHOW("two", line, N);
      histogram(rows, b, other);
      SHOW("histogram", other, N);
      feeds_itself(rows, line, a);
      SHOW("feeds", line, N);
      product(rows, a, b, c);
      SHOW("product", &c[0][0], N * N);
    }
  return 0;
}
