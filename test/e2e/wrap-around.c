// Counters of eight and sixteen bits that wrap around before they meet their bound, and subscripts that wrap.
#include "check.h"

TEST_FUNCTION until_equal(int *a, uint8_t first, uint8_t last) {
  for (uint8_t i = first; i != last; i++)
    a[i] += i + 1;
}

// meets its bound only after wrapping around, once or more often
TEST_FUNCTION until_equal_by_three(int *a, uint8_t first, uint8_t last) {
  for (uint8_t i = first; i != last; i += 3)
    a[i] = a[i] * 2 + 1;
}

TEST_FUNCTION rotated(int *a, const int *b, uint8_t shift) {
  for (int i = 0; i < 256; i++)
    a[(uint8_t)(i + shift)] = b[i] * 3;
}

TEST_FUNCTION rotated_wide(int *a, const int *b, uint16_t shift) {
  for (int i = 0; i < 300; i++)
    a[(uint16_t)(i * 217 + shift)] += b[i % 256];
}

TEST_FUNCTION difference(int *a, const int *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i - j < 4u) // false for i < j, where the difference wraps
        a[i] += b[j];
}

static int a[256], b[256], c[65536];

int main(void) {
  static const int pairs[][2] = {{0, 0}, {0, 10}, {250, 5}, {128, 127}, {255, 0}, {100, 99}, {127, 129}};
  for (size_t k = 0; k < COUNT(pairs); k++) {
    FILL(a, 256, (int)k);
    FILL(b, 256, 9);
    until_equal(a, (uint8_t)hidden(pairs[k][0]), (uint8_t)hidden(pairs[k][1]));
    SHOW("until_equal", a, 256);
    for (int i = 0; i < 256; i++)
      a[i] &= 255;
    until_equal_by_three(a, (uint8_t)hidden(pairs[k][0]), (uint8_t)hidden(pairs[k][1]));
    SHOW("until_equal_by_three", a, 256);
    rotated(a, b, (uint8_t)hidden(pairs[k][0]));
    SHOW("rotated", a, 256);
    memset(c, 0, sizeof c);
    rotated_wide(c, b, (uint16_t)hidden(pairs[k][1] * 251));
    for (int i = 0; i < 65536; i++)
      if (c[i])
        printf("%d: %d\n", i, c[i]);
    difference(a, b, (uint32_t)hidden(pairs[k][1] % 41));
    SHOW("difference", a, 256);
  }
  return 0;
}
