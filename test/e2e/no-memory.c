// Factors that are stored the other way round are copied to a buffer, as are blocks of columns that other loops pass over, a scalar that is set in every iteration gets memory for each of its lives, and of an image that is read a few rows later some rows are kept. Without memory for them the loops
// run all the same.
// poly: optimizes transposed symmetric sum_in_between in_blocks smoothed
#include "check.h"
#include <sys/resource.h>

#define N 130

TEST_FUNCTION transposed(int n, int l, double c[restrict N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[j][k];
}

TEST_FUNCTION symmetric(int n, int l, double c[restrict N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[j][k] + b[i][k] * a[j][k];
}

// The factor changes between two products: each makes its own copy.
TEST_FUNCTION twice(int n, double c[restrict N][N], double a[N][N], double b[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[j][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] *= 0.25;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[j][k];
}

TEST_FUNCTION sum_in_between(int m, int n, double c[restrict N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        c[k][j] += 1.5 * b[i][j] * a[i][k];
        sum += b[k][j] * a[i][k];
      }
      c[i][j] = 0.75 * c[i][j] + b[i][j] * a[i][i] + 1.5 * sum;
    }
}

TEST_FUNCTION in_blocks(int m, int n, double c[restrict N][N], double a[restrict N][N], double b[restrict N][N]) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < m; i++)
      b[i][k] = a[i][k] * 0x1p-10;
    for (int j = k + 1; j < n; j++) {
      for (int i = 0; i < m; i++)
        c[k][j] += b[i][k] * a[i][j];
      for (int i = 0; i < m; i++)
        a[i][j] = a[i][j] - b[i][k] * c[k][j];
    }
  }
}

TEST_FUNCTION smoothed(int m, int n, double c[restrict N][N], double a[restrict N][N]) {
  static double rows[N][N];
  for (int i = 0; i < m; i++)
    for (int j = 1; j < n - 1; j++)
      rows[i][j] = a[i][j - 1] + 2 * a[i][j] + a[i][j + 1];
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < n - 1; j++)
      c[i][j] = rows[i - 1][j] + 2 * rows[i][j] + rows[i + 1][j];
}

static double a[N][N], b[N][N], c[N][N], d[N][N], e[N][N], f[N][N], g[N][N], h[N][N], k[N][N];

static void run(int n, int l) {
  FILL(&a[0][0], N * N, 1), FILL(&b[0][0], N * N, 2), FILL(&c[0][0], N * N, 3), FILL(&d[0][0], N * N, 4), FILL(&e[0][0], N * N, 5);
  FILL(&f[0][0], N * N, 6), FILL(&g[0][0], N * N, 7), FILL(&h[0][0], N * N, 8);
  transposed(n, l, c, a, b);
  symmetric(n, l, d, a, b);
  twice(n, e, a, b);
  in_blocks(l, n, f, g, h);
  smoothed(n, l, k, a);
}

static void show(void) {
  SHOW("transposed", &c[0][0], N * N);
  SHOW("symmetric", &d[0][0], N * N);
  SHOW("twice", &e[0][0], N * N);
  SHOW("in_blocks", &f[0][0], N * N);
  SHOW("in_blocks", &g[0][0], N * N);
  SHOW("smoothed", &k[0][0], N * N);
}

// There in programs that run threads: their runtime does not survive without memory.
extern void __kmpc_fork_call(void) __attribute__((weak));

// Takes all memory that can be had, in blocks that form a list.
static void **take_all(void) {
  void **taken = NULL;
  for (size_t bytes = 1 << 20; bytes >= sizeof(void *); bytes /= 2)
    for (void **block; (block = malloc(bytes)) != NULL; taken = block)
      *block = taken;
  return taken;
}

int main(void) {
  static const int sizes[][2] = {{3, 2}, {17, 40}, {64, 64}, {97, 129}, {130, 130}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1])), show();
  fflush(stdout);
  struct rlimit limit, none;
  if (getrlimit(RLIMIT_AS, &limit) != 0)
    return 2;
  none = limit;
  if (&__kmpc_fork_call == NULL)
    none.rlim_cur = 0;
  if (setrlimit(RLIMIT_AS, &none) != 0)
    return 2;
  void **taken = none.rlim_cur == 0 ? take_all() : NULL;
  run((int)hidden(121), (int)hidden(99));
  if (setrlimit(RLIMIT_AS, &limit) != 0)
    return 2;
  while (taken != NULL) {
    void **next = *taken;
    free(taken);
    taken = next;
  }
  show();
  return 0;
}
