// Tables of which an element is written under conditions that leave no case out, rows of which are lanes of vectors: the
// row above the first one that is written is read in every lane, and nothing beside the tables is. Some conditions leave a
// case out, some read what another one has written.
// poly: optimizes common borders affine floats switched nested members
#include "check.h"
#include "pages.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

TEST_FUNCTION common(int n, int m, const char *a, const char *b, int *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i - 1] == b[j - 1])
        t[i * m + j] = t[(i - 1) * m + j - 1] + 1;
      else
        t[i * m + j] = MAX(t[(i - 1) * m + j], t[i * m + j - 1]);
    }
}

// With the first row and column under a condition, too.
TEST_FUNCTION borders(int n, int m, const short *a, const short *b, int t[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (i == 0 || j == 0)
        t[i][j] = i - j;
      else if (a[i - 1] == b[j - 1])
        t[i][j] = t[i - 1][j - 1] + 3;
      else
        t[i][j] = t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
    }
}

// Three cases and two tables.
TEST_FUNCTION affine(int n, int m, const unsigned char *a, const unsigned char *b, int *restrict h, int *restrict e) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i] < b[j]) {
        h[i * m + j] = h[(i - 1) * m + j] - 2;
        e[i * m + j] = h[i * m + j - 1];
      } else if (a[i] > b[j]) {
        h[i * m + j] = h[i * m + j - 1] + e[(i - 1) * m + j];
        e[i * m + j] = 1;
      } else {
        h[i * m + j] = (h[(i - 1) * m + j - 1] + 5) & 0xffff;
        e[i * m + j] = e[i * m + j - 1] - 1;
      }
    }
}

TEST_FUNCTION floats(int n, int m, const float *a, const float *b, float *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i] < b[j])
        t[i * m + j] = t[(i - 1) * m + j] + a[i];
      else
        t[i * m + j] = t[i * m + j - 1] - b[j];
    }
}

TEST_FUNCTION switched(int n, int m, const int *a, const int *b, double *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      switch ((a[i] + b[j]) & 3) {
      case 0:
        t[i * m + j] = t[(i - 1) * m + j] + 0.5;
        break;
      case 2:
        t[i * m + j] = t[i * m + j - 1] * 0.5;
        break;
      default:
        t[i * m + j] = t[(i - 1) * m + j - 1];
      }
}

TEST_FUNCTION nested(int n, int m, const int *a, const int *b, int *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int column = b[j];
      if (a[i] > 0) {
        if (column > 0)
          t[i * m + j] = t[(i - 1) * m + j - 1] + 1;
        else
          t[i * m + j] = t[(i - 1) * m + j] - 1;
      } else {
        t[i * m + j] = t[i * m + j - 1] ^ column;
      }
    }
}

TEST_FUNCTION upwards(int n, int m, const int *a, const int *b, int64_t *t) {
  for (int j = 0; j < m; j++)
    t[(n - 1) * m + j] = j;
  for (int i = 0; i < n; i++)
    t[i * m + m - 1] = i;
  for (int i = n - 2; i >= 0; i--)
    for (int j = m - 2; j >= 0; j--) {
      if (a[i] == b[j])
        t[i * m + j] = t[(i + 1) * m + j + 1] + 1;
      else
        t[i * m + j] = MAX(t[(i + 1) * m + j], t[i * m + j + 1]);
    }
}

typedef struct {
  int n, m;
  const char *a, *b;
  int *t;
} Problem;

TEST_FUNCTION members(const Problem *p) {
  for (int i = 1; i < p->n; i++)
    for (int j = 1; j < p->m; j++) {
      if (p->a[i] == p->b[j])
        p->t[i * p->m + j] = p->t[(i - 1) * p->m + j - 1] + 1;
      else
        p->t[i * p->m + j] = MAX(p->t[(i - 1) * p->m + j], p->t[i * p->m + j - 1]);
    }
}

// Some elements keep what they are.
TEST_FUNCTION some(int n, int m, const int *a, const int *b, int *t) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i] > b[j])
        t[i * m + j] = t[(i - 1) * m + j - 1] + 1;
      else if (a[i] < b[j])
        t[i * m + j] = t[i * m + j - 1];
    }
}

// What is read in between is what the one case has written, in the same or in another iteration.
TEST_FUNCTION between(int n, int m, const int *a, const int *b, int *t, int *s) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      if (a[i] > b[j])
        t[i * m + j] = t[(i - 1) * m + j - 1] + 1;
      s[i * m + j] = t[i * m + j];
      if (a[i] <= b[j])
        t[i * m + j] = t[i * m + j - 1];
    }
}

// Only under the condition there is a row above.
TEST_FUNCTION above(int n, int m, const int *a, const int *b, int *end) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int *row = end - (n - i) * m;
      if (a[i] == b[j] && i > 1)
        row[j] = row[j - m] + 1;
      else
        row[j] = row[j - 1];
    }
}

#undef FILL
#define FILL(name, count, seed)                                                                                                    \
  for (size_t at = 0; at < (count); at++)                                                                                          \
  (name)[at] = (__typeof__(*(name)))(start_value((int64_t)at + (seed)) * 3 / 4)

static void run(int n, int m, int at_end) {
  size_t count = (size_t)n * (size_t)m, rows = (size_t)n, columns = (size_t)m;
  ARRAY(char, a, rows, 1);
  ARRAY(char, b, columns, 2);
  ARRAY(unsigned char, ua, rows, 3);
  ARRAY(unsigned char, ub, columns, 4);
  for (int i = 0; i < n; i++)
    a[i] &= 3, ua[i] &= 7;
  for (int j = 0; j < m; j++)
    b[j] &= 3, ub[j] &= 7;
  ARRAY(short, sa, rows, 1);
  ARRAY(short, sb, columns, 1);
  ARRAY(int, p, rows, 5);
  ARRAY(int, q, columns, 6);
  ARRAY(int, t, count, 7);
  ARRAY(int, s, count, 8);
  common(n, m, a, b, t);
  SUM("common", t, count);
  borders(n, m, sa, sb, (void *)s);
  SUM("borders", s, count);
  affine(n, m, ua, ub, t, s);
  SUM("affine", t, count);
  SUM("affine", s, count);
  nested(n, m, p, q, t);
  SUM("nested", t, count);
  Problem problem = {n, m, a, b, s};
  members(&problem);
  SUM("members", s, count);
  some(n, m, p, q, t);
  SUM("some", t, count);
  between(n, m, p, q, t, s);
  SUM("between", t, count);
  SUM("between", s, count);
  above(n, m, p, q, t + count);
  SUM("above", t, count);
  ARRAY(float, fa, rows, 9);
  ARRAY(float, fb, columns, 10);
  ARRAY(float, f, count, 11);
  floats(n, m, fa, fb, f);
  SUM("floats", f, count);
  ARRAY(double, d, count, 12);
  switched(n, m, p, q, d);
  SUM("switched", d, count);
  ARRAY(int64_t, l, count, 13);
  upwards(n, m, p, q, l);
  SUM("upwards", l, count);
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8, 9, 17, 18, 33, 35, 66, 130};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t j = 0; j < COUNT(sizes); j++)
      run((int)hidden(sizes[i]), (int)hidden(sizes[j]), (int)(i + j) % 2);
  return 0;
}
