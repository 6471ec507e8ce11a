// The same nest over every element type, with the conversions that C makes.
// poly: optimizes sums_double sums_float sums_int32_t sums_int64_t
#include "check.h"

#define N 20

#define DEFINE_SUMS(type)                                                                                                          \
  TEST_FUNCTION sums_##type(int n, type a[N][N], type b[N][N], type c[N][N]) {                                                     \
    for (int i = 0; i < n; i++)                                                                                                    \
      for (int j = 0; j < n; j++)                                                                                                  \
        for (int k = 0; k < n; k++)                                                                                                \
          a[i][j] = (type)(a[i][j] + b[i][k] * c[k][j]);                                                                           \
  }                                                                                                                                \
  static void test_##type(void) {                                                                                                  \
    static type a[N][N], b[N][N], c[N][N];                                                                                         \
    for (int n = 0; n <= N; n += 5) {                                                                                              \
      FILL(&a[0][0], N * N, 1);                                                                                                    \
      FILL(&b[0][0], N * N, 2);                                                                                                    \
      FILL(&c[0][0], N * N, 3);                                                                                                    \
      sums_##type((int)hidden(n), a, b, c);                                                                                        \
      SHOW(#type, &a[0][0], N * N);                                                                                                \
    }                                                                                                                              \
  }

DEFINE_SUMS(double)
DEFINE_SUMS(float)
DEFINE_SUMS(int8_t)
DEFINE_SUMS(uint8_t)
DEFINE_SUMS(int16_t)
DEFINE_SUMS(uint16_t)
DEFINE_SUMS(int32_t)
DEFINE_SUMS(uint32_t)
DEFINE_SUMS(int64_t)
DEFINE_SUMS(uint64_t)

TEST_FUNCTION mixed(int n, double d[N][N], float f[N][N], int32_t i32[N][N], uint8_t u8[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      d[i][j] += f[j][i] * i32[i][j];
      f[j][i] = (float)(d[i][j] / 3);
      u8[i][j] = (uint8_t)(u8[i][j] + i32[j][i]);
      i32[i][j] += u8[i][j];
    }
}

TEST_FUNCTION odd_types(int n, long double l[N], _Bool b[N], __int128 w[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      l[i] = l[i] / 2 + j;
      b[i] = b[i] ^ (j % 3 == 0);
      w[i] = w[i] * 3 + j;
    }
}

int main(void) {
  test_double();
  test_float();
  test_int8_t();
  test_uint8_t();
  test_int16_t();
  test_uint16_t();
  test_int32_t();
  test_uint32_t();
  test_int64_t();
  test_uint64_t();
  static double d[N][N];
  static float f[N][N];
  static int32_t i32[N][N];
  static uint8_t u8[N][N];
  FILL(&d[0][0], N * N, 1);
  FILL(&f[0][0], N * N, 2);
  FILL(&i32[0][0], N * N, 3);
  FILL(&u8[0][0], N * N, 4);
  mixed((int)hidden(N), d, f, i32, u8);
  SHOW("d", &d[0][0], N * N);
  SHOW("f", &f[0][0], N * N);
  SHOW("i32", &i32[0][0], N * N);
  SHOW("u8", &u8[0][0], N * N);
  long double l[N] = {1.5L, -2};
  _Bool b[N] = {1, 0, 1};
  __int128 w[N] = {1, -5, 7};
  odd_types((int)hidden(N), l, b, w);
  for (int i = 0; i < N; i++)
    printf("%La %d %llx %llx\n", l[i], b[i], (unsigned long long)(w[i] >> 64), (unsigned long long)w[i]);
  return 0;
}
