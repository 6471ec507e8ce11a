// What the end-to-end programs have in common: values that the compiler cannot see, data to start from, and
// output that shows every bit.

#ifndef POLY_TEST_CHECK_H
#define POLY_TEST_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A function under test: not inlined, not specialized for its callers.
#define TEST_FUNCTION __attribute__((noinline)) void
#define TEST_VALUE(type) __attribute__((noinline)) type

// The number of elements of an array.
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

// The same value, unknown to the compiler.
static inline int64_t hidden(int64_t value) {
  volatile int64_t copy = value;
  return copy;
}

// Element i of the data that arrays start from: small numbers of both signs, no two neighbours alike.
static inline int start_value(int64_t i) {
  return (int)((i * 37 + 11) % 101) - 50;
}

#define DEFINE_ELEMENT(name, type, format, shown)                                                                                 \
  static inline void fill_##name(type *array, size_t count, int seed) {                                                            \
    for (size_t i = 0; i < count; i++)                                                                                             \
      array[i] = (type)((type)start_value((int64_t)i + seed) / (type)4);                                                           \
  }                                                                                                                                \
  static inline void show_##name(const char *label, const type *array, size_t count) {                                             \
    printf("%s:", label);                                                                                                          \
    for (size_t i = 0; i < count; i++)                                                                                             \
      printf(" " format, (shown)array[i]);                                                                                         \
    printf("\n");                                                                                                                  \
  }

DEFINE_ELEMENT(double, double, "%a", double)
DEFINE_ELEMENT(float, float, "%a", double)
DEFINE_ELEMENT(i8, int8_t, "%d", int)
DEFINE_ELEMENT(u8, uint8_t, "%d", int)
DEFINE_ELEMENT(i16, int16_t, "%d", int)
DEFINE_ELEMENT(u16, uint16_t, "%d", int)
DEFINE_ELEMENT(i32, int32_t, "%d", int)
DEFINE_ELEMENT(u32, uint32_t, "%u", unsigned)
DEFINE_ELEMENT(i64, int64_t, "%lld", long long)
DEFINE_ELEMENT(u64, uint64_t, "%llu", unsigned long long)

#define BY_ELEMENT(what, pointer)                                                                                                  \
  _Generic((pointer),                                                                                                              \
      double *: what##_double,                                                                                                     \
      const double *: what##_double,                                                                                               \
      float *: what##_float,                                                                                                       \
      int8_t *: what##_i8,                                                                                                         \
      uint8_t *: what##_u8,                                                                                                        \
      int16_t *: what##_i16,                                                                                                       \
      uint16_t *: what##_u16,                                                                                                      \
      int32_t *: what##_i32,                                                                                                       \
      uint32_t *: what##_u32,                                                                                                      \
      int64_t *: what##_i64,                                                                                                       \
      uint64_t *: what##_u64)

// Gives an array its first values, or prints all of it. The argument may be an array of any dimension's first element.
#define FILL(pointer, count, seed) BY_ELEMENT(fill, pointer)(pointer, count, seed)
#define SHOW(label, pointer, count) BY_ELEMENT(show, pointer)(label, pointer, count)

#endif
