// Updates of the same elements in several statements: by one operation, which may change places, and by others, which may not; with reads of the same array in between,
// operands that are the updated element itself, conditions on data, different types of the same memory.
#include "check.h"

#define N 37

// Everything that belongs to a cell is a maximum: the neighbours, what both make together, and all ways to cut between.
TEST_FUNCTION pairs(int n, int table[N][N], int kinds[N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (table[i][j - 1] > table[i][j])
        table[i][j] = table[i][j - 1];
      if (i + 1 < n && table[i + 1][j] > table[i][j])
        table[i][j] = table[i + 1][j];
      if (i + 1 < n && i < j - 1) {
        int both = table[i + 1][j - 1] + (kinds[i] + kinds[j] == 3 ? 1 : 0);
        table[i][j] = table[i][j] >= both ? table[i][j] : both;
      }
      for (int k = i + 1; k < j; k++) {
        int cut = table[i][k] + table[k + 1][j];
        table[i][j] = table[i][j] >= cut ? table[i][j] : cut;
      }
    }
}

// Sums that read what others have summed up, in a triangle.
TEST_FUNCTION sums(int n, uint32_t c[N][N], uint32_t w[N]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      c[i][j] += w[i];
      if (i > 0)
        c[i][j] += c[i - 1][j] * 3;
      for (int k = i; k < j; k++)
        c[i][j] += c[i][k] * w[k];
      if (j > i)
        c[i][j] -= c[i][j - 1];
    }
}

// A sum, a product, and a sum again.
TEST_FUNCTION mixed(int n, uint32_t x[N], uint32_t a[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      x[j] += a[j][i];
    for (int j = 0; j < n; j++)
      x[j] *= a[i][j] | 1;
    for (int j = 0; j < n; j++)
      x[j] += a[i][j];
  }
}

// The operand is the element itself where i equals j, and another one that is updated later or earlier elsewhere.
TEST_FUNCTION own_operand(int n, uint32_t x[N], uint32_t a[N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      x[i] += x[j];
    for (int j = 0; j < n; j++)
      x[j] += a[i] * 5;
  }
}

// A reader stands between the updates of the first and of the second statement.
TEST_FUNCTION read_between(int n, uint32_t x[N], uint32_t a[N][N], uint32_t seen[N]) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      x[i] += a[i][j];
    seen[j] = x[j];
    for (int i = 0; i < n; i++)
      x[i] += a[j][i] * 7;
  }
}

// Set in the middle: what was summed up before does not count any more.
TEST_FUNCTION set_between(int n, uint32_t x[N], uint32_t a[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      x[i] += a[i][j];
      if (i == j)
        x[i] = a[j][i];
      x[i] += a[j][i];
    }
}

// Signed and unsigned maxima of the same numbers are different operations.
TEST_FUNCTION both_signs(int n, uint32_t x[N], uint32_t a[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      x[i] = x[i] > a[i][j] ? x[i] : a[i][j];
      x[i] = (int32_t)x[i] > (int32_t)a[j][i] ? x[i] : a[j][i];
    }
}

// Sums of one and of two elements of the same memory.
TEST_FUNCTION two_widths(int n, uint16_t *x, uint32_t a[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      uint32_t wide;
      x[2 * i] += (uint16_t)a[i][j];
      memcpy(&wide, &x[2 * i], sizeof wide);
      wide += a[j][i];
      memcpy(&x[2 * i], &wide, sizeof wide);
      x[2 * i + 1] += (uint16_t)a[j][i];
    }
}

// Floating-point sums stay in order.
TEST_FUNCTION floating(int n, double x[N], double a[N][N]) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      x[i] += a[i][j];
    for (int i = 0; i < n; i++)
      x[i] += a[j][i] * 1e9;
  }
}

// Which value a later statement gets depends on the branch; only one of the two reads the table.
TEST_FUNCTION from_branches(int n, int32_t best[N][N], int32_t a[N][N]) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) {
      int32_t other;
      if (j < i)
        other = best[i - 1][j] + a[i][j];
      else
        other = a[j][i];
      best[i][j] = best[i][j] > other ? best[i][j] : other;
      for (int k = 0; k < j; k++) {
        int32_t way = best[i][k] + a[k][j];
        best[i][j] = best[i][j] > way ? best[i][j] : way;
      }
    }
}

static int table[N][N], kinds[N];
static uint32_t c[N][N], a[N][N], x[N], seen[N];
static uint16_t narrow[2 * N] __attribute__((aligned(4)));
static int32_t best[N][N], small[N][N];
static double d[N][N], y[N];

static void fill(void) {
  FILL(&c[0][0], N * N, 1);
  FILL(&a[0][0], N * N, 2);
  FILL(x, N, 3);
  FILL(narrow, 2 * N, 4);
  FILL(&d[0][0], N * N, 5);
  FILL(y, N, 6);
  for (int i = 0; i < N; i++) {
    kinds[i] = (i * 7 + i / 3) % 4;
    for (int j = 0; j < N; j++) {
      table[i][j] = (i + j) % 11 == 0;
      best[i][j] = (i * 31 + j * 17) % 23;
      small[i][j] = (i * 13 + j * 29) % 19 - 9;
    }
  }
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 9, 20, N};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    int size = (int)hidden(sizes[s]);
    fill();
    pairs(size, table, kinds);
    SHOW("pairs", &table[0][0], N * N);
    sums(size, c, x);
    SHOW("sums", &c[0][0], N * N);
    mixed(size, x, a);
    SHOW("mixed", x, N);
    own_operand(size, x, seen);
    SHOW("own operand", x, N);
    read_between(size, x, a, seen);
    SHOW("read between", x, N);
    SHOW("seen", seen, N);
    set_between(size, x, a);
    SHOW("set between", x, N);
    both_signs(size, x, a);
    SHOW("both signs", x, N);
    two_widths(size, narrow, a);
    SHOW("two widths", narrow, 2 * N);
    floating(size, y, d);
    SHOW("floating", y, N);
    from_branches(size, best, small);
    SHOW("from branches", &best[0][0], N * N);
  }
  // The table overlaps what is read beside it: the original runs.
  fill();
  pairs((int)hidden(N), table, &table[3][0]);
  SHOW("overlapping", &table[0][0], N * N);
  return 0;
}
