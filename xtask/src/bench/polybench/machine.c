// What one core can do at most: double precision operations per second in registers, and bytes per second of a
// triad on arrays that no cache holds.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef double vector __attribute__((vector_size(64)));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// As many sums side by side as hide the latency of an operation.
#define SUMS 12

static double operations(void) {
  vector a[SUMS], x, y;
  for (int l = 0; l < 8; l++) {
    x[l] = 0.999999 + 1e-9 * l;
    y[l] = 1e-9;
  }
  for (int s = 0; s < SUMS; s++)
    a[s] = x * (double)s;
  long repeats = 4000000;
  double start = now();
  for (long r = 0; r < repeats; r++) {
#pragma clang loop unroll(full)
    for (int s = 0; s < SUMS; s++)
      a[s] = a[s] * x + y;
  }
  double seconds = now() - start;
  double sum = 0;
  for (int s = 0; s < SUMS; s++)
    for (int l = 0; l < 8; l++)
      sum += a[s][l];
  if (sum == 42)
    puts("unlikely");
  return 2.0 * 8 * SUMS * (double)repeats / seconds;
}

static double bytes(void) {
  size_t count = (size_t)1 << 24;
  double *a = malloc(count * sizeof(double)), *b = malloc(count * sizeof(double)), *c = malloc(count * sizeof(double));
  if (a == NULL || b == NULL || c == NULL)
    return 0;
  for (size_t i = 0; i < count; i++) {
    a[i] = 0;
    b[i] = (double)i;
    c[i] = 1;
  }
  double start = now();
  for (size_t i = 0; i < count; i++)
    a[i] = b[i] + 0.5 * c[i];
  double seconds = now() - start;
  if (a[count / 2] == 42)
    puts("unlikely");
  free(a);
  free(b);
  free(c);
  return 3.0 * sizeof(double) * (double)count / seconds;
}

int main(void) {
  double most_operations = 0, most_bytes = 0;
  for (int round = 0; round < 5; round++) {
    double o = operations(), b = bytes();
    most_operations = o > most_operations ? o : most_operations;
    most_bytes = b > most_bytes ? b : most_bytes;
  }
  printf("%.17g %.17g\n", most_operations, most_bytes);
  return 0;
}
