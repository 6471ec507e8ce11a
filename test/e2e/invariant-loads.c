// Bounds, sizes and pointers that are loaded inside of loops which write memory of the same types, so that the compiler has to load them again and again: hoisted behind a
// check. What must not be loaded before (null pointers, pages that are not there) is not loaded; what changes inside is loaded again.
// poly: optimizes product add_nested conditional vectors early_exit behind_stop pointer_bound growing used_behind only_guarded
#include "check.h"
#include <setjmp.h>
#include <sys/mman.h>

struct matrix {
  int rows, columns;
  int *data;
};

struct nested {
  struct matrix *inner;
  int *limit;
};

static jmp_buf back;

__attribute__((noinline, noreturn)) static void stop(long where) {
  printf("stopped at %ld\n", where);
  longjmp(back, 1);
}

TEST_FUNCTION product(struct matrix *c, const struct matrix *a, const struct matrix *b) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++)
      for (int k = 0; k < a->columns; k++)
        c->data[i * c->columns + j] += a->data[i * a->columns + k] * b->data[k * b->columns + j];
}

TEST_FUNCTION add_nested(struct nested *s, const int *x) {
  for (int i = 0; i < s->inner->rows; i++)
    for (int j = 0; j < s->inner->columns; j++)
      s->inner->data[i * 16 + j] += x[j];
}

// With n <= 7 nothing is loaded from s.
TEST_FUNCTION conditional(int n, const struct matrix *s, int *x) {
  for (int i = 0; i < n; i++)
    if (i > 7)
      for (int j = 0; j < s->columns; j++)
        x[i * 32 + j] += i * j;
}

struct vector {
  int *begin, *end;
};

TEST_FUNCTION vectors(struct vector *a, const struct vector *b) {
  for (size_t i = 0; i < (size_t)(a->end - a->begin); i++)
    a->begin[i] += 3 * b->begin[i];
}

// The pointer is loaded behind the check of the index.
TEST_FUNCTION early_exit(int n, const struct matrix *s, int *x) {
  for (int i = 0; i < n; i++) {
    if (i >= s->rows)
      stop(i);
    x[i] += s->data[i] * 2;
  }
}

// In iteration 6 at the earliest something is loaded from t; before that the program may have stopped.
TEST_FUNCTION after_stop(int n, const struct matrix *s, const struct matrix *t, int *x) {
  for (int i = 0; i < n; i++) {
    if (i > 5)
      for (int j = 0; j < t->columns; j++)
        x[j] += i;
    if (i >= s->rows)
      stop(i);
  }
}

TEST_FUNCTION behind_stop(int n, const struct matrix *s, const struct matrix *t, int *x) {
  for (int i = 0; i < n; i++) {
    if (i >= s->rows)
      stop(i);
    if (i > 5)
      for (int j = 0; j < t->columns; j++)
        x[j] += i;
  }
}

// The pointer is stored in the first iteration, perhaps through slot.
TEST_FUNCTION stored_before(int n, struct nested *s, struct matrix **slot, struct matrix *good, int *x) {
  for (int i = 0; i < n; i++) {
    *slot = good;
    for (int j = 0; j < s->inner->columns; j++)
      x[j] += i;
  }
}

TEST_FUNCTION pointer_bound(int n, struct nested *s, int *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < *s->limit; j++)
      x[j] += i * j;
}

// Changes what it is bounded by.
TEST_VALUE(int) growing(struct matrix *s, int *x) {
  int steps = 0;
  for (int i = 0; i < s->rows; i++) {
    x[i] = i + 1;
    steps++;
  }
  return steps;
}

// The flag is used behind the loops, too.
TEST_VALUE(int) used_behind(int n, const int *flag, int *x) {
  int last = -1;
  for (int i = 0; i < n; i++) {
    last = *flag;
    if (last > 2)
      x[i] += last;
  }
  return last;
}

// Pointers, floating-point numbers and counters of eight bits: the guard of the load is all that has to be tested.
TEST_FUNCTION only_guarded(unsigned char n, unsigned char k, unsigned char m, double **table, const float *x) {
  for (int i = 0; i < n; i++)
    for (int j = i + k; j < m; j++)
      table[3][j] += x[i + j];
}

TEST_FUNCTION volatile_bound(volatile int *n, int *x) {
  for (int i = 0; i < *n; i++)
    x[i] += 1;
}

enum { SIZE = 400 };
static int x[SIZE], y[SIZE], z[SIZE];

int main(void) {
  char *pages = mmap(0, 2 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + (1 << 16), 1 << 16, PROT_NONE))
    return 1;
  struct matrix *nowhere = (void *)(pages + (1 << 16));
  struct matrix *last = nowhere - 1;
  static float factors[64];
  static double sums[32];
  double *rows_of_sums[4] = {0, 0, 0, sums};
  FILL(factors, 64, 4);
  for (volatile int n = 0; n < 14; n++) {
    only_guarded((unsigned char)n, (unsigned char)hidden(3), (unsigned char)hidden(2 * n), rows_of_sums, factors);
    SHOW("only_guarded", sums, 32);
    only_guarded((unsigned char)n, (unsigned char)hidden(2 * n), (unsigned char)hidden(n), (double **)hidden((intptr_t)nowhere), factors);
    only_guarded(0, 0, (unsigned char)hidden(n), (double **)hidden((intptr_t)nowhere), factors);
    FILL(x, SIZE, 1);
    FILL(y, SIZE, 2);
    FILL(z, SIZE, 3);
    struct matrix a = {(int)hidden(n), (int)hidden(n + 2), x}, b = {(int)hidden(n + 2), (int)hidden(n / 2), y},
                  c = {(int)hidden(n), (int)hidden(n / 2), z};
    product(&c, &a, &b);
    SHOW("product", z, 100);
    struct matrix empty = {0, 5, 0}, bad = {4, 0, (int *)nowhere};
    product((void *)hidden((intptr_t)nowhere), &empty, (void *)hidden((intptr_t)nowhere));
    product((void *)hidden((intptr_t)nowhere), (void *)hidden((intptr_t)&bad), &bad);
    struct matrix small = {3, 3, x};
    for (int i = 0; i < SIZE; i++)
      x[i] %= 10;
    product(&small, &small, &small);
    SHOW("itself", x, 20);
    // The numbers of columns are elements of the result.
    struct {
      int cells[6];
      struct matrix m;
    } odd = {{1, 2, 1, 0, 1, 1}, {2, 3, 0}};
    odd.m.data = (int *)&odd.m - 2 - (n % 3);
    struct matrix one = {(int)hidden(2), (int)hidden(1 + n % 2), z};
    for (int i = 0; i < 9; i++)
      z[i] = i % 3 == 0;
    product(&odd.m, &one, &one);
    SHOW("inside", odd.cells, 6);
    printf("%d %d\n", odd.m.rows, odd.m.columns);

    struct nested s = {&a, &a.rows};
    add_nested(&s, y);
    SHOW("nested", x, SIZE);
    struct nested broken = {(struct matrix *)hidden((intptr_t)&bad), 0};
    add_nested(&broken, (int *)hidden((intptr_t)nowhere));

    conditional((int)hidden(n), (int)hidden(n) > 8 ? &b : nowhere, x);
    conditional((int)hidden(n), (int)hidden(n) > 8 ? last : 0, y);
    last->columns = n;
    SHOW("conditional", x, SIZE);

    struct vector v = {x, x + 3 * hidden(n)}, w = {y, y}, none = {0, 0};
    vectors(&v, &w);
    vectors(&none, (void *)hidden((intptr_t)nowhere));
    w.begin = x + 1;
    vectors(&v, &w);
    SHOW("vectors", x, 60);

    if (!setjmp(back))
      early_exit((int)hidden(n), &b, y);
    if (!setjmp(back))
      early_exit((int)hidden(n), &c, y);
    struct matrix short_one = {(int)hidden(n / 3), 0, (int *)(n / 3 == 0 ? (void *)nowhere : (void *)x)};
    if (!setjmp(back))
      early_exit((int)hidden(n), &short_one, y);
    SHOW("early_exit", y, 40);

    struct matrix rows = {(int)hidden(4), 0, 0};
    if (!setjmp(back))
      after_stop((int)hidden(n), &rows, nowhere, x);
    if (!setjmp(back))
      behind_stop((int)hidden(n), &rows, nowhere, x);
    rows.rows = 12;
    last->columns = 3;
    if (!setjmp(back))
      after_stop((int)hidden(n), &rows, last, x);
    if (!setjmp(back))
      behind_stop((int)hidden(n), &rows, last, x);
    behind_stop(6, &rows, nowhere, x);
    SHOW("after_stop", x, 40);

    struct nested unset = {(struct matrix *)hidden((intptr_t)nowhere), &a.rows};
    stored_before((int)hidden(n), &unset, &unset.inner, &b, x);
    struct matrix *elsewhere;
    unset.inner = &c;
    stored_before((int)hidden(n), &unset, &elsewhere, &b, x);
    unset.inner = (struct matrix *)hidden((intptr_t)nowhere);
    stored_before(0, &unset, &elsewhere, &b, x);
    SHOW("stored_before", x, 40);

    pointer_bound((int)hidden(n), &unset, x);
    unset.limit = &x[3];
    x[3] = (int)hidden(5);
    pointer_bound((int)hidden(n), &unset, x);
    unset.limit = (int *)nowhere;
    pointer_bound(0, &unset, x);
    pointer_bound(0, (void *)nowhere, x);
    SHOW("pointer_bound", x, 40);

    struct {
      int before[4];
      struct matrix m;
      int after[40];
    } shared = {{0}, {(int)hidden(n), 1, 0}, {0}};
    printf("%d", growing(&shared.m, shared.after));
    printf(" %d", growing(&shared.m, shared.before));
    shared.m.rows = (int)hidden(n % 5);
    printf(" %d %d\n", growing(&shared.m, &shared.m.rows - n % 5), shared.m.rows);

    int flag = (int)hidden(n);
    printf("%d", used_behind((int)hidden(n), &flag, x));
    printf(" %d\n", used_behind((int)hidden(n), &x[n / 2], x));
    printf(" %d\n", used_behind(0, (int *)nowhere, x));
    volatile int bound = n;
    volatile_bound(&bound, x);
    SHOW("x", x, 40);
  }
  return 0;
}
