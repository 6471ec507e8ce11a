// What every kernel program has in common: problem sizes, memory, time, and output that shows every bit.
//
// A program is built with -DSIZE=MINI, SMALL, MEDIUM, LARGE or EXTRALARGE (MEDIUM if none is given). It fills its
// arrays, runs its kernel between start_clock() and stop_clock(), and shows the arrays that the kernel wrote.
// Standard output is the same for every correct compilation; the time goes to standard error. Built with -DROUNDS=N,
// it does so N times on the same data, for kernels too short to be measured once.
//
// The kernels compute what those of the same names in PolyBench/C 4.2 compute, on data of the same sizes, types
// and values, in the same order of operations.

#ifndef POLY_TEST_HARNESS_H
#define POLY_TEST_HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MINI 1
#define SMALL 2
#define MEDIUM 3
#define LARGE 4
#define EXTRALARGE 5

#ifndef SIZE
#define SIZE MEDIUM
#endif

#ifndef ROUNDS
#define ROUNDS 1
#endif

// The one of five values that belongs to the size.
#if SIZE == MINI
#define BY_SIZE(mini, small, medium, large, extralarge) mini
#elif SIZE == SMALL
#define BY_SIZE(mini, small, medium, large, extralarge) small
#elif SIZE == MEDIUM
#define BY_SIZE(mini, small, medium, large, extralarge) medium
#elif SIZE == LARGE
#define BY_SIZE(mini, small, medium, large, extralarge) large
#elif SIZE == EXTRALARGE
#define BY_SIZE(mini, small, medium, large, extralarge) extralarge
#else
#error "SIZE is one of MINI, SMALL, MEDIUM, LARGE, EXTRALARGE"
#endif

// The kernel itself stays a function of its own, so that its loops are seen as they are written. A compiler may see that it is
// always called with the same sizes; built with -DSYMBOLIC, it must not: the kernel can be called from elsewhere, and
// the extents of its arrays are its parameters too.
#ifdef SYMBOLIC
#define KERNEL __attribute__((noinline)) void
#define DIM(constant, parameter) parameter
#else
#define KERNEL static __attribute__((noinline)) void
#define DIM(constant, parameter) constant
#endif

// What the program runs and measures. A program that compares a library with the kernel defines it as the function that calls the
// library, and includes the kernel's file.
#ifndef RUN
#define RUN(kernel) kernel
#endif

// Memory for an array, on pages of its own.
static void *allocate(size_t bytes) {
  size_t page = 4096;
  void *memory = aligned_alloc(page, (bytes + page - 1) / page * page);
  if (memory == NULL) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return memory;
}

static double clock_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What every OpenMP runtime has; null in a program without one.
void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags) __attribute__((weak));

static void have_thread(void *data) { (void)data; }

static double clock_started, processor_started;

// Threads are not part of what is measured: a library that has its own starts them when it is loaded, and a program starts them once.
static void start_clock(void) {
  if (GOMP_parallel)
    GOMP_parallel(have_thread, NULL, 0, 0);
  processor_started = clock_now(CLOCK_PROCESS_CPUTIME_ID);
  clock_started = clock_now(CLOCK_MONOTONIC);
}

// The time that passed, and the time of all processors that went into it.
static void stop_clock(void) {
  double seconds = clock_now(CLOCK_MONOTONIC) - clock_started;
  double processor_seconds = clock_now(CLOCK_PROCESS_CPUTIME_ID) - processor_started;
  fprintf(stderr, "seconds: %.9f\nprocessor seconds: %.9f\n", seconds, processor_seconds);
}

// The arithmetic operations of the kernel on array elements, of which there are most (a product that is added counts as two), and the
// bytes that have to come from memory and to go there if every element does so once. Where a kernel stands beside
// what the machine can do follows from them.
static void show_work(double operations, double bytes) {
  fprintf(stderr, "operations: %.17g\nbytes: %.17g\n", operations, bytes);
}

// Prints a hash of every byte, which tells any difference, and some elements exactly, which help to find it.
static void show_hash(const char *name, const void *memory, size_t bytes) {
  const unsigned char *at = (const unsigned char *)memory;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    uint64_t word;
    memcpy(&word, at + i, 8);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  for (size_t i = bytes / 8 * 8; i < bytes; i++)
    hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
  printf("%s: %zu bytes, hash %016llx\n", name, bytes, (unsigned long long)hash);
}

// Shown elements: all of a small array, evenly spread ones of a large array.
static size_t show_step(size_t count) {
  return count <= 4096 ? 1 : count / 1021;
}

static void show_doubles(const char *name, const void *memory, size_t bytes) {
  const double *values = (const double *)memory;
  size_t count = bytes / sizeof(double);
  show_hash(name, memory, bytes);
  for (size_t i = 0; i < count; i += show_step(count))
    printf("%s[%zu] = %a\n", name, i, values[i]);
}

static void show_floats(const char *name, const void *memory, size_t bytes) {
  const float *values = (const float *)memory;
  size_t count = bytes / sizeof(float);
  show_hash(name, memory, bytes);
  for (size_t i = 0; i < count; i += show_step(count))
    printf("%s[%zu] = %a\n", name, i, (double)values[i]);
}

static void show_ints(const char *name, const void *memory, size_t bytes) {
  const int *values = (const int *)memory;
  size_t count = bytes / sizeof(int);
  show_hash(name, memory, bytes);
  for (size_t i = 0; i < count; i += show_step(count))
    printf("%s[%zu] = %d\n", name, i, values[i]);
}

// Some programs use only one of them.
static void show_nothing(void) __attribute__((unused));
static void show_nothing(void) {
  (void)show_doubles;
  (void)show_floats;
  (void)show_ints;
}

#endif
