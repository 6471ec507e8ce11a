// Vectors of vectors as C++ makes them, three pointers each, with sizes that are distances of pointers; and rows whose pointers the iterations of a loop hand on to the next one. Rows lie in any order,
// are shared, overlap, are shorter than others, or are not there.
// poly: optimizes product
// poly: optimizes columns
// poly: optimizes transposed_times
// poly: optimizes added
// poly: optimizes swapped
// poly: optimizes updated
// poly: optimizes heated
#include "check.h"

#define N 20
#define ROOM (4 * N * N)

struct vector {
  double *begin, *end, *room;
};

struct grid {
  struct vector *begin, *end, *room;
};

static inline size_t size(const struct vector *v) { return (size_t)(v->end - v->begin); }
static inline size_t rows(const struct grid *g) { return (size_t)(g->end - g->begin); }

TEST_FUNCTION product(const struct grid *a, const struct grid *b, struct grid *c) {
  for (size_t i = 0; i < rows(a); i++)
    for (size_t j = 0; j < size(&b->begin[0]); j++) {
      double s = 0;
      for (size_t k = 0; k < rows(b); k++)
        s += a->begin[i].begin[k] * b->begin[k].begin[j];
      c->begin[i].begin[j] = s;
    }
}

// As `for (const auto &row : grid)` does it.
TEST_FUNCTION columns(const struct grid *g, struct vector *s) {
  for (size_t j = 0; j < size(s); j++) {
    s->begin[j] = 0;
    for (const struct vector *row = g->begin; row != g->end; row++)
      s->begin[j] += row->begin[j];
  }
}

TEST_FUNCTION transposed_times(const struct grid *a, const struct vector *x, struct vector *y) {
  for (size_t j = 0; j < size(y); j++) {
    double s = 0;
    for (size_t i = 0; i < size(x); i++)
      s += a->begin[i].begin[j] * x->begin[i];
    y->begin[j] = s;
  }
}

TEST_FUNCTION added(struct grid *a, const struct grid *b, const struct grid *c) {
  for (size_t j = 0; j < size(&a->begin[0]); j++)
    for (size_t i = 0; i < rows(a); i++)
      a->begin[i].begin[j] = b->begin[i].begin[j] + c->begin[i].begin[j];
}

// Two grids that change places. The optimizer keeps the pointers to three rows and hands two of them on.
TEST_FUNCTION swapped(int n, int m, int steps, double **a, double **b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    double **kept = a;
    a = b;
    b = kept;
  }
}

TEST_FUNCTION heated(const struct grid *a, const struct grid *b, int m, int steps) {
  int n = (int)rows(a);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b->begin[i].begin[j] = 0.25 * (a->begin[i - 1].begin[j] + a->begin[i + 1].begin[j] + a->begin[i].begin[j - 1] + a->begin[i].begin[j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a->begin[i].begin[j] = b->begin[i].begin[j];
  }
}

// In place: what one row gets, the next one reads.
TEST_FUNCTION updated(int n, int m, int steps, double **a) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// Pointers that are handed on but do not come from the row before.
TEST_FUNCTION last_one(int n, int m, double **a, double **b) {
  double *before = b[3];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      a[i][j] += before[j] * 0.5;
    before = a[i];
  }
}

// The table changes before the loop, behind the load.
TEST_FUNCTION changed(int n, int m, double **a, double *other) {
  double *before = a[0];
  a[0] = other;
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < m; j++)
      a[i][j] += before[j] * 0.5;
    before = a[i];
  }
}

static double x[ROOM], y[ROOM], z[ROOM];
static struct vector all[3][N];

static struct grid grid(int which, double *memory, int n, int m, int layout) {
  struct grid g = {all[which], all[which] + n, all[which] + N};
  for (int i = 0; i < N; i++) {
    double *row;
    int length = m;
    switch (layout) {
    case 0: row = memory + i * N; break;
    case 1: row = memory + (N - 1 - i) * (N + 4); break;
    case 2: row = memory + (i * 7 % N) * N; break;
    case 3: row = memory + i / 2 * N; break;
    case 4: row = memory + i * (N - 3); break;
    case 5: row = memory + i * (N + 2), length = m - i > 0 ? m - i : 0; break; // ragged
    default: row = memory + i * (N + 1); break;
    }
    g.begin[i] = (struct vector){row, row + length, row + length};
  }
  return g;
}

static void fill(int seed) {
  FILL(x, ROOM, seed);
  FILL(y, ROOM, seed + 1);
  FILL(z, ROOM, seed + 2);
}

static void show(const char *what) {
  SHOW(what, x, ROOM);
  SHOW(what, y, ROOM);
}

static void vectors(int n, int m, int layout) {
  struct grid a = grid(0, x, n, m, layout), b = grid(1, y, n, m, layout), c = grid(2, z, n, m, (layout + 1) % 7);
  struct vector s = {y + hidden(3), y + 3 + m, y + 3 + m}, w = {z + hidden(1), z + 1 + n, z + 1 + n};
  fill(layout);
  if (n > 0) {
    product(&b, &c, &a);
    show("product");
    product(&b, &a, &a); // the result is a factor
    show("product in place");
  }
  fill(layout);
  columns(&a, &s);
  show("columns");
  columns(&b, &s); // the sums are in a row
  show("columns in place");
  transposed_times(&a, &w, &s);
  transposed_times(&b, &w, &s);
  show("transposed_times");
  if (n > 0) {
    added(&a, &b, &c);
    added(&a, &a, &c);
    show("added");
    struct grid d = a; // rows of one in another place of the other
    d.begin++;
    if (d.begin < d.end)
      added(&d, &a, &c);
    show("added beside");
  }
}

static void tables(int n, int m, int layout) {
  double *p[N + 1], *q[N + 1];
  struct grid a = grid(0, x, n, m, layout), b = grid(1, y, n, m, layout);
  for (int i = 0; i < N; i++)
    p[i] = a.begin[i].begin, q[i] = b.begin[i].begin;
  p[N] = p[0], q[N] = q[0];
  for (int steps = 0; steps < 4; steps++) {
    fill(steps);
    swapped(n, m, (int)hidden(steps), p, q);
    show("swapped");
    swapped(n, m, (int)hidden(steps), p, p);
    swapped(n - 1, m, (int)hidden(steps), p + 1, p);
    swapped(n - 1, m, (int)hidden(steps), p, p + 1);
    show("swapped with itself");
    updated(n, m, (int)hidden(steps), q);
    show("updated");
  }
  fill(8);
  heated(&a, &b, m, 5);
  heated(&b, &b, m, 5);
  show("heated");
  fill(9);
  last_one(n, m, p, q);
  last_one(n, m, p, p);
  show("last_one");
  changed(n, m, p, z);
  changed(n, m, q, y + hidden(5));
  show("changed");
}

int main(void) {
  for (int layout = 0; layout < 7; layout++)
    for (int n = 0; n <= N; n += 5) {
      vectors((int)hidden(n), (int)hidden(n), (int)hidden(layout));
      vectors((int)hidden(n), (int)hidden(n / 2), (int)hidden(layout));
      tables((int)hidden(n), (int)hidden(N), (int)hidden(layout));
    }

  // Nothing there: no rows, and rows without elements.
  struct vector none[N] = {{0}}, empty = {0};
  struct grid nothing = {0}, hollow = {none, none + hidden(N), none + N};
  columns(&nothing, &empty);
  columns(&hollow, &empty);
  columns(&nothing, &(struct vector){x, x + hidden(4), x + 4});
  transposed_times(&hollow, &empty, &(struct vector){y, y + hidden(4), y + 4});
  added(&hollow, &hollow, &hollow);
  double *pointers[N] = {0};
  swapped((int)hidden(N), (int)hidden(2), (int)hidden(3), pointers, pointers);
  updated((int)hidden(N), (int)hidden(1), (int)hidden(3), pointers);
  show("nothing");

  // Rows that are nowhere beside rows that are used.
  for (int i = 0; i < N; i++)
    pointers[i] = i > 4 && i < 15 ? x + i * N : NULL;
  updated((int)hidden(10), (int)hidden(N), (int)hidden(3), pointers + 5);
  show("some rows");
  return 0;
}
