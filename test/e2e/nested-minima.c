// Minima and maxima by macros, one in the other, so that the inner one is written twice and its ways meet with those of
// the outer one: in tables, in rows that are handed on, and in windows; of integers and of floating-point numbers with
// what is no number; also where the ways do different things, and where a condition is asked only behind another one.
// poly: optimizes edit costs extremes clamped floats unlike guarded squares wide
#include "check.h"
#include "pages.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// Two rows that change places.
TEST_FUNCTION edit(int n, int m, const char *a, const char *b, int *restrict p, int *restrict q, int *restrict out) {
  for (int j = 0; j <= m; j++)
    p[j] = 2 * j;
  for (int i = 1; i <= n; i++) {
    q[0] = 3 * i;
    for (int j = 1; j <= m; j++)
      q[j] = MIN(MIN(p[j] + 3, q[j - 1] + 2), p[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 4));
    int *t = p;
    p = q;
    q = t;
  }
  out[0] = p[m];
}

// A whole table, with costs that differ from element to element.
TEST_FUNCTION costs(int n, int m, const short *c, int *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      t[i * m + j] = c[i * m + j] + MIN(t[(i - 1) * m + j - 1], MIN(t[(i - 1) * m + j], t[i * m + j - 1]) + 1);
}

TEST_FUNCTION extremes(int n, int m, const int64_t *a, int64_t *lo, int64_t *hi) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      const int64_t *x = a + i * m + j;
      lo[i * m + j] = MIN(MIN(x[-1] - 1, x[1] - 1), MIN(x[-m] + 2, x[m] + 2));
      hi[i * m + j] = MAX(MAX(x[-1], x[1]) * 2, MAX(x[-m], x[m]) * 2);
    }
}

TEST_FUNCTION clamped(int n, int m, const int *a, unsigned *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      unsigned v = t[(i - 1) * m + j] + t[i * m + j - 1] + a[i * m + j];
      t[i * m + j] = MAX(7u, MIN(v + 5u, MIN(t[(i - 1) * m + j - 1] + 5u, 1000u)));
    }
}

// What is no number is not smaller than any, and zeros keep their signs.
TEST_FUNCTION floats(int n, int m, const float *a, float *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      t[i * m + j] = MIN(MIN(t[(i - 1) * m + j] * 0.5f, t[i * m + j - 1] * 0.5f), a[i * m + j]);
}

// The ways add, subtract, and multiply; and the same sum, once with an overflow that is none.
TEST_FUNCTION unlike(int n, int m, const int *a, const int *b, int *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int up = t[(i - 1) * m + j], left = t[i * m + j - 1], v;
      if (a[i] < b[j])
        v = up < left ? up + 3 : left - 3;
      else if (a[i] > b[j])
        v = up < left ? (int)((unsigned)up + 2147483647u) : left + 1;
      else
        v = (up & 255) * 3;
      t[i * m + j] = v & 0xffff;
    }
}

// The second condition reads what may be read only where the first one holds.
TEST_FUNCTION guarded(int n, int m, const int *limit, const unsigned char *has, const int *a, int *t) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int v = a[i * m + j];
      if (has[j]) {
        if (limit[j] < v)
          v = limit[j] + 1;
        else
          v = a[i * m + j] + 1;
      }
      t[i * m + j] = v;
    }
}

// What differs in the ways is an operand that both of them have, too.
TEST_FUNCTION squares(int n, int m, const unsigned *a, const unsigned *b, unsigned *t) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      unsigned x = a[j], y = b[j];
      t[i * m + j] = MIN(x, y) * x + 1 < a[i] ? (x < y ? x * x : y * x) : a[i];
    }
}

// Of a row of bytes, the greatest of five.
TEST_FUNCTION wide(int n, int m, const uint8_t *a, uint8_t *t) {
  for (int i = 0; i < n; i++)
    for (int j = 2; j < m - 2; j++) {
      const uint8_t *x = a + i * m + j;
      t[i * m + j] = MAX(MAX(MAX(x[-2], x[-1]), MAX(x[1], x[2])), x[0]);
    }
}

static void run(int n, int m) {
  size_t size = (size_t)n * m;
  char *a = malloc(n + 1), *b = malloc(m + 1);
  int *x = malloc(4 * (size + m + n + 8)), *y = malloc(4 * (m + n + 8)), *t = malloc(4 * size);
  short *c = malloc(2 * size);
  int64_t *l = malloc(8 * size), *lo = calloc(size, 8), *hi = calloc(size, 8);
  float *f = malloc(4 * size), *g = malloc(4 * size);
  uint8_t *u = malloc(size), *v = calloc(size, 1);
  for (int i = 0; i <= n; i++)
    a[i] = "ACGT"[(start_value(i) + 50) & 3];
  for (int j = 0; j <= m; j++)
    b[j] = "ACGT"[(start_value(5 * j) + 50) & 3];
  for (size_t i = 0; i < size; i++) {
    c[i] = start_value(i);
    l[i] = start_value(3 * i) * INT64_C(10000000001);
    f[i] = i % 23 == 5 ? __builtin_nanf("") : i % 7 == 3 ? -0.0f : start_value(i) / 8.0f;
    g[i] = i % 31 == 7 ? __builtin_nanf("") : start_value(i + 3) / 4.0f;
    u[i] = start_value(i * 7);
  }
  int result = 0;
  edit(n, m, a, b, x, y, &result);
  printf("%d %d: %d\n", n, m, result);
  fill_i32(x, size + m + n + 8, 1), fill_i32(t, size, 4);
  costs(n, m, c, t);
  show_i32("costs", t, size);
  extremes(n, m, l, lo, hi);
  show_i64("extremes", lo, size), show_i64("", hi, size);
  fill_i32(t, size, 9);
  clamped(n, m, x, (unsigned *)t);
  show_i32("clamped", t, size);
  floats(n, m, f, g);
  for (size_t i = 0; i < size; i++)
    g[i] = g[i] != g[i] ? 99 : g[i];
  show_float("floats", g, size);
  fill_i32(t, size, 2);
  unlike(n, m, x, x + n, t);
  show_i32("unlike", t, size);
  // Limits end where the last column that has one does.
  int with = m / 2;
  for (int j = 0; j < m; j++)
    u[j] = j < with && j % 3 != 1;
  int *limit = with ? bounded(with * sizeof(int), 1) : NULL;
  for (int j = 0; j < with; j++)
    limit[j] = start_value(j) / 2;
  guarded(n, m, limit, u, x, t);
  show_i32("guarded", t, size);
  fill_i32(x, size + m + n + 8, 6), fill_i32(y, m + n + 8, 11);
  squares(n, m, (unsigned *)x, (unsigned *)y, (unsigned *)t);
  show_i32("squares", t, size);
  wide(n, m, u, v);
  show_u8("wide", v, size);
  free(a), free(b), free(x), free(y), free(t), free(c), free(l), free(lo), free(hi), free(f), free(g), free(u), free(v);
}

int main(void) {
  const int sizes[][2] = {{1, 1}, {2, 3}, {5, 4}, {9, 17}, {33, 20}, {40, 70}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run(hidden(sizes[i][0]), hidden(sizes[i][1]));
  // Tables that are large enough for rows that are handed on.
  int n = hidden(150), m = hidden(170), result = 0;
  char *a = malloc(n), *b = malloc(m);
  int *p = malloc(4 * (m + 1)), *q = malloc(4 * (m + 1));
  for (int i = 0; i < n; i++)
    a[i] = (start_value(i) + 50) % 5;
  for (int j = 0; j < m; j++)
    b[j] = (start_value(2 * j + 1) + 50) % 5;
  for (int rows = n - 3; rows <= n; rows++) {
    edit(rows, m, a, b, p, q, &result);
    printf("%d: %d\n", rows, result);
  }
  free(a), free(b), free(p), free(q);
  return 0;
}
