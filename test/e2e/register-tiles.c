// Sums over one dimension whose results stay in vector registers: element types, storage orders, triangles, several statements, arrays that
// overlap, sizes around those of the tiles.
// poly: optimizes product_double product_float product_i32 product_i16 scaled triangle in_place grouped three_factors row_sums row_sums_float row_sums_i32 two_products forward
#include "check.h"

#define N 45

#define DEFINE_PRODUCT(name, type)                                                                                                 \
  TEST_FUNCTION product_##name(int n, int m, int l, type c[restrict N][N], type a[N][N], type b[N][N]) {                           \
    for (int i = 0; i < n; i++)                                                                                                    \
      for (int j = 0; j < m; j++)                                                                                                  \
        for (int k = 0; k < l; k++)                                                                                                \
          c[i][j] += a[i][k] * b[k][j];                                                                                            \
  }

DEFINE_PRODUCT(double, double)
DEFINE_PRODUCT(float, float)
DEFINE_PRODUCT(i32, int32_t)
DEFINE_PRODUCT(i64, int64_t)
DEFINE_PRODUCT(i16, int16_t)

// A factor that is the same for all columns, and one that is the same for all rows.
TEST_FUNCTION scaled(long n, double alpha, double c[restrict N][N], double a[N][N], double b[N][N], double *d) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i][j] += alpha * a[i][k] * (b[k][j] - d[j]);
}

// The rows of the first factor are stored as columns; the second one has stride two.
TEST_FUNCTION transposed(int n, double c[restrict N][N], double a[N][N], double b[N][2 * N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] -= a[k][i] * b[k][2 * j];
}

// Both factors are one array: only rows of the lower triangle are summed up, over rows further down.
TEST_FUNCTION triangle(int n, double c[restrict N][N], double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = i; k < n; k++)
        c[i][j] += a[k][i] * a[k][j];
}

// Results are factors of later results.
TEST_FUNCTION in_place(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < n; k++)
        b[i][j] += a[k][i] * b[k][j];
}

// Sums that share no row of an operand: each lane of a vector is a sum of its own.
TEST_FUNCTION row_sums(int n, int m, double *restrict y, double a[N][N], double *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += a[i][j] * x[j];
}

// The same with more and with fewer lanes than a row has elements, and rows that begin in the middle.
#define DEFINE_ROW_SUMS(name, type)                                                                                                \
  TEST_FUNCTION row_sums_##name(int n, int first, int m, type *restrict y, type a[N][N], type *x) {                                \
    for (int i = 0; i < n; i++)                                                                                                    \
      for (int j = first; j < m; j++)                                                                                              \
        y[i] = y[i] + a[i][j] * x[j - first];                                                                                      \
  }

DEFINE_ROW_SUMS(float, float)
DEFINE_ROW_SUMS(i32, int32_t)
DEFINE_ROW_SUMS(i64, int64_t)
DEFINE_ROW_SUMS(i16, int16_t)

// Two of them in one loop, from a triangle and from every second element, into the middle of an array.
TEST_FUNCTION two_products(int n, double *restrict y, float *restrict z, double a[N][N], float b[N][2 * N], double *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      y[2 + i] -= a[i][j] * x[j];
      z[i] += b[i][2 * j];
    }
}

// Every sum needs those before.
TEST_FUNCTION forward(int n, double *restrict y, double a[N][N], double *b) {
  for (int i = 0; i < n; i++) {
    y[i] = b[i];
    for (int j = 0; j < i; j++)
      y[i] -= a[i][j] * y[j];
    y[i] /= a[i][i];
  }
}

// A factorization: the divisions are between the sums.
TEST_FUNCTION factorize(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// The same for a symmetric matrix: what gives the columns is stored in rows, in the array that is written.
TEST_FUNCTION factorize_lower(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
  }
}

// Rows and columns of the lower triangle, where what gives the columns is written before by the same columns.
TEST_FUNCTION rows_of_results(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < n; k++)
        a[i][j] -= a[i][k] * a[j][k];
}

// Two sums in one loop, one of them updated twice.
TEST_FUNCTION grouped(int n, float c[restrict N][N], float d[restrict N][N], float a[N][N], float b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) {
        c[i][j] += a[i][k] * b[k][j];
        d[i][j] = d[i][j] * 0.5f + b[k][j];
        c[i][j] -= a[k][i];
      }
}

// Four dimensions; the outermost plays no part.
TEST_FUNCTION three_factors(int n, double c[restrict 3][N][N], double a[3][N][N], double b[N][N], double w[N]) {
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          c[r][i][j] += a[r][i][k] * b[k][j] * w[k];
}

// The result is read again at another place: nothing may stay in a register.
TEST_FUNCTION read_elsewhere(int n, double c[N][N], double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * c[k][j];
}

static double a[N][N], b[N][N], c[N][N], d[N][N], wide[N][2 * N], cube[3][N][N], cube2[3][N][N];
static float fa[N][N], fb[N][N], fc[N][N], fd[N][N], fwide[N][2 * N];
static int32_t ia[N][N], ib[N][N], ic[N][N];
static int64_t la[N][N], lb[N][N], lc[N][N];
static int16_t sa[N][N], sb[N][N], sc[N][N];

#define START(array, seed) FILL(&array[0][0], sizeof(array) / sizeof(array[0][0]), seed)
#define OUTPUT(label, array) SHOW(label, &array[0][0], sizeof(array) / sizeof(array[0][0]))

static void start(void) {
  START(a, 1), START(b, 2), START(c, 3), START(d, 4), START(wide, 5);
  START(fa, 1), START(fb, 2), START(fc, 3), START(fd, 4), START(fwide, 5);
  START(ia, 1), START(ib, 2), START(ic, 3);
  START(la, 1), START(lb, 2), START(lc, 3);
  START(sa, 1), START(sb, 2), START(sc, 3);
  FILL(&cube[0][0][0], sizeof cube / sizeof(double), 6);
  FILL(&cube2[0][0][0], sizeof cube2 / sizeof(double), 7);
  for (int i = 0; i < N; i++)
    a[i][i] += 60;
}

static void run(int n, int m, int l) {
  start();
  product_double(n, m, l, c, a, b);
  OUTPUT("double", c);
  product_float(n, m, l, fc, fa, fb);
  OUTPUT("float", fc);
  product_i32(n, m, l, ic, ia, ib);
  OUTPUT("int", ic);
  product_i64(n, m, l, lc, la, lb);
  OUTPUT("long", lc);
  product_i16(n, m, l, sc, sa, sb);
  OUTPUT("short", sc);
  scaled(n, 1.25, d, a, b, &c[1][0]);
  OUTPUT("scaled", d);
  transposed(n, d, a, wide);
  OUTPUT("transposed", d);
  triangle(n, d, a);
  OUTPUT("triangle", d);
  in_place(n, a, b);
  OUTPUT("in place", b);
  start();
  row_sums(n, m, d[0], a, b[1]);
  row_sums(m, n, &d[0][0] + N + 3, a, b[2]);
  row_sums_float(n, l % 3, m, fc[7], fa, fb[1]);
  row_sums_i32(n, l % 5, m, ic[7], ia, ib[1]);
  row_sums_i64(m, l % 2, n, lc[7], la, lb[1]);
  row_sums_i16(m, l % 7, n, sc[7], sa, sb[1]);
  OUTPUT("int sums", ic);
  OUTPUT("long sums", lc);
  OUTPUT("short sums", sc);
  two_products(n - (n > 2), &d[0][0] + 5 * N, fc[5], a, fwide, b[3]);
  forward(n, d[9], a, b[4]);
  OUTPUT("sums", d);
  OUTPUT("sums", fc);
  start();
  factorize(n, a);
  OUTPUT("factorized", a);
  start();
  factorize_lower(n, a);
  OUTPUT("lower factor", a);
  start();
  rows_of_results(n, a);
  OUTPUT("rows of results", a);
  grouped(n, fc, fd, fa, fb);
  OUTPUT("grouped", fc);
  OUTPUT("grouped", fd);
  three_factors(n, cube, cube2, b, c[2]);
  BY_ELEMENT(show, &cube[0][0][0])("cube", &cube[0][0][0], sizeof cube / sizeof(double));
  read_elsewhere(n, d, b);
  OUTPUT("elsewhere", d);
}

int main(void) {
  static const int sizes[][3] = {{0, 5, 5}, {1, 1, 1}, {3, 4, 2}, {7, 8, 9}, {12, 40, 17}, {31, 29, 30}, {45, 45, 45}, {40, 41, 0}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]), (int)hidden(sizes[i][2]));
  // Overlapping arrays: the original code runs.
  start();
  double(*shifted)[N] = (double(*)[N])(&b[0][0] + hidden(3));
  in_place((int)hidden(20), b, shifted);
  OUTPUT("overlap", b);
  return 0;
}
