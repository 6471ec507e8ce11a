// What the kernels of the fields have in common: memory, repetition, time, and a hash of every result.
//
// A file holds the kernels of one field, each an ordinary function that is never inlined, followed by BENCH(function, class) with the code that
// prepares its data and calls it:
//
//   KERNEL void smooth(int n, double *a, double *b) { ... }
//   BENCH(smooth, "stencil, two arrays") {
//     int n = size(2000);
//     double *a = doubles(n, 0, 1), *b = doubles(n, 0, 1);
//     REPEAT smooth(n, a, b);
//   }
//
// Arrays of the harness have the same content at the beginning of every repetition; only the call is timed. Sizes come out
// of size(), so that no compiler knows them. The program of a file prints the kernels' names and classes (`--list`), or runs
// one and prints the seconds of its fastest repetition, as they passed and of the processor, and a hash of all arrays (`NAME`).
// Without arguments it runs each kernel once and prints the hashes: what tests compare. A program with threads has started
// them before the first repetition.

#ifndef POLY_TEST_FIELDS_BENCH_H
#define POLY_TEST_FIELDS_BENCH_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A kernel is called from elsewhere, too: it is compiled as it stands, not as a part of what prepares its data.
#define KERNEL __attribute__((noinline))

struct bench_array {
  void *live, *pristine;
  size_t bytes;
};

struct bench_kernel {
  const char *name, *what;
  void (*drive)(void);
};

enum { BENCH_MOST_ARRAYS = 64, BENCH_MOST_KERNELS = 64, BENCH_MOST_ROUNDS = 400, BENCH_LEAST_ROUNDS = 3 };

static struct bench_array bench_arrays[BENCH_MOST_ARRAYS];
static struct bench_kernel bench_kernels[BENCH_MOST_KERNELS];
static int bench_array_count, bench_kernel_count, bench_round, bench_is_test;
static double bench_started, bench_processor_started, bench_least, bench_least_processor, bench_spent;
static double bench_enough = 0.1;
static uint64_t bench_state, bench_hash;
static volatile int bench_hidden;

// Sizes that a compiler cannot know. Tests are built with -DTEST: large ones are small then.
static int size(int n) {
#ifdef TEST
  bench_hidden = n > 96 ? 48 + n % 48 : n;
#else
  bench_hidden = n;
#endif
  return bench_hidden;
}

static uint64_t bench_random(void) {
  bench_state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = bench_state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static void *bench_memory(size_t bytes) {
  size_t whole = (bytes + 4095) / 4096 * 4096;
  void *memory = aligned_alloc(4096, whole > 0 ? whole : 4096);
  if (memory == NULL || bench_array_count == BENCH_MOST_ARRAYS) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return memory;
}

// Gives an array that has been filled to the harness.
static void *bench_keep(void *memory, size_t bytes) {
  struct bench_array *array = &bench_arrays[bench_array_count++];
  array->live = memory;
  array->bytes = bytes;
  array->pristine = bench_memory(bytes);
  memcpy(array->pristine, memory, bytes);
  return memory;
}

#define BENCH_ARRAYS(name, type, next)                                                                                \
  __attribute__((unused)) static type *name(long count, type low, type high) {                                        \
    type *memory = (type *)bench_memory((size_t)count * sizeof(type));                                                \
    for (long i = 0; i < count; i++)                                                                                  \
      memory[i] = (type)(next);                                                                                       \
    return (type *)bench_keep(memory, (size_t)count * sizeof(type));                                                  \
  }

// Random values between two others: with both for integers, without the higher one for fractions.
#define BENCH_FRACTION ((double)(bench_random() >> 11) * 0x1p-53)
BENCH_ARRAYS(doubles, double, low + (high - low) * BENCH_FRACTION)
BENCH_ARRAYS(floats, float, low + (high - low) * (float)BENCH_FRACTION)
BENCH_ARRAYS(ints, int, low + (long)(bench_random() % ((uint64_t)(high - low) + 1)))
BENCH_ARRAYS(shorts, short, low + (long)(bench_random() % ((uint64_t)(high - low) + 1)))
BENCH_ARRAYS(bytes, unsigned char, low + (long)(bench_random() % ((uint64_t)(high - low) + 1)))
BENCH_ARRAYS(words, unsigned, low + (bench_random() % ((uint64_t)(high - low) + 1)))

// Results that are no arrays.
__attribute__((unused)) static void result(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  bench_hash = (bench_hash ^ bits) * UINT64_C(0x100000001b3);
}

static double bench_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The clock begins anew: what came before in this repetition was preparation.
static void restart(void) {
  bench_processor_started = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
  bench_started = bench_clock(CLOCK_MONOTONIC);
}

// Ends a repetition and begins the next one, if there is to be one.
static int bench_next(void) {
  if (bench_round > 0) {
    double seconds = bench_clock(CLOCK_MONOTONIC) - bench_started;
    double processor = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - bench_processor_started;
    bench_spent += seconds;
    if (seconds < bench_least)
      bench_least = seconds;
    if (processor < bench_least_processor)
      bench_least_processor = processor;
  }
  if (bench_is_test ? bench_round > 0
                    : bench_round >= BENCH_LEAST_ROUNDS &&
                          (bench_spent >= bench_enough || bench_round >= BENCH_MOST_ROUNDS))
    return 0;
  for (int i = 0; i < bench_array_count; i++)
    memcpy(bench_arrays[i].live, bench_arrays[i].pristine, bench_arrays[i].bytes);
  bench_hash = UINT64_C(0xcbf29ce484222325);
  bench_round++;
  restart();
  return 1;
}

#define REPEAT while (bench_next())

static void bench_add(const char *name, const char *what, void (*drive)(void)) {
  if (bench_kernel_count < BENCH_MOST_KERNELS) {
    struct bench_kernel kernel = {name, what, drive};
    bench_kernels[bench_kernel_count++] = kernel;
  }
}

#define BENCH(function, what)                                                                                         \
  static void drive_##function(void);                                                                                 \
  __attribute__((constructor)) static void add_##function(void) { bench_add(#function, what, drive_##function); }     \
  static void drive_##function(void)

// What every OpenMP runtime has; null in a program without one.
#ifdef __cplusplus
extern "C"
#endif
    void
    GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags) __attribute__((weak));

static void bench_thread(void *data) { (void)data; }

static void bench_run(const struct bench_kernel *kernel) {
  bench_state = 1;
  bench_round = 0;
  bench_spent = 0;
  bench_least = bench_least_processor = 1e300;
  if (GOMP_parallel)
    GOMP_parallel(bench_thread, NULL, 0, 0);
  kernel->drive();
  for (int i = 0; i < bench_array_count; i++) {
    const unsigned char *at = (const unsigned char *)bench_arrays[i].live;
    for (size_t k = 0; k < bench_arrays[i].bytes; k++)
      bench_hash = (bench_hash ^ at[k]) * UINT64_C(0x100000001b3);
  }
  for (; bench_array_count > 0; bench_array_count--) {
    free(bench_arrays[bench_array_count - 1].live);
    free(bench_arrays[bench_array_count - 1].pristine);
  }
  if (bench_is_test)
    printf("%s %016llx\n", kernel->name, (unsigned long long)bench_hash);
  else
    printf("%s %.9f %.9f %016llx\n", kernel->name, bench_least, bench_least_processor, (unsigned long long)bench_hash);
}

int main(int count, char **arguments) {
  if (count == 1) {
    bench_is_test = 1;
    for (int i = 0; i < bench_kernel_count; i++)
      bench_run(&bench_kernels[i]);
    return 0;
  }
  if (count == 2 && strcmp(arguments[1], "--list") == 0) {
    for (int i = 0; i < bench_kernel_count; i++)
      printf("%s: %s\n", bench_kernels[i].name, bench_kernels[i].what);
    return 0;
  }
  for (int i = 0; count >= 2 && i < bench_kernel_count; i++) {
    if (strcmp(arguments[1], bench_kernels[i].name) == 0) {
      if (count >= 3)
        bench_enough = atof(arguments[2]);
      bench_run(&bench_kernels[i]);
      return 0;
    }
  }
  fprintf(stderr, "usage: %s --list | NAME [SECONDS]\n", arguments[0]);
  return 2;
}

#endif
