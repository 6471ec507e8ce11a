// Products over arrays of small structures: no loop over a field has neighbouring elements. Each field gets an array of its own while the new code runs.
// poly: optimizes parts
// poly: optimizes updates
// poly: optimizes by_name
// poly: optimizes of_three
// poly: optimizes transposed
// poly: optimizes in_place
#include "check.h"

#define N 41

typedef struct {
  double re, im;
} complex_t;

typedef struct {
  float x, y, z;
} vector_t;

// Parts of complex numbers side by side, in arrays of numbers.
TEST_FUNCTION parts(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double re = 0, im = 0;
      for (int k = 0; k < n; k++) {
        double ar = a[2 * (i * n + k)], ai = a[2 * (i * n + k) + 1];
        double br = b[2 * (k * n + j)], bi = b[2 * (k * n + j) + 1];
        re += ar * br - ai * bi;
        im += ar * bi + ai * br;
      }
      c[2 * (i * n + j)] = re;
      c[2 * (i * n + j) + 1] = im;
    }
}

// The result is read first, and only a part of it is written; rows are longer than what is used of them.
TEST_FUNCTION updates(int n, int m, int p, int row, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++) {
        c[2 * (i * row + j)] += a[2 * (i * row + k)] * b[2 * (k * row + j)];
        c[2 * (i * row + j) + 1] -= a[2 * (i * row + k) + 1] * b[2 * (k * row + j)];
      }
}

TEST_FUNCTION by_name(int n, const complex_t a[restrict][N], const complex_t b[restrict][N], complex_t c[restrict][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      for (int k = 0; k < n; k++) {
        c[i][j].re += a[i][k].re * b[k][j].re - a[i][k].im * b[k][j].im;
        c[i][j].im += a[i][k].re * b[k][j].im + a[i][k].im * b[k][j].re;
      }
}

// Of three fields, one is not touched in one array, and nothing in the loops touches the last one of another.
TEST_FUNCTION of_three(int n, const vector_t *restrict a, const float *restrict by, vector_t *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float x = 0.5f, y = 0;
      for (int k = 0; k < n; k++) {
        x += by[i * n + k] * a[k * n + j].x;
        y += by[i * n + k] * a[k * n + j].z;
      }
      c[i * n + j].x = x;
      c[i * n + j].y = y;
    }
}

TEST_FUNCTION transposed(int n, const complex_t *restrict a, const complex_t *restrict b, complex_t *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      complex_t sum = {0, 0};
      for (int k = 0; k < n; k++) {
        sum.re += a[k * n + i].re * b[k * n + j].re + a[k * n + i].im * b[k * n + j].im;
        sum.im += a[k * n + i].re * b[k * n + j].im - a[k * n + i].im * b[k * n + j].re;
      }
      c[i * n + j] = sum;
    }
}

// Rows from the diagonal on, of the array that is read.
TEST_FUNCTION in_place(int n, complex_t a[restrict][N], const complex_t b[restrict][N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      for (int j = 0; j < n; j++) {
        a[i][j].re -= b[i][k].re * a[k][j].re - b[i][k].im * a[k][j].im;
        a[i][j].im -= b[i][k].re * a[k][j].im + b[i][k].im * a[k][j].re;
      }
}

static double a[2 * N * N + 2], b[2 * N * N], c[2 * N * N];
static float f[3 * N * N], g[3 * N * N], h[3 * N * N];

static void start(void) {
  fill_double(a, COUNT(a), 1);
  fill_double(b, COUNT(b), 2);
  fill_double(c, COUNT(c), 3);
  fill_float(f, COUNT(f), 4);
  fill_float(g, COUNT(g), 5);
  fill_float(h, COUNT(h), 6);
}

static void run(int n) {
  start();
  parts(n, a, b, c);
  SHOW("parts", c, COUNT(c));
  // The result is one of the factors.
  parts(n, a, b, b);
  SHOW("parts in place", b, COUNT(b));
  for (size_t i = 0; i < COUNT(c); i++)
    c[i] /= 1 << 20;
  parts(n, a, c, a + 2);
  SHOW("parts one further", a, COUNT(a));
  start();
  updates(n, n / 2, n / 3, N, f, g, h);
  SHOW("updates", h, COUNT(h));
  by_name(n, (complex_t(*)[N])a, (complex_t(*)[N])b, (complex_t(*)[N])c);
  SHOW("by_name", c, COUNT(c));
  of_three(n, (vector_t *)f, g, (vector_t *)h);
  SHOW("of_three", h, COUNT(h));
  transposed(n, (complex_t *)a, (complex_t *)b, (complex_t *)c);
  SHOW("transposed", c, COUNT(c));
  for (size_t i = 0; i < COUNT(b); i++)
    b[i] /= 64;
  in_place(n, (complex_t(*)[N])c, (complex_t(*)[N])b);
  SHOW("in_place", c, COUNT(c));
}

int main(void) {
  const int sizes[] = {0, 1, 2, 5, 8, 16, 17, 33, N};
  for (size_t s = 0; s < COUNT(sizes); s++)
    run((int)hidden(sizes[s]));
  return 0;
}
