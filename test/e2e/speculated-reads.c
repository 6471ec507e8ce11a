// Reads that data decide about happen always where other instances access their elements anyway, and only there: what follows
// the elements that are sure to be accessed is memory that nobody may touch.
// poly: optimizes closure masked_minimum beyond_the_table beyond_the_rows divided chosen
#include "pages.h"

// Every element is read by some instance, whatever the others contain.
TEST_FUNCTION closure(int n, unsigned char *r) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        r[i * n + j] = r[i * n + j] || (r[i * n + k] && r[k * n + j]);
}

TEST_FUNCTION masked_minimum(int n, int m, const int *mask, const float *a, float *low) {
  for (int i = 0; i < n; i++)
    low[i] = a[i * m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      low[i] = mask[j] && a[i * m + j] < low[i] ? a[i * m + j] : low[i];
}

// The table has as many elements as `flag` says that it has; the others are on a page that cannot be read.
TEST_FUNCTION beyond_the_table(int n, int m, const unsigned char *flag, const int *table, int *x) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      x[j * n + i] = flag[i] && table[i] > x[j * n + i] ? 1 : x[j * n + i];
}

// The first rows are sure to be read, the others are not there.
TEST_FUNCTION beyond_the_rows(int n, int m, int rows, const unsigned char *flag, const short *table, short *x) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = table[i * m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = flag[i] && table[i * m + j] > 3 ? 7 : x[i * m + j];
}

// What is computed from the read must not be computed where the condition is false.
TEST_FUNCTION divided(int n, int m, const int *by, int *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = by[j] != 0 && x[i * m + j] / by[j] > 2 ? by[j] : x[i * m + j];
}

// Branches in branches, one of them with a write.
TEST_FUNCTION chosen(int n, int m, const int *a, const int *b, int *x, int *count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      x[i * m + j] += b[j];
      if (a[i * m + j] > 0 && (b[j] > 5 || a[i * m + j] < b[j]))
        count[j]++;
    }
}

static void run(int n, int m, int at_end) {
  ARRAY(unsigned char, r, (size_t)n * n, 3);
  for (int i = 0; i < n * n; i++)
    r[i] = r[i] % 7 == 1;
  closure(n, r);
  SUM("closure", r, (size_t)n * n);

  ARRAY(int, mask, m, 5);
  ARRAY(float, a, (size_t)n * m, 7);
  ARRAY(float, low, n, 1);
  for (int j = 0; j < m; j++)
    mask[j] &= 1;
  masked_minimum(n, m, mask, a, low);
  SUM("masked_minimum", low, n);

  int known = n / 2;
  ARRAY(unsigned char, flag, n, 9);
  ARRAY(int, table, known, 11);
  ARRAY(int, x, (size_t)n * m, 13);
  for (int i = 0; i < n; i++)
    flag[i] = i < known && i % 3 != 1;
  beyond_the_table(n, m, flag, table, x);
  SUM("beyond_the_table", x, (size_t)n * m);

  ARRAY(short, rows, (size_t)known * m, 15);
  ARRAY(short, y, (size_t)n * m, 17);
  beyond_the_rows(n, m, known, flag, rows, y);
  SUM("beyond_the_rows", y, (size_t)n * m);

  ARRAY(int, by, m, 19);
  for (int j = 0; j < m; j++)
    by[j] = by[j] % 4;
  divided(n, m, by, x);
  SUM("divided", x, (size_t)n * m);

  ARRAY(int, c, (size_t)n * m, 21);
  ARRAY(int, count, m, 23);
  chosen(n, m, c, by, x, count);
  SUM("chosen", count, m);
  SUM("chosen", x, (size_t)n * m);
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 5}, {7, 3}, {16, 33}, {45, 20}, {70, 70}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int at_end = 0; at_end < 2; at_end++)
      run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]), at_end);
  return 0;
}
