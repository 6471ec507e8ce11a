// Arrays whose rows are reached through a table of pointers: the first subscript is the number of the row.
// RUN: %clang -O2 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt %loadpoly -poly-force -poly-only-func=transposed -passes='loop-simplify,lcssa,poly' -S %t.ll | %FileCheck --check-prefix=CODE %s

// CHECK-LABEL: SCoPs of function 'transposed':
// CHECK:      array double b[*]
// CHECK-NEXT: array double a[row][*]
// CHECK-NEXT: array ptr a_rows[*]
// CHECK-NEXT: may alias: b, a
// CHECK:      write {{.*}} -> a[i0, i1] }

// The pointers are loaded once before, in order, if a row is used at all.
// CODE-LABEL: define {{.*}}@transposed(
// CODE:       br i1 %{{.*}}, label %poly.check.rows{{.*}}, label %poly.check.rows.after
// CODE:       poly.check.rows:
// CODE:       [[ROW:%.*]] = load ptr, ptr %{{.*}}, align 1
// CODE-NEXT:  freeze ptr [[ROW]]
// CODE:       poly.check.rows.after:
// CODE:       poly.opt:
// CODE:       load ptr, ptr %{{.*}}, align 1, !alias.scope
void transposed(int n, int m, double **a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += b[j * 100 + i];
}

// The pointers are parts of structures.
// CHECK-LABEL: SCoPs of function 'structures':
// CHECK: array double a[row][*]
// CHECK: write {{.*}} -> a[1 + 3i0, i1] }
struct row {
  long length;
  double *data;
  long number;
};
void structures(int n, struct row *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i].data[j] *= j;
}

// Matrices behind one pointer.
// CHECK-LABEL: SCoPs of function 'of_structure':
// CHECK: array double M0[row][*]
// CHECK: array double M2[row][*]
// CHECK: write {{.*}}[i1, i0] }
struct matrix {
  int rows, columns;
  double **data;
};
void of_structure(struct matrix *c, const struct matrix *a) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < a->columns; j++)
      c->data[j][i] += a->data[i][j];
}

// Bytes may be part of the table, and of each other's.
// CHECK-LABEL: SCoPs of function 'bytes':
// CHECK:      may alias: b, a
// CHECK-NEXT: may alias: b_rows, a
// CHECK-NEXT: may alias: a, a_rows
void bytes(int n, unsigned char **a, unsigned char **b) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] += b[j][i];
}

// The pointer is not loaded where the condition is false: not in the model of the nest.
// CHECK-LABEL: SCoPs of function 'conditional':
// CHECK-NOT: [row]
// CHECK: the base address of an access is {{.*}}, which changes inside the region
void conditional(int n, double **a, const int *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[i * 7 + j] > 0)
        a[j][i] += 1;
}

// Tables of tables, tables that are written.
// CHECK-LABEL: SCoPs of function 'two_levels':
// CHECK-NOT: [row]
void two_levels(int n, double ***a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[k][i][j] += i;
}

// CHECK-LABEL: SCoPs of function 'replaced':
// CHECK-NOT: [row]
void replaced(int n, double **a, double **b) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      a[i][j] = 1;
      a[i] = b[i];
    }
}

// The optimizer loads every pointer once and hands it on to the next iterations: rows i - 1, i and i + 1.
// CHECK-LABEL: SCoPs of function 'handed_on':
// CHECK: array double {{.*}}[row][*]
// CHECK-DAG: -> [[A:M[0-9]+|a]][i0, 1 + i1] }
// CHECK-DAG: -> [[A]][2 + i0, 1 + i1] }
// CHECK-DAG: -> [[A]][1 + i0, i1] }
// CHECK-DAG: -> [[A]][1 + i0, 2 + i1] }
void handed_on(int n, double **restrict a, double **b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}

// A pointer from elsewhere comes first.
// CHECK-LABEL: SCoPs of function 'from_elsewhere':
// CHECK: the base address of an access is {{.*}}, which changes inside the region
void from_elsewhere(int n, double **a, double *before) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] += before[j];
    before = a[i];
  }
}

// That there are rows and columns is assumed, so the nest has one domain, and its rows have one end.
// CHECK-LABEL: SCoPs of function 'of_unknown_size':
// CHECK: assume non-negative: [n, m] -> { : n > 0 } because a loop that runs at least once has a size of at least one
// CHECK: assume non-negative: [n, m] -> { : m > 0 } because a loop that runs at least once has a size of at least one
// CHECK: domain: [n, m] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
// CHECK: write {{.*}} -> a[1 + 3i0, i1] }
void of_unknown_size(unsigned long n, unsigned long m, struct row *a) {
  unsigned long i = 0;
  do {
    unsigned long j = 0;
    do
      a[i].data[j] *= 0.5;
    while (++j < m);
  } while (++i < n);
}

// Every element of the table begins with a pointer: the number of the row is that of the element.
// CHECK-LABEL: SCoPs of function 'elements':
// CHECK: read {{.*}} -> v[2 + i0, i1] }
// CHECK: write {{.*}} -> v[i0, i1] }
struct vector {
  double *begin, *end, *room;
};
void elements(int n, struct vector *v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      v[i].begin[j] = v[i + 2].begin[j];
}

// Not all rows begin an element.
// CHECK-LABEL: SCoPs of function 'both_ends':
// CHECK: read {{.*}} -> v[1 + 3i0, i1] }
// CHECK: write {{.*}} -> v[3i0, i1] }
void both_ends(int n, struct vector *v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      v[i].begin[j] = v[i].end[j];
}

// The size of a loop that depends on another one may be zero.
// CHECK-LABEL: SCoPs of function 'triangle':
// CHECK-NOT: has a size of at least one
// CHECK: domain: [n] -> { S0[i0, i1 = 0] : 0 <= i0 < n and i0 <= 1; S0[i0, i1] : 2 <= i0 < n and 0 <= i1 < i0 }
void triangle(long n, double **a) {
  for (long i = 0; i < n; i++) {
    long j = 0;
    do
      a[i][j] *= 0.5;
    while (++j < i);
  }
}
