// What iterations hand on that has another form: the last of what is found, rising and falling, with
// and without something found; sums, differences and products under conditions, of numbers, of
// infinite ones and of none, with zeros of both signs; numbers that count, up to where they begin to
// be rounded and beyond; variables that have what another one had before, one and two iterations, as
// indices and as pointers; with no iterations, with one, with few and with many.
// poly: optimizes last_below first_below_from_the_end summed counted periodic
#include "check.h"

#include <math.h>

#define MAX 3000

static float F[MAX + 4], G[MAX + 4];
static double D[MAX + 4], E[MAX + 4];
static int I[MAX + 4];

TEST_VALUE(int) last_below(const float *x, int n, float limit) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (x[i] < limit)
      at = i;
  return at;
}

TEST_VALUE(int) first_below_from_the_end(const float *x, int n, float limit, int none) {
  int at = none;
  for (int i = n - 1; i >= 0; i--)
    if (x[i] < limit)
      at = i;
  return at;
}

// What is found may be less than what was there before, and be negative.
TEST_VALUE(long) moved(const double *x, int n, double limit, long none) {
  long at = none;
  for (long i = 0; i < n; i++)
    at = x[i] >= limit ? 3 * i - 50 : at;
  return at;
}

TEST_VALUE(int) several(const int *x, int n, int *other) {
  int odd = -5, large = 7, sum = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] & 1)
      odd = i;
    if (x[i] > 3)
      large = -i;
    sum += x[i];
  }
  *other = large;
  return odd * 1000 + sum;
}

// Small types, in which numbers of iterations would not fit.
TEST_VALUE(int) small(const int *x, int n) {
  signed char at = 9;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      at = (signed char)i;
  return at;
}

TEST_VALUE(float) summed(const float *x, int n, float sum) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      sum += x[i];
  return sum;
}

TEST_VALUE(double) subtracted(const double *x, const double *y, int n, double rest) {
  for (int i = 0; i < n; i++)
    rest = y[i] > 1 ? rest : rest - x[i];
  return rest;
}

TEST_VALUE(double) multiplied(const double *x, int n, double product) {
  for (int i = 0; i < n; i++)
    product = x[i] < 3 ? product * x[i] : product;
  return product;
}

TEST_VALUE(double) of_products(const double *x, const double *y, int n, double sum) {
  for (int i = 0; i < n; i++)
    if (x[i] > y[i])
      sum += x[i] * y[i];
  return sum;
}

TEST_FUNCTION counted(float *restrict y, const float *restrict x, int n, float *end) {
  float s = 0;
  for (int i = 0; i < MAX; i++) {
    s += 2;
    y[i] = s * x[i];
  }
  double t = 5;
  for (int i = 0; i < n; i++) {
    E[i] = t * D[i];
    t -= 1;
  }
  *end = s + (float)t;
}

// From 2^24 on, floats have no odd numbers.
TEST_FUNCTION rounded(float *restrict y) {
  float s = 16777000;
  for (int i = 0; i < 500; i++) {
    y[i] = s;
    s += 1;
  }
  float small = 0;
  for (int i = 0; i < 500; i++) {
    y[i] += small;
    small += 0.1f;
  }
}

TEST_FUNCTION periodic(float *restrict y, const float *restrict x, int n) {
  int before = n - 1;
  for (int i = 0; i < n; i++) {
    y[i] = (x[i] + x[before]) * 0.5f;
    before = i;
  }
}

TEST_FUNCTION periodic_twice(double *restrict y, const double *restrict x, int n) {
  int before = n - 1, earlier = n - 2;
  for (int i = 0; i < n; i++) {
    y[i] = (x[i] + x[before] + x[earlier]) * 0.25;
    earlier = before;
    before = i;
  }
}

TEST_FUNCTION by_pointers(float *restrict y, const float *restrict x, const float *first, int n) {
  const float *before = first;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] - *before;
    before = &x[i];
  }
}

// What is read an iteration later has been written.
TEST_FUNCTION in_place(float *x, int n) {
  int before = n - 1;
  for (int i = 0; i < n; i++) {
    x[i] = x[i] * 0.5f + x[before];
    before = i;
  }
}

TEST_FUNCTION values(float *restrict y, const int *restrict x, int n) {
  int before = -3;
  for (int i = 0; i < n; i++) {
    y[i] = (float)(x[i] * before);
    before = i + 2;
  }
}

static uint64_t bits(double value) {
  uint64_t result;
  memcpy(&result, &value, sizeof result);
  return result;
}

static void fill(void) {
  for (int i = 0; i < MAX + 4; i++) {
    F[i] = (float)start_value(i) / 4;
    G[i] = (float)start_value(i + 7) / 8;
    D[i] = start_value(i + 3) / 16.0;
    E[i] = start_value(i + 5) / 8.0;
    I[i] = start_value(i + 1);
  }
}

static uint64_t sum_of(const void *of, size_t bytes) {
  const unsigned char *at = of;
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ at[i]) * 1099511628211u;
  return sum;
}

int main(void) {
  const int sizes[] = {0, 1, 2, 3, 8, 15, 33, 100, MAX};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]), other = 0;
    float end = 0;
    fill();
    printf("%d: %d %d %d %d", n, last_below(F, n, -12), last_below(F, n, -100), first_below_from_the_end(F, n, -12, 77),
           first_below_from_the_end(F, n, -100, 77));
    printf(" %ld %ld %d", moved(D, n, 2, 1000000), moved(D, n, 200, -7), small(I, n));
    int found = several(I, n, &other);
    printf(" %d %d\n", found, other);
    const double starts[] = {0.0, -0.0, 1.5, INFINITY, 5e-324};
    for (size_t s = 0; s < COUNT(starts); s++) {
      D[7] = INFINITY, D[9] = NAN, E[9] = 2, E[7] = 2;
      printf(" %016llx", (unsigned long long)bits(summed(F, n, (float)starts[s])));
      printf(" %016llx", (unsigned long long)bits(subtracted(D, E, n, starts[s])));
      printf(" %016llx", (unsigned long long)bits(multiplied(E, n > 30 ? 30 : n, starts[s])));
      D[7] = -INFINITY;
      printf(" %016llx\n", (unsigned long long)bits(of_products(D, E, n, starts[s])));
    }
    fill();
    counted(G, F, n, &end);
    printf("%a %016llx", (double)end, (unsigned long long)(sum_of(G, sizeof G) ^ sum_of(E, sizeof E)));
    rounded(G);
    printf(" %016llx", (unsigned long long)sum_of(G, sizeof G));
    if (n > 1) {
      periodic(G, F, n);
      periodic_twice(E, D, n);
      by_pointers(G + 1, F, &F[n], n);
      in_place(F, n);
    }
    values(F + n / 2, I, n / 2);
    printf(" %016llx %016llx", (unsigned long long)sum_of(G, sizeof G), (unsigned long long)sum_of(E, sizeof E));
    printf(" %016llx\n", (unsigned long long)sum_of(F, sizeof F));
  }
  return 0;
}
