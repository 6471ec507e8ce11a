// Integer bodies: wrapping unsigned arithmetic, shifts, divisions by data, saturation, no trap that the source lacks.
#include "check.h"

#define N 24

TEST_FUNCTION mix(int n, uint32_t a[N][N], uint32_t b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = (a[i][j] * 2654435761u ^ b[j][i] >> (j & 7)) + (b[j][i] << (i & 15));
}

TEST_FUNCTION guarded_division(int n, int a[N][N], int b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[i][j] != 0)
        a[i][j] = a[i][j] / b[i][j] + a[i][j] % b[i][j];
}

TEST_FUNCTION division_by_parameter(int n, int d, int a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += (i - j) / d; // d may be zero when n is
}

TEST_FUNCTION saturate(int n, int16_t a[N][N], int16_t b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int sum = a[i][j] * 900 + b[j][i] * 700;
      a[i][j] = (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
    }
}

TEST_FUNCTION near_overflow(int n, int *a, int *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] = b[j] - a[i]; // stays in range in this order only
}

TEST_FUNCTION average(int n, uint8_t a[N][N], uint8_t b[N][N]) {
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j + 1 < n; j++)
      a[i][j] = (uint8_t)((b[i][j] + b[i + 1][j] + b[i][j + 1] + b[i + 1][j + 1] + 2) / 4);
}

static uint32_t u[N][N], w[N][N];
static int a[N][N], b[N][N];
static int16_t s[N][N], t[N][N];
static uint8_t x[N][N], y[N][N];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 4) {
    int h = (int)hidden(n);
    FILL(&u[0][0], N * N, 1);
    FILL(&w[0][0], N * N, 2);
    FILL(&a[0][0], N * N, 3);
    FILL(&b[0][0], N * N, 4);
    FILL(&s[0][0], N * N, 5);
    FILL(&t[0][0], N * N, 6);
    FILL(&x[0][0], N * N, 7);
    mix(h, u, w);
    mix(h, u, u);
    SHOW("mix", &u[0][0], N * N);
    guarded_division(h, a, b);
    SHOW("guarded_division", &a[0][0], N * N);
    division_by_parameter(h, (int)hidden(n), a);
    SHOW("division_by_parameter", &a[0][0], N * N);
    saturate(h, s, t);
    SHOW("saturate", &s[0][0], N * N);
    int big[N], small[N];
    for (int i = 0; i < N; i++) {
      big[i] = 2147483000 + i;
      small[i] = i * 20;
    }
    near_overflow(h, small, big);
    SHOW("near_overflow", small, N);
    average(h, y, x);
    average(h, x, x);
    SHOW("average", &y[0][0], N * N);
    SHOW("average", &x[0][0], N * N);
  }
  return 0;
}
