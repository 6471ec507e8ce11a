// Arithmetic of bytes, shorts and counters whose results need fewer bits than C computes with, at
// the ends of their ranges: products that fill 16 bits without a sign, numbers that leave them by
// one, shifts whose high bits are asked for or not.
// poly: optimizes sharpen
// poly: optimizes between
// poly: optimizes bright
// poly: optimizes until
// poly: optimizes shorts
// poly: optimizes signed_ends
#include "check.h"

enum { N = 300 };

TEST_FUNCTION sharpen(int n, const uint8_t *restrict a, uint8_t *restrict c) {
  for (int i = 1; i < n - 1; i++) {
    int v = 3 * a[i] - a[i - 1] - a[i + 1];
    c[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
  }
}

TEST_FUNCTION between(int n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = (uint8_t)(a[i] + (((b[i] - a[i]) * 77) >> 8));
}

TEST_FUNCTION bright(int n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = 200 * a[i] + 57 * b[i] > 40000 ? 255 : 7;
}

// 200 * 255 + 58 * 255 has 17 bits.
TEST_FUNCTION too_bright(int n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = 200 * a[i] + 58 * b[i] > 40000 ? 255 : 7;
}

TEST_FUNCTION until(int n, int m, const int32_t *restrict a, const int32_t *restrict b, int32_t *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] >= b[i] && i < m ? a[i] : b[i] + 1;
}

TEST_FUNCTION shorts(int n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (int i = 0; i < n; i++) {
    int16_t up = (int16_t)(a[i] - 2 * b[i]), down = (int16_t)(b[i] - 2 * a[i]);
    int16_t x = up < 0 ? (int16_t)-up : up, y = down < 0 ? (int16_t)-down : down;
    int16_t sum = (int16_t)(200 * x + 100 * y);
    c[i] = (uint8_t)(sum > 255 ? 255 : sum);
  }
}

// -32768 is the product 128 * -256; its absolute value has no room with a sign, and has without.
TEST_FUNCTION signed_ends(int n, const int8_t *restrict a, int16_t *restrict c) {
  for (int i = 0; i < n; i++) {
    int v = a[i] * 256, w = v < 0 ? -v : v;
    c[i] = (int16_t)(w > 32767 ? 1 : w >> 3);
  }
}

// Bits above the 16th are brought down.
TEST_FUNCTION brought_down(int n, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = (uint16_t)(((unsigned)a[i] * b[i]) >> 15);
}

TEST_FUNCTION divided(int n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (int i = 0; i < n; i++) {
    int v = (a[i] * b[i] + 127) / 255 + a[i] % 7;
    c[i] = (uint8_t)(v > 250 ? 250 : v);
  }
}

static uint8_t a[N], b[N], c[N];
static int8_t s[N];
static uint16_t h[N], k[N], t[N];
static int16_t o[N];
static int32_t x[N], y[N], z[N];

static void fill(void) {
  static const int ends[] = {0, 1, 2, 127, 128, 129, 254, 255};
  for (int i = 0; i < N; i++) {
    a[i] = (uint8_t)ends[i % 8];
    b[i] = (uint8_t)ends[i / 8 % 8];
    s[i] = (int8_t)a[i];
    h[i] = (uint16_t)(a[i] << 8 | b[i]);
    k[i] = (uint16_t)(b[i] << 8 | a[i]);
    x[i] = start_value(i);
    y[i] = start_value(i / 3);
  }
}

static void run(int n) {
  sharpen(n, a, c);
  SHOW("sharpen", c, N);
  between(n, a, b, c);
  SHOW("between", c, N);
  bright(n, a, b, c);
  SHOW("bright", c, N);
  too_bright(n, a, b, c);
  SHOW("too_bright", c, N);
  until(n, n / 2, x, y, z);
  until(n, -1, x, y, z);
  until(n, INT32_MAX, x, z, y);
  SHOW("until", z, N);
  shorts(n, a, b, c);
  SHOW("shorts", c, N);
  signed_ends(n, s, o);
  SHOW("signed_ends", o, N);
  brought_down(n, h, k, t);
  SHOW("brought_down", t, N);
  divided(n, a, b, c);
  SHOW("divided", c, N);
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 64, 100, N};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    fill();
    run((int)hidden(sizes[i]));
  }
  return 0;
}
