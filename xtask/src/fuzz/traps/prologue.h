#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is around the functions that are tested need not be fast.
#ifdef __clang__
#define UNCHANGED __attribute__((noinline, optnone))
#else
#define UNCHANGED
#endif

static long hidden(long value) {
  volatile long copy = value;
  return copy;
}
#define HIDDEN(value) hidden(value)

struct record {
  int8_t a;
  uint32_t b : 13;
  uint32_t c : 19;
  int64_t d;
  uint16_t e;
};
union word {
  uint64_t d;
  uint32_t w[2];
  uint16_t h[4];
  uint8_t b[8];
};
struct link {
  struct link *next;
  uint32_t value;
};

static jmp_buf escape;
static volatile int spot;
static uint32_t counter;
static int table[32];
static struct link links[8];

__attribute__((noinline)) static uint32_t effect(uint32_t value) {
  static uint32_t state = 17;
  state = state * 1664525u + value;
  return state >> 20;
}
__attribute__((noinline, const)) static uint32_t pure(uint32_t value) { return value * 2654435761u >> 7; }
__attribute__((noinline)) static uint32_t recursive(uint32_t value) {
  return value == 0 ? counter : recursive(value - 1) * 3 + recursive(value / 2);
}
static uint32_t (*volatile through)(uint32_t) = effect;

static uint64_t hash(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x100000001b3u + (sum >> 47); }

static uint64_t kept[5];
// All numbers that are none count as the same.
static uint64_t bits(double value) {
  uint64_t result;
  memcpy(&result, &value, sizeof result);
  return isnan(value) ? 0x7ff8 : result;
}
__attribute__((noinline)) static void keep(uint32_t s0, uint64_t s1, int8_t s2, double d0, float d1) {
  kept[0] = s0;
  kept[1] = s1;
  kept[2] = (uint64_t)s2;
  kept[3] = bits(d0);
  kept[4] = bits(d1);
}
static void show_kept(void) {
  for (int k = 0; k < 5; k++) {
    printf(" %llx", (unsigned long long)kept[k]);
    kept[k] = 0;
  }
  printf(" counter %u spot %d\n", counter, spot);
}

static double special(long place, long call) {
  static const double values[] = {NAN, -0.0, INFINITY, 1e-310, -INFINITY, 0.0, 1e300, -1e-40};
  long kind = (place * 5 + call) % (call == 0 ? 9 : 11);
  return kind < 8 && call > 1 && place % 3 == 0 ? values[kind] : (double)((place * 37 + 11 * call) % 23 - 11) * 0.25;
}
#define LENGTH(array) ((long)(sizeof(array) / sizeof *(array)))
#define FILL(array, call)                                                                                      \
  for (long i_ = 0; i_ < LENGTH(array); i_++)                                                                  \
  (array)[i_] = (call) == 3 ? i_ * 0x9e3779b97f4a7c15 >> 13 : (i_ * 37 + 11 * (call)) % 23 - 5
#define FILL_BYTES(array, call)                                                                                \
  for (long i_ = 0; i_ < (long)sizeof(array); i_++)                                                            \
  ((unsigned char *)(array))[i_] = (call) == 3 ? i_ * 0x9e3779b97f4a7c15 >> 33 : i_ % 4 ? 0 : i_ * 7 % 31
#define FILL_FLOATING(array, call)                                                                             \
  for (long i_ = 0; i_ < LENGTH(array); i_++)                                                                  \
  (array)[i_] = special(i_, call)
#define FILL_TEXT(array, call)                                                                                 \
  for (long i_ = 0; i_ < LENGTH(array); i_++)                                                                  \
  (array)[i_] = i_ + 1 == LENGTH(array) ? 0 : 'a' + (i_ * 7 + (call)) % 26
#define FILL_RECORDS(array, call)                                                                              \
  for (long i_ = 0; i_ < LENGTH(array); i_++)                                                                  \
  (array)[i_] = (struct record){i_ - 9, i_ * 77 + (call), i_ * 99, -i_ * (1l << 40), i_ * (call)}

#define SHOW_WITH(array, length, value)                                                                        \
  do {                                                                                                         \
    uint64_t sum_ = 1;                                                                                         \
    for (long i_ = 0; i_ < (length); i_++)                                                                     \
      sum_ = hash(sum_, value);                                                                                \
    printf("  " #array " %llx\n", (unsigned long long)sum_);                                                   \
  } while (0)
#define SHOW(array) SHOW_WITH(array, LENGTH(array), (uint64_t)(array)[i_])
#define SHOW_BYTES(array) SHOW_WITH(array, (long)sizeof(array), ((unsigned char *)(array))[i_])
#define SHOW_FLOATING(array) SHOW_WITH(array, LENGTH(array), bits((double)(array)[i_]))
#define SHOW_RECORDS(array)                                                                                    \
  SHOW_WITH(array, LENGTH(array),                                                                              \
            hash(hash(hash((uint64_t)(array)[i_].a, (array)[i_].b), (uint64_t)(array)[i_].c ^ (array)[i_].e),      \
                 (uint64_t)(array)[i_].d))

