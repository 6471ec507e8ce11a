// Recurrences along two loops over tables of pointers to rows, which lie anywhere: each lane has a pointer of its own. Rows
// are in any order in memory, with gaps or without; some overlap, where the original must run.
// poly: optimizes edit sweep three upwards
#include "check.h"
#include "pages.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

TEST_FUNCTION edit(int n, int m, const char *a, const char *b, int **d) {
  for (int i = 0; i < n; i++)
    d[i][0] = i;
  for (int j = 0; j < m; j++)
    d[0][j] = j;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int cost = a[i - 1] == b[j - 1] ? 0 : 1;
      int least = MIN(d[i - 1][j] + 1, d[i][j - 1] + 1);
      d[i][j] = MIN(least, d[i - 1][j - 1] + cost);
    }
}

TEST_FUNCTION common(int n, int m, const char *a, const char *b, int **t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i - 1] == b[j - 1])
        t[i][j] = t[i - 1][j - 1] + 1;
      else
        t[i][j] = MAX(t[i - 1][j], t[i][j - 1]);
    }
}

// New values above and to the left, old ones below and to the right.
TEST_FUNCTION sweep(int n, int m, double **u) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

// A table of rows beside matrices.
TEST_FUNCTION three(int n, int m, const float *restrict c, float *restrict e, float **f) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      e[i * m + j] = 0.5f * e[i * m + j - 1] + f[i - 1][j - 1];
      f[i][j] = c[i * m + j] + MAX(f[i - 1][j], f[i][j - 1]) - e[(i - 1) * m + j];
    }
}

TEST_FUNCTION upwards(int n, int m, const int *restrict c, int **d) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = m - 2; j >= 0; j--)
      d[i][j] = c[i * m + j] + MAX(d[i + 1][j], d[i][j + 1]) - (d[i + 1][j + 1] & 0xfff);
}

#undef FILL
#define FILL(name, count, seed)                                                                                                    \
  for (size_t at = 0; at < (count); at++)                                                                                          \
  (name)[at] = (__typeof__(*(name)))(start_value((int64_t)at + (seed)) * 3 / 4)

// Rows in an order that the seed decides, so many elements apart.
#define ROWS(type, name, memory, apart, seed)                                                                                      \
  ARRAY(type, memory, (size_t)n *(size_t)(apart) + (size_t)m, seed);                                                               \
  type **name = malloc(sizeof(type *) * (size_t)n);                                                                                \
  for (int i = 0; i < n; i++)                                                                                                      \
  name[i] = memory + (size_t)((i * 7 + (seed)) % n * (n % 7 != 0) + i * (n % 7 == 0)) * (size_t)(apart)

static void run(int n, int m, int at_end, int apart) {
  size_t rows = (size_t)n, columns = (size_t)m, count = rows * columns, all = rows * (size_t)apart + columns;
  ARRAY(char, a, rows, 1);
  ARRAY(char, b, columns, 2);
  for (int i = 0; i < n; i++)
    a[i] &= 3;
  for (int j = 0; j < m; j++)
    b[j] &= 3;
  ROWS(int, d, dm, apart, 3);
  edit(n, m, a, b, d);
  SUM("edit", dm, all);
  common(n, m, a, b, d);
  SUM("common", dm, all);
  ARRAY(int, c, count, 4);
  upwards(n, m, c, d);
  SUM("upwards", dm, all);
  ROWS(double, u, um, apart, 5);
  sweep(n, m, u);
  SUM("sweep", um, all);
  ARRAY(float, fc, count, 6);
  ARRAY(float, fe, count, 7);
  ROWS(float, f, fm, apart, 8);
  three(n, m, fc, fe, f);
  SUM("three", fm, all);
  SUM("three", fe, count);
  free(d);
  free(u);
  free(f);
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8, 9, 17, 18, 34, 65, 130};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t j = 0; j < COUNT(sizes); j++) {
      int n = (int)hidden(sizes[i]), m = (int)hidden(sizes[j]);
      run(n, m, (int)(i + j) % 2, m + (int)(i % 3));
      if (m > 2)
        run(n, m, 1, m - 2);
    }
  return 0;
}
