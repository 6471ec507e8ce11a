// Columns with strides in bytes, as Fortran's descriptors have them: the place of a column in elements is a product
// that is shifted. Strides that are no multiple of an element, or negative, are the original's.
// poly: optimizes product
// poly: optimizes unsigned_product
// poly: optimizes sweep
#include <stdio.h>
#include <string.h>

#define MAX 48

void product(long n, long m, long l, long sa, const double *a, long sb, const double *b, long sc, double *c) {
  for (long j = 0; j < m; j++)
    for (long k = 0; k < l; k++)
      for (long i = 0; i < n; i++)
        c[i + ((sc * j) >> 3)] += a[i + ((sa * k) >> 3)] * b[k + ((sb * j) >> 3)];
}

void unsigned_product(size_t n, size_t m, size_t l, size_t sa, const double *a, size_t sb, const double *b, size_t sc,
                      double *c) {
  for (size_t j = 0; j < m; j++)
    for (size_t k = 0; k < l; k++)
      for (size_t i = 0; i < n; i++)
        c[i + sc * j / 8] += a[i + sa * k / 8] * b[k + sb * j / 8];
}

void sweep(long n, long m, long s, unsigned *x) {
  for (long j = 1; j < m; j++)
    for (long i = 1; i < n; i++)
      x[i + s * j / 4] += x[i - 1 + s * j / 4] + x[i + (s * j - s) / 4];
}

static double a[3 * MAX * MAX], b[3 * MAX * MAX], c[3 * MAX * MAX];
static unsigned x[3 * MAX * MAX];

static void run(long n, long m, long l, long stride, long shift) {
  for (int i = 0; i < 3 * MAX * MAX; i++) {
    a[i] = (i * 7 % 31) / 8.0 - 1;
    b[i] = (i * 5 % 29) / 16.0 - 0.5;
    c[i] = (i * 3 % 13) / 4.0;
    x[i] = i * 17 % 41;
  }
  // The middle of the arrays: strides may be negative.
  double *middle = c + 3 * MAX * MAX / 2;
  product(n, m, l, stride, a + 3 * MAX * MAX / 2, stride, b + 3 * MAX * MAX / 2, stride + shift, middle);
  if (stride >= 0 && stride + shift >= 0)
    unsigned_product(n, m, l, stride, a, stride, b, stride + shift, c);
  sweep(n, m, stride / 2, x + 3 * MAX * MAX / 2);
  double sum = 0;
  long whole = 0;
  for (int i = 0; i < 3 * MAX * MAX; i++) {
    sum += c[i] * (1 + i % 5);
    whole += (long)x[i] * (1 + i % 7);
  }
  printf("%ld %ld %ld %ld %ld: %a %ld\n", n, m, l, stride, shift, sum, whole);
}

int main(void) {
  const long sizes[] = {0, 1, 2, 7, 24, MAX - 2};
  const long strides[] = {0, 8, 8 * MAX, 8 * MAX - 3, -8 * MAX, -8 * MAX + 5, 4, 60};
  for (unsigned p = 0; p < sizeof sizes / sizeof *sizes; p++)
    for (unsigned q = 0; q < sizeof strides / sizeof *strides; q++) {
      run(sizes[p], sizes[p], sizes[p], strides[q], 0);
      run(sizes[p], MAX / 2, sizes[(p + 2) % 6], strides[q], 8);
      run(sizes[p], sizes[(p + 1) % 6], 9, strides[q], -1);
    }
  return 0;
}
