// Nests below common outer loops, in blocks of one of these: orthogonal columns, eliminations, sums whose terms are results, with sizes around those of blocks.
// poly: optimizes orthogonal orthogonal_float eliminate longest
#include "check.h"

#define M 37
#define N 90

#define DEFINE_ORTHOGONAL(name, type)                                                                                              \
  TEST_FUNCTION name(int m, int n, type a[restrict M][N], type r[restrict N][N], type q[restrict M][N]) {                          \
    for (int k = 0; k < n; k++) {                                                                                                  \
      type norm = 1;                                                                                                               \
      for (int i = 0; i < m; i++)                                                                                                  \
        norm += a[i][k] * a[i][k];                                                                                                 \
      r[k][k] = norm;                                                                                                              \
      for (int i = 0; i < m; i++)                                                                                                  \
        q[i][k] = a[i][k] / r[k][k];                                                                                               \
      for (int j = k + 1; j < n; j++) {                                                                                            \
        r[k][j] = 0;                                                                                                               \
        for (int i = 0; i < m; i++)                                                                                                \
          r[k][j] += q[i][k] * a[i][j];                                                                                            \
        for (int i = 0; i < m; i++)                                                                                                \
          a[i][j] = a[i][j] - q[i][k] * r[k][j];                                                                                   \
      }                                                                                                                            \
    }                                                                                                                              \
  }

DEFINE_ORTHOGONAL(orthogonal, double)
DEFINE_ORTHOGONAL(orthogonal_float, float)

// The multipliers of a column are ready before the columns behind it are changed; the sums of rows are taken of columns that are finished.
TEST_FUNCTION eliminate(int m, int n, double a[restrict M][N], double l[restrict M][N], double s[restrict N]) {
  for (int k = 0; k < m; k++) {
    for (int i = k + 1; i < m; i++)
      l[i][k] = a[i][k] * 0x1p-12;
    for (int j = k; j < n; j++) {
      s[j] = a[k][j];
      for (int i = k + 1; i < m; i++)
        a[i][j] -= l[i][k] * s[j];
    }
  }
}

// Longest chains of pairs, from short intervals to long ones.
TEST_FUNCTION longest(int n, int32_t table[restrict N][N], int8_t *restrict seq) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0)
        table[i][j] = table[i][j] >= table[i][j - 1] ? table[i][j] : table[i][j - 1];
      if (i + 1 < n)
        table[i][j] = table[i][j] >= table[i + 1][j] ? table[i][j] : table[i + 1][j];
      for (int k = i + 1; k < j; k++)
        table[i][j] = table[i][j] >= table[i][k] + table[k + 1][j] ? table[i][j] : table[i][k] + table[k + 1][j];
      if (j - 1 >= 0 && i + 1 < n && i < j - 1) {
        int32_t with = table[i + 1][j - 1] + (seq[i] + seq[j] == 3);
        table[i][j] = table[i][j] >= with ? table[i][j] : with;
      }
    }
}

static double a[M][N], r[N][N], q[M][N], l[M][N], s[N];
static float af[M][N], rf[N][N], qf[M][N];
static int32_t table[N][N];
static int8_t seq[N];

static void fill(void) {
  FILL(&a[0][0], M * N, 1);
  FILL(&r[0][0], N * N, 2);
  FILL(&q[0][0], M * N, 3);
  FILL(&l[0][0], M * N, 4);
  FILL(s, N, 5);
  FILL(&af[0][0], M * N, 6);
  FILL(&rf[0][0], N * N, 7);
  FILL(&qf[0][0], M * N, 8);
}

static void show(int rows, int columns) {
  orthogonal(rows, columns, a, r, q);
  SHOW("orthogonal", &r[0][0], N * N);
  SHOW("orthogonal", &q[0][0], M * N);
  orthogonal_float(rows, columns, af, rf, qf);
  SHOW("orthogonal_float", &rf[0][0], N * N);
  FILL(&a[0][0], M * N, 9);
  eliminate(rows, columns, a, l, s);
  SHOW("eliminate", &a[0][0], M * N);
  SHOW("eliminate", &l[0][0], M * N);
  SHOW("eliminate", s, N);
}

int main(void) {
  const int columns[] = {0, 1, 2, 7, 24, 25, 63, 90};
  for (int i = 0; i < (int)COUNT(columns); i++) {
    int n = (int)hidden(columns[i]);
    fill();
    show((int)hidden(n % 2 == 0 ? M : 1 + n % M), n);
    memset(table, 0, sizeof table);
    for (int j = 0; j < N; j++)
      seq[j] = (int8_t)((j * j + j / 3) % 4);
    longest(n, table, seq);
    SHOW("longest", &table[0][0], N * N);
  }
  return 0;
}
