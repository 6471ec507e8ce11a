// Sets the tile sizes of all nests of a program before it begins. POLY_TILES is a number: 0 leaves the sizes as they are, others are seeds of random ones, between 2 and 1024,
// as many below 45 as above. Shows how many sizes there are, and what they are.

#include "poly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// SplitMix64.
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

__attribute__((constructor)) static void set_sizes(void) {
  const char *text = getenv("POLY_TILES");
  uint64_t state = text ? strtoull(text, NULL, 10) : 0;
  int is_random = state != 0, count = 0;
  fprintf(stderr, "sizes:");
  POLY_FOR_EACH_NEST(nest) {
    for (uint32_t i = 0; i < nest->n; i++, count++) {
      if (is_random)
        nest->sizes[i] = (int64_t)exp2(1.0 + 9.0 * (double)(next(&state) >> 11) * 0x1p-53);
      fprintf(stderr, nest->sizes[i] >= 1 << 30 ? " all" : " %lld", (long long)nest->sizes[i]);
    }
    fprintf(stderr, ";");
  }
  fprintf(stderr, "\nnumber of sizes: %d\n", count);
}
