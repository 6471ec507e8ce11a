// Recurrences along rows, of whose state only what is computed from it is stored: the rows are
// lanes of vectors, and the state stays in registers. Of every short length and width, with states
// that begin with elements of the rows, in memory that ends or begins with them, forwards and
// backwards, and in place.
// poly: optimizes difference oscillator backwards envelope mixed in_place
#include "check.h"
#include "pages.h"

TEST_FUNCTION difference(int n, int m, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double fast = x[i * m], slow = fast;
    for (int j = 0; j < m; j++) {
      fast += 0.25 * (x[i * m + j] - fast);
      slow += 0.0625 * (x[i * m + j] - slow);
      y[i * m + j] = fast - slow;
    }
  }
}

// Two states that turn.
TEST_FUNCTION oscillator(int n, int m, const float *restrict f, float *restrict y) {
  for (int i = 0; i < n; i++) {
    float re = 1, im = 0;
    for (int j = 0; j < m; j++) {
      float next = re * 0.75f - im * f[i];
      im = re * f[i] + im * 0.75f;
      re = next;
      y[i * m + j] = re * re + im * im;
    }
  }
}

TEST_FUNCTION backwards(int n, int m, const double *x, double *y) {
  for (int i = n - 1; i >= 0; i--) {
    double s = 0;
    for (int j = m - 1; j >= 0; j--) {
      s = 0.5 * s + x[i * m + j];
      y[i * m + j] = 3 * s;
    }
  }
}

// With a choice, and one value of each row afterwards.
TEST_FUNCTION envelope(int n, int m, const float *x, float *y, float *last) {
  for (int i = 0; i < n; i++) {
    float e = 0;
    for (int j = 0; j < m; j++) {
      float v = x[i * m + j] < 0 ? -x[i * m + j] : x[i * m + j];
      e = v > e ? v : 0.875f * e;
      y[i * m + j] = x[i * m + j] - e;
    }
    last[i] = e;
  }
}

TEST_FUNCTION mixed(int n, int m, const int *x, double *y) {
  for (int i = 0; i < n; i++) {
    int count = 0;
    double s = 1;
    for (int j = 0; j < m; j++) {
      count += x[i * m + j] & 3;
      s = 0.5 * s + count;
      y[i * m + j] = s - count;
    }
  }
}

TEST_FUNCTION in_place(int n, int m, double *x) {
  for (int i = 0; i < n; i++) {
    double s = x[i * m], t = 0;
    for (int j = 0; j < m; j++) {
      s = 0.75 * s + 0.25 * x[i * m + j];
      t = 0.5 * t + 0.5 * s;
      x[i * m + j] = s + t;
    }
  }
}

static void run(int n, int m, int at_end) {
  size_t size = (size_t)n * m;
  ARRAY(double, x, size, 1);
  ARRAY(double, y, size, 2);
  ARRAY(float, f, size, 3);
  ARRAY(float, g, size, 4);
  ARRAY(float, last, n, 5);
  ARRAY(int, k, size, 6);
  difference(n, m, x, y);
  SUM("difference", y, size);
  oscillator(n, m, f, g);
  SUM("oscillator", g, size);
  backwards(n, m, x, y);
  SUM("backwards", y, size);
  backwards(n, m, x, x);
  SUM("in place", x, size);
  envelope(n, m, f, g, last);
  SUM("envelope", g, size);
  SUM("last", last, (size_t)n);
  mixed(n, m, k, y);
  SUM("mixed", y, size);
  in_place(n, m, x);
  SUM("in_place", x, size);
}

int main(void) {
  const int sizes[][2] = {{1, 1}, {3, 2}, {4, 9}, {9, 4}, {17, 33}, {40, 7}, {35, 140}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int at_end = 0; at_end < 2; at_end++)
      run(hidden(sizes[i][0]), hidden(sizes[i][1]), at_end);
  return 0;
}
