// Matrices whose rows are pieces of memory of their own, found by tables of pointers: sweeps of
// Gauss and Seidel, forwards and backwards. Between executions columns change, rows become shorter,
// move to other memory, exchange their places, and end where nothing can be accessed.
// poly: optimizes forwards
// poly: optimizes backwards
// poly: optimizes symmetric
// poly: optimizes two_tables
#include <stdlib.h>

#include "check.h"
#include "pages.h"

#define N 150
#define LONGEST 12

TEST_FUNCTION forwards(int n, const int *length, int *const *cols, double *const *vals, double *const *diagonal,
                       const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    const double *v = vals[i];
    const int *c = cols[i];
    double d = diagonal[i][0], s = b[i];
    for (int k = 0; k < length[i]; k++)
      s -= v[k] * x[c[k]];
    s += x[i] * d;
    x[i] = s / d;
  }
}

TEST_FUNCTION backwards(int n, const int *length, int *const *cols, double *const *vals, const double *b, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    double s = b[i];
    for (int k = 0; k < length[i]; k++)
      s -= vals[i][k] * x[cols[i][k]];
    x[i] = s * 0.25;
  }
}

TEST_FUNCTION symmetric(int n, int sweeps, const int *length, int *const *cols, double *const *vals, double *x) {
  for (int t = 0; t < sweeps; t++) {
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = 0; k < length[i]; k++)
        s -= vals[i][k] * x[cols[i][k]];
      x[i] = s * 0.5;
    }
    for (int i = n - 1; i >= 0; i--) {
      double s = 1;
      for (int k = 0; k < length[i]; k++)
        s -= vals[i][k] * x[cols[i][k]];
      x[i] = s * 0.5;
    }
  }
}

// Rows of two kinds in turn, which are read side by side.
TEST_FUNCTION two_tables(int n, const int *length, int *const *cols, int *const *others, double *x) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < length[i]; k++)
      s += x[cols[i][k]] - x[others[i][k]] * 0.5;
    x[i] = s * 0.125 + i;
  }
}

static int length[N], *cols[N], *others[N];
static double *vals[N], *diagonal[N], x[N + 8], b[N + 8];
static unsigned state = 1;

static int below(int n) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 8) % (unsigned)n);
}

// Every third row ends where nothing can be accessed.
static void *row_of(int i, size_t bytes) {
  return i % 3 == 0 ? bounded(bytes, 1) : malloc(bytes);
}

static void make(void) {
  for (int i = 0; i < N; i++) {
    length[i] = i % 17 == 5 ? 0 : 1 + below(LONGEST);
    size_t count = (size_t)(length[i] > 0 ? length[i] : 1);
    cols[i] = row_of(i, count * sizeof(int));
    others[i] = row_of(i, count * sizeof(int));
    vals[i] = row_of(i, count * sizeof(double));
    diagonal[i] = malloc(sizeof(double));
    diagonal[i][0] = 3 + i % 5;
    for (int k = 0; k < length[i]; k++) {
      cols[i][k] = below(8) ? (i + N - below(9)) % N : below(N);
      others[i][k] = below(N);
      vals[i][k] = 0.01 * (k + i % 7);
    }
  }
  for (int i = 0; i < N + 8; i++)
    x[i] = 0.5 * i - 9, b[i] = 1 + i % 13;
}

static void execute(const char *label) {
  printf("%s\n", label);
  int n = (int)hidden(N);
  for (int again = 0; again < 2; again++) {
    forwards(n, length, cols, vals, diagonal, b, x);
    SHOW("forwards", x, N);
    backwards(n, length, cols, vals, x + 3, x);
    SHOW("backwards", x, N + 8);
    symmetric(n, 3, length, cols, vals, x);
    SHOW("symmetric", x, N);
    two_tables(n, length, cols, others, x);
    SHOW("two tables", x, N);
  }
}

int main(void) {
  make();
  execute("new");
  for (int i = 1; i < N; i += 11)
    if (length[i] > 0)
      cols[i][length[i] - 1] = below(N);
  execute("other columns");
  for (int i = 0; i < N; i += 3)
    if (length[i] > 1)
      length[i] /= 2;
  execute("shorter");
  for (int i = 2; i < N; i += 5) {
    int *moved = malloc((size_t)(length[i] + 1) * sizeof(int));
    for (int k = 0; k < length[i]; k++)
      moved[k] = N - 1 - cols[i][k];
    if (i % 3)
      free(cols[i]);
    cols[i] = moved;
  }
  execute("moved");
  for (int i = 0; i + 1 < N; i += 2) {
    int *row = cols[i], count = length[i] < length[i + 1] ? length[i] : length[i + 1];
    cols[i] = cols[i + 1], cols[i + 1] = row;
    length[i] = length[i + 1] = count;
  }
  execute("exchanged");
  // All rows are one.
  for (int i = 0; i < N; i++) {
    cols[i] = cols[0];
    length[i] = length[i] < length[0] ? length[i] : length[0];
  }
  execute("one row");
  return 0;
}
