// Elements and values of 128 bits.
// poly: optimizes transposed sums mixed
#include "check.h"

#define N 20
typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

TEST_FUNCTION transposed(int n, wide a[N][N], wide b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i] * 3;
}

TEST_FUNCTION sums(int n, unsigned_wide *a, unsigned_wide b[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * 0x123456789abcdefULL + b[i][j] + (unsigned)(i + j);
}

TEST_FUNCTION mixed(long n, wide a[N][N], const int64_t *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[j][i] = (wide)b[i] * b[j] + (i - j) - (a[j][i] >> 3);
}

TEST_FUNCTION counted(wide n, wide step, int *a) {
  for (wide i = 0; i < n; i += step)
    a[(int)(i % N)] += (int)(i & 255);
}

static wide a[N][N], b[N][N];
static int64_t c[N];
static int d[N];

static void show(const char *label, const wide *p, int n) {
  printf("%s:", label);
  for (int i = 0; i < n; i++)
    printf(" %llx:%llx", (unsigned long long)(p[i] >> 64), (unsigned long long)p[i]);
  printf("\n");
}

int main(void) {
  static const int sizes[] = {0, 1, 6, N};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]);
    for (int i = 0; i < N * N; i++) {
      (&a[0][0])[i] = (wide)start_value(i) << (i % 90);
      (&b[0][0])[i] = (wide)start_value(i * 7) << (i % 60);
    }
    for (int i = 0; i < N; i++)
      c[i] = (int64_t)((uint64_t)start_value(i) << (3 * i));
    transposed(n, a, b);
    show("transposed", &a[0][0], N * N);
    sums(n, (unsigned_wide *)&a[0][0], (unsigned_wide(*)[N])b);
    show("sums", &a[0][0], N * N);
    mixed(n, a, c);
    show("mixed", &a[0][0], N * N);
    counted(n * 5, 1 + n % 3, d);
    SHOW("counted", d, N);
  }
  return 0;
}
