// Stores under conditions in rows of vectors: in all lanes, in none, in some of them; what is
// behind the arrays is memory that nobody may touch.
// poly: optimizes one_store two_stores both_ways nested doubles mixed_types not_a_number own_result
#include <math.h>

#include "pages.h"

TEST_FUNCTION one_store(int n, const float *restrict b, const float *restrict c, float *restrict a) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0.0f)
      a[i] += b[i] * c[i];
}

TEST_FUNCTION two_stores(int n, const float *restrict e, const float *restrict c, float *restrict a, float *restrict b) {
  for (int i = 0; i < n; i++)
    if (e[i] >= 2.0f) {
      a[i] += c[i] * c[i];
      b[i] = c[i] - b[i];
    }
}

TEST_FUNCTION both_ways(int n, const float *restrict d, float *restrict a, float *restrict b) {
  for (int i = 0; i < n; i++) {
    if (d[i] > 1.0f)
      a[i] = d[i] + a[i];
    else
      b[i] = d[i] * b[i];
  }
}

TEST_FUNCTION nested(int n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0f)
      if (b[i] > a[i] || b[i] == -3.0f)
        c[i] += a[i] * b[i];
}

TEST_FUNCTION doubles(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    if (a[i] < b[i])
      c[i] = a[i] / (b[i] + 1000.0);
}

// A mask of integers for numbers of twice the size.
TEST_FUNCTION mixed_types(int n, const int *restrict flag, const double *restrict b, double *restrict a) {
  for (int i = 0; i < n; i++)
    if (flag[i] & 1)
      a[i] = b[i] + (double)flag[i];
}

TEST_FUNCTION not_a_number(int n, const float *restrict b, float *restrict a) {
  for (int i = 0; i < n; i++)
    if (!(b[i] <= 1.0f))
      a[i] = b[i];
}

// What was stored in the iteration decides.
TEST_FUNCTION own_result(int n, const float *restrict c, const float *restrict d, float *restrict a, float *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i] = c[i] * d[i];
    if (a[i] > 4.0f)
      b[i] = a[i] + b[i];
    else
      a[i] = d[i] * d[i];
  }
}

// `pattern` says which lanes are chosen: all, none, one in so many, or long runs.
static float chosen(int pattern, int i) {
  switch (pattern) {
  case 0:
    return 5;
  case 1:
    return -5;
  case 2:
    return (float)(i % 19 == 3 ? 5 : -5);
  default:
    return (float)((i / 24) % 2 ? start_value(i) : 7);
  }
}

static void run(int n, int pattern, int at_end) {
  int m = pattern;
  ARRAY(float, a, n, 1);
  ARRAY(float, b, n, 2);
  ARRAY(float, c, n, 3);
  ARRAY(float, e, n, 4);
  for (int i = 0; i < n; i++)
    e[i] = chosen(pattern, i);
  one_store(n, e, c, a);
  two_stores(n, e, c, a, b);
  both_ways(n, e, a, b);
  nested(n, c, e, a);
  own_result(n, c, e, a, b);
  SUM("floats", a, n);
  SUM("floats", b, n);
  for (int i = 0; i < n; i += 3)
    e[i] = i % 2 ? NAN : -INFINITY;
  not_a_number(n, e, a);
  both_ways(n, e, c, b);
  SUM("special", a, n);
  SUM("special", b, n);
  SUM("special", c, n);
  ARRAY(double, x, n, 5);
  ARRAY(double, y, n, 6);
  ARRAY(double, z, n, 7);
  ARRAY(int, flag, n, 8);
  for (int i = 0; i < n; i++)
    flag[i] = (int)chosen(pattern, i) + (pattern == 1);
  doubles(n, x, y, z);
  mixed_types(n, flag, y, x);
  SUM("doubles", x, n);
  SUM("doubles", z, n);
}

int main(void) {
  int sizes[] = {0, 1, 3, 7, 8, 9, 15, 16, 31, 33, 100, 1000, 4099};
  for (unsigned s = 0; s < COUNT(sizes); s++)
    for (int pattern = 0; pattern < 4; pattern++) {
      run((int)hidden(sizes[s]), pattern, 0);
      run((int)hidden(sizes[s]), pattern, 1);
    }
  return 0;
}
