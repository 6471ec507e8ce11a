// Results that stay in vector registers are least and greatest values, choices and counts:
// comparisons of every kind with NaN, zeros of both signs and infinities, integers of both signs,
// partial tiles.
// poly: optimizes least least_float greatest greatest_i32 either count widest
#include "check.h"
#include <math.h>

#define N 45

// The shortest way over any point in the middle.
#define DEFINE_LEAST(name, type)                                                                                       \
  TEST_FUNCTION name(int n, int m, int l, type c[restrict N][N], type a[N][N], type b[N][N]) {                         \
    for (int i = 0; i < n; i++)                                                                                        \
      for (int j = 0; j < m; j++)                                                                                      \
        for (int k = 0; k < l; k++) {                                                                                  \
          type way = a[i][k] + b[k][j];                                                                                \
          c[i][j] = way < c[i][j] ? way : c[i][j];                                                                     \
        }                                                                                                              \
  }

DEFINE_LEAST(least, double)
DEFINE_LEAST(least_float, float)

// Where both are equal or one is no number, the other operand is chosen.
#define DEFINE_GREATEST(name, type)                                                                                    \
  TEST_FUNCTION name(int n, int m, int l, type c[restrict N][N], type a[N][N], type b[N][N]) {                         \
    for (int i = 0; i < n; i++)                                                                                        \
      for (int k = 0; k < l; k++)                                                                                      \
        for (int j = 0; j < m; j++) {                                                                                  \
          type way = a[i][k] * b[k][j];                                                                                \
          c[i][j] = c[i][j] >= way ? c[i][j] : way;                                                                    \
        }                                                                                                              \
  }

DEFINE_GREATEST(greatest, double)
DEFINE_GREATEST(greatest_i32, int32_t)

// What is chosen is neither of what is compared.
TEST_FUNCTION either(int n, double c[restrict N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] != b[k][j] ? a[i][k] : -0.5;
}

// A condition becomes a number.
TEST_FUNCTION count(int n, int32_t c[restrict N][N], int32_t a[N][N], int32_t b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] < b[k][j];
}

// The widest of the ways, each as wide as its narrowest part; along a triangle.
TEST_FUNCTION widest(int n, uint32_t c[restrict N][N], uint32_t a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = i; k < n; k++) {
        uint32_t way = a[k][i] < a[k][j] ? a[k][i] : a[k][j];
        c[i][j] = way > c[i][j] ? way : c[i][j];
      }
}

static double c[N][N], a[N][N], b[N][N];
static float fc[N][N], fa[N][N], fb[N][N];
static int32_t ic[N][N], ia[N][N], ib[N][N];

static const double special[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1.0, -1.0, 0x1p-1074};

// Small numbers, so that many are equal, and every so often a special one.
static void start(int every) {
  unsigned next = 7;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int number[3];
      for (int k = 0; k < 3; k++) {
        next = next * 1103515245u + 12345u;
        number[k] = (int)(next >> 16) % 19 - 9;
      }
      a[i][j] = number[0], b[i][j] = number[1], c[i][j] = number[2];
      if (every > 0 && (int)(next >> 8) % every == 0)
        *(next >> 4 & 1 ? &a[i][j] : next >> 5 & 1 ? &b[i][j] : &c[i][j]) = special[next >> 20 & 7];
      fa[i][j] = (float)a[i][j], fb[i][j] = (float)b[i][j], fc[i][j] = (float)c[i][j];
      ia[i][j] = number[0], ib[i][j] = number[1], ic[i][j] = number[2];
    }
}

#define OUTPUT(label, array) SHOW(label, &array[0][0], sizeof(array) / sizeof(array[0][0]))

static void run(int n, int m, int l, int every) {
  start(every);
  least(n, m, l, c, a, b);
  OUTPUT("least", c);
  least_float(n, m, l, fc, fa, fb);
  OUTPUT("least", fc);
  start(every);
  greatest(n, m, l, c, a, b);
  OUTPUT("greatest", c);
  greatest_i32(n, m, l, ic, ia, ib);
  OUTPUT("greatest", ic);
  start(every);
  either(n, c, a, b);
  OUTPUT("either", c);
  count(n, ic, ia, ib);
  OUTPUT("count", ic);
  widest(n, (uint32_t(*)[N])ic, (uint32_t(*)[N])ia);
  OUTPUT("widest", ic);
}

int main(void) {
  static const int sizes[][3] = {{0, 5, 5}, {1, 1, 1}, {3, 4, 2}, {7, 8, 9}, {12, 40, 17}, {31, 29, 30}, {45, 45, 45}, {40, 41, 0}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int every = 0; every < 40; every += 13)
      run((int)hidden(sizes[i][0]), (int)hidden(sizes[i][1]), (int)hidden(sizes[i][2]), every);
  return 0;
}
