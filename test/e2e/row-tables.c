// Matrices whose rows are reached through a table of pointers, and all that can be wrong with them: rows in any order, rows that are shared, that overlap in part, tables that
// lie inside of rows, tables without rows, rows that are shorter than others.
// poly: optimizes product
// poly: optimizes transposed
// poly: optimizes stencil
// poly: optimizes middle
// poly: optimizes every_third
// poly: optimizes cleared
// poly: optimizes own_table
// poly: optimizes of_structure
#include "check.h"

#define N 20
#define ROOM (4 * N * N)

TEST_FUNCTION product(int n, double **c, double **a, double **b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

TEST_FUNCTION transposed(int n, int m, double **a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += b[j * N + i];
}

// Neighbouring rows of one table.
TEST_FUNCTION stencil(int n, double **a, double **b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

// Rows under an affine condition, of which only a part is used.
TEST_FUNCTION middle(int n, int m, double **a) {
  for (int j = 2; j < m; j++)
    for (int i = 3; i < n; i++)
      a[i][j] += a[i][j - 2] * 0.5;
}

// The pointers to the rows are parts of structures.
struct row {
  int length;
  double *data;
  long id;
};

TEST_FUNCTION every_third(int n, struct row *a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i].data[j] += b[j * N + i];
}

TEST_FUNCTION cleared(int n, double **a, double **b) {
  for (int i = 0; i < n; i++) {
    memset(a[i], 0, (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i];
  }
}

// Elements may be part of the table: these types may alias everything.
TEST_FUNCTION own_table(int n, unsigned char **a, unsigned char **b) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = (unsigned char)(a[i][j] + b[j][i] + j);
}

struct matrix {
  int rows, columns;
  double **data;
};

TEST_FUNCTION of_structure(struct matrix *c, const struct matrix *a) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < a->columns; j++)
      c->data[j][i] += a->data[i][j];
}

// The row is not executed where the condition on data is false: its pointer may be anything.
TEST_FUNCTION chosen(int n, double **a, const int *is_there) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (is_there[i] > 0)
        a[i][j] += j;
}

// The table changes.
TEST_FUNCTION swapped(int n, double **a, double *spare) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] += j;
    double *row = a[i];
    a[i] = spare;
    spare = row;
  }
}

// Two levels of tables.
TEST_FUNCTION two_levels(int n, double ***a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i][j][k] += i + j * k;
}

static double x[ROOM], y[ROOM], z[ROOM];

static void set_up(double **table, double *memory, int layout) {
  for (int i = 0; i < N; i++)
    switch (layout) {
    case 0: table[i] = memory + i * N; break;
    case 1: table[i] = memory + (N - 1 - i) * N; break;
    case 2: table[i] = memory + (i * 7 % N) * N; break;
    case 3: table[i] = memory + i / 2 * N; break;
    case 4: table[i] = memory + i * (N - 3); break;
    case 5: table[i] = memory + 2 * i * N; break;      // every other row belongs to
    case 6: table[i] = memory + (2 * i + 1) * N; break; // somebody else
    default: table[i] = memory + (N - 1 - i) * (N + 5); break;
    }
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

static void matrices(int n, int layout) {
  double *p[N], *q[N], *r[N];
  set_up(p, x, layout);
  set_up(q, y, layout);
  set_up(r, z, (layout + 1) % 8);
  fill(layout);
  product(n, p, q, r);
  show("product");
  fill(layout);
  product(n, p, q, p); // the result is a factor
  show("product in place");
  transposed(n, n, p, z);
  transposed(n, 0, p, z);
  transposed(n, n, p, x);
  show("transposed");
  fill(layout);
  stencil(n, p, q);
  stencil(n, p, p);
  show("stencil");
  middle(n, n, p);
  middle(n, 5, q);
  show("middle");
  cleared(n, p, q);
  show("cleared");
  struct row rows[N];
  for (int i = 0; i < N; i++)
    rows[i] = (struct row){N, p[i], i};
  every_third(n, rows, z);
  show("every_third");
  struct matrix c = {n, n, p}, a = {n, n, q};
  of_structure(&c, &a);
  of_structure(&c, &c);
  show("of_structure");
}

int main(void) {
  for (int layout = 0; layout < 8; layout++)
    for (int n = 0; n <= N; n += 5)
      matrices((int)hidden(n), (int)hidden(layout));

  // Interleaved rows.
  double *p[N], *q[N];
  set_up(p, x, 5);
  set_up(q, x, 6);
  fill(1);
  product((int)hidden(N), p, q, q);
  show("interleaved");

  // Rows without memory are not touched: no columns, or nothing is there.
  double *nothing[N] = {0};
  transposed((int)hidden(N), (int)hidden(0), nothing, z);
  middle((int)hidden(N), (int)hidden(2), nothing);
  int is_there[N];
  for (int i = 0; i < N; i++) {
    is_there[i] = i % 3;
    nothing[i] = is_there[i] ? x + i * N : NULL;
  }
  chosen((int)hidden(N), nothing, is_there);
  show("chosen");

  // A table of which only the used part is readable would end here.
  set_up(p, x, 0);
  double **small = malloc(3 * sizeof *small);
  memcpy(small, p, 3 * sizeof *small);
  transposed((int)hidden(3), (int)hidden(N), small, z);
  free(small);
  set_up(p, x, 0);
  swapped((int)hidden(N), p, z);
  show("swapped");
  double **levels[N];
  for (int i = 0; i < N; i++)
    levels[i] = p + i / 4;
  two_levels((int)hidden(8), levels);
  show("two_levels");

  // Bytes: rows that contain the table itself.
  static unsigned char bytes[64 * N];
  unsigned char *rows[2 * N];
  for (int i = 0; i < N; i++) {
    rows[i] = bytes + i * N;
    rows[N + i] = bytes + (32 + i) * N;
  }
  own_table((int)hidden(N), rows, rows + N);
  own_table((int)hidden(N), rows, rows);
  SHOW("own_table", bytes, 64 * N);
  unsigned char *self[4], place[4];
  for (int i = 0; i < 4; i++)
    self[i] = i == 3 ? (unsigned char *)self + sizeof self - 2 : place;
  unsigned char zero[4] = {0}, *zeros[4] = {zero, zero, zero, zero};
  place[0] = place[1] = place[2] = place[3] = 7;
  // Adds the number of the column to bytes of the last pointer that are zero, and above all addresses.
  unsigned char *last = self[3];
  own_table((int)hidden(2), self + 2, zeros);
  printf("self: %d %d %d\n", place[0], place[1], self[3] == last);
  return 0;
}
