// Bounds, factors and pointers that are loaded from memory, which the loop may change.
#include "check.h"

struct matrix {
  int rows, columns;
  double *data;
};

TEST_FUNCTION bound_behind_pointer(int *n, int *a) {
  for (int i = 0; i < *n; i++) // a may hold *n
    a[i] = a[i] / 2 + 9;
}

TEST_FUNCTION factor_behind_pointer(int n, double *a, const double *factor) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      a[i] = a[i] * *factor + j; // the factor may be an element of a
}

TEST_FUNCTION scale(struct matrix *m, double factor) {
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->columns; j++)
      m->data[i * m->columns + j] *= factor;
}

TEST_FUNCTION multiply(struct matrix *c, const struct matrix *a, const struct matrix *b) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++)
      for (int k = 0; k < a->columns; k++)
        c->data[i * c->columns + j] += a->data[i * a->columns + k] * b->data[k * b->columns + j];
}

int limit, step_size = 2;
static int table[64];

TEST_FUNCTION global_bound(int *a) {
  for (int i = 0; i < limit; i += step_size)
    a[i] += i;
}

static double x[900], y[900], z[900];

int main(void) {
  int numbers[64];
  for (int n = 0; n < 40; n = n * 2 + 3) {
    FILL(numbers, 64, n);
    numbers[5] = n;
    bound_behind_pointer(&numbers[5], numbers);
    SHOW("inside", numbers, 64);
    int outside = (int)hidden(n);
    bound_behind_pointer(&outside, numbers);
    SHOW("outside", numbers, 64);
    FILL(x, 900, 1);
    FILL(y, 900, 2);
    FILL(z, 900, 3);
    x[n / 2] = 0.5;
    factor_behind_pointer((int)hidden(n), x, &x[hidden(n / 2)]);
    SHOW("factor", x, 100);
    factor_behind_pointer((int)hidden(n), x, &y[3]);
    SHOW("factor", x, 100);
    for (int i = 0; i < 900; i++)
      x[i] = start_value(i) * 0.25;
    struct matrix a = {(int)hidden(n % 20), (int)hidden(n % 13), x}, b = {(int)hidden(n % 13), (int)hidden(n % 17), y},
                  c = {(int)hidden(n % 20), (int)hidden(n % 17), z};
    multiply(&c, &a, &b);
    scale(&c, 0.5);
    SHOW("multiply", z, 900);
    struct matrix self = {12, 12, z};
    for (int i = 0; i < 144; i++) // small, so that nothing overflows
      z[i] *= 1e-6;
    multiply(&self, &self, &self);
    SHOW("self", z, 900);
    limit = (int)hidden(n);
    global_bound(table);
    limit = (int)hidden(7);
    SHOW("table", table, 64);
  }
  return 0;
}
