// Bounds checks of linearized subscripts against the length of a vector, a difference of two pointers that are loaded, divided by the size of an element: tested before the loops. If one fails, the
// original runs, and fails in the iteration in which it did.
// poly: optimizes product
// poly: optimizes sized_product
// poly: optimizes triples
// poly: optimizes from_end
#include "check.h"
#include <setjmp.h>
#include <stddef.h>

#define N 12
#define MOST (N * N + N)

struct vector {
  long *begin, *end;
};

struct triple {
  int a, b, c;
};

struct triples {
  struct triple *begin, *end;
};

static long x[MOST], y[MOST], z[MOST];
static struct triple s[MOST], t[MOST];
static jmp_buf failed;

__attribute__((noreturn, noinline)) static void out_of_range(size_t index, size_t length) {
  printf("%zu of %zu\n", index, length);
  longjmp(failed, 1);
}

static inline long *at(const struct vector *v, size_t index) {
  size_t length = (size_t)(v->end - v->begin);
  if (index >= length)
    out_of_range(index, length);
  return v->begin + index;
}

static inline struct triple *triple_at(const struct triples *v, size_t index) {
  size_t length = (size_t)(v->end - v->begin);
  if (index >= length)
    out_of_range(index, length);
  return v->begin + index;
}

TEST_FUNCTION product(long n, struct vector *c, const struct vector *a, const struct vector *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        *at(c, i * n + j) += *at(a, i * n + k) * *at(b, k * n + j);
}

// Unsigned numbers, rows of another length than there are columns.
TEST_FUNCTION sized_product(size_t n, size_t m, size_t row, struct vector *c, const struct vector *a, const struct vector *b) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) {
      long sum = 0;
      for (size_t k = 0; k < m; k++)
        sum += *at(a, i * row + k) ^ *at(b, k * row + j);
      *at(c, i * row + j) = sum;
    }
}

TEST_FUNCTION triples(long n, struct triples *u, const struct triples *v) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      triple_at(u, i * n + j)->b += triple_at(v, j * n + i)->c;
}

// The last elements.
TEST_FUNCTION from_end(long n, struct vector *c, const struct vector *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      *at(c, (size_t)(c->end - c->begin) - 1 - (i * n + j)) -= *at(a, j * n + i);
}

static struct vector part(long *array, long length) {
  struct vector result = {array, array + hidden(length)};
  return result;
}

static void show(const char *name) {
  unsigned long sum = 0;
  for (int i = 0; i < MOST; i++)
    sum = (sum ^ (unsigned long)x[i] ^ ((unsigned long)s[i].b << 20)) * 1099511628211UL;
  printf("%s: %lx\n", name, sum);
}

static void start(void) {
  FILL(x, MOST, 1);
  FILL(y, MOST, 2);
  FILL(z, MOST, 3);
  for (int i = 0; i < MOST; i++) {
    struct triple value = {start_value(i), start_value(i + 1), start_value(i + 2)};
    s[i] = t[i] = value;
  }
}

#define CASE(call)                                                                                                                                                \
  do {                                                                                                                                                             \
    start();                                                                                                                                                       \
    if (setjmp(failed) == 0)                                                                                                                                       \
      call;                                                                                                                                                        \
    show(#call);                                                                                                                                                   \
  } while (0)

static void all(long n, long length) {
  struct vector c = part(x, length), a = part(y, MOST), b = part(z, MOST);
  CASE(product(n, &c, &a, &b));
  CASE(sized_product((size_t)n, (size_t)n, (size_t)n, &c, &a, &b));
  c = part(x, MOST), a = part(y, length);
  CASE(product(n, &c, &a, &b));
  CASE(from_end(n, &c, &a));
  a = part(y, MOST), b = part(z, length);
  CASE(product(n, &c, &a, &b));
  CASE(sized_product((size_t)n, (size_t)n, (size_t)n, &c, &a, &b));
  struct triples u = {s, s + length}, v = {t, t + MOST};
  CASE(triples(n, &u, &v));
  u.end = s + MOST, v.end = t + length;
  CASE(triples(n, &u, &v));
  // The pointers lie in what is written, and nobody's length is what it was.
  struct vector d = part(x, MOST);
  CASE(product(n, &d, &d, &b));
}

int main(void) {
  static const int sizes[] = {0, 1, 5, N};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    long n = hidden(sizes[k]);
    static const int missing[] = {-N, 0, 1, 2, N, 20};
    for (size_t m = 0; m < COUNT(missing); m++)
      if (n * n >= missing[m])
        all(n, hidden(n * n - missing[m]));
    all(n, 0);
  }
  // What would be loaded behind the first failure is not there.
  struct vector some = part(y, MOST), none = part(z, 0);
  const struct vector *nowhere = (const struct vector *)hidden(16);
  for (long n = 1; n < 4; n++) {
    CASE(product(n, &some, &none, nowhere));
    CASE(product(n, (struct vector *)nowhere, &some, &none));
    CASE(from_end(n, &some, &none));
    CASE(triples(n, (struct triples *)nowhere, (struct triples *)&none));
  }
  // Products that wrap around: a row of 2^63 elements is one of none in every second row.
  struct vector c = part(x, MOST), a = part(y, MOST), b = part(z, MOST);
  CASE(sized_product(1, 3, (size_t)hidden(INT64_MIN), &c, &a, &b));
  CASE(sized_product(3, 1, (size_t)hidden(INT64_MIN), &c, &a, &b));
  CASE(sized_product(4, 1, (size_t)hidden(1L << 62), &c, &a, &b));
  CASE(sized_product(2, 1, (size_t)hidden(-1), &c, &a, &b));
  CASE(sized_product(0, 1, (size_t)hidden(-1), &c, &a, &b));
  // A vector that ends before it begins has a length of almost 2^64.
  struct vector before = {x + N * N, x};
  CASE(sized_product(1, (size_t)hidden(N), 0, &before, &a, &b));
  return 0;
}
