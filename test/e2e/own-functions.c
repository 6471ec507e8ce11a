// Functions of the program with names of the C library's: what they do counts, not what they are called.
#include "check.h"

#define N 24

static double a[N][N], b[N][N];
static unsigned state = 1;

// A generator of random numbers: calls must keep their order.
__attribute__((noinline)) static double exp10(double x) {
  state = state * 1664525u + 1013904223u;
  return x + (state >> 20);
}

__attribute__((noinline, weak)) double erf(double x) {
  state = state * 22695477u + 1u;
  return x - (state >> 24);
}

__attribute__((noinline)) static double sqrt(double x) {
  state ^= state << 7;
  return x + (state & 15);
}

// The type is not the library's.
__attribute__((noinline)) static float pow(float x) {
  state = state * 5 + 3;
  return x * 0.5f + (float)(state & 7);
}

// Pure, and not what instructions of these names do.
__attribute__((noinline, const)) static int add(int x, int y) { return 2 * x - y; }
__attribute__((noinline, const)) static double fadd(double x, double y) { return x * 0.75 - y; }

TEST_FUNCTION random_numbers(double x[N][N], double y[N][N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      x[i][j] = exp10(y[i][j]);
}

TEST_FUNCTION weak_function(double x[N][N], double y[N][N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      x[i][j] += erf(y[i][j]);
}

TEST_FUNCTION own_root(double x[N][N], double y[N][N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      x[i][j] -= sqrt(y[i][j]);
}

TEST_FUNCTION other_type(double x[N][N], double y[N][N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      x[i][j] *= 1 + pow((float)y[i][j]);
}

TEST_VALUE(int) own_sum(const int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum = add(sum, x[i]);
  return sum;
}

TEST_FUNCTION own_sums(double x[restrict N], double y[restrict N][N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      x[i] = fadd(x[i], y[j][i]);
}

int main(void) {
  FILL(&b[0][0], N * N, 3);
  random_numbers(a, b);
  SHOW("random", &a[0][0], N * N);
  weak_function(a, b);
  SHOW("weak", &a[0][0], N * N);
  own_root(a, b);
  SHOW("root", &a[0][0], N * N);
  other_type(a, b);
  SHOW("type", &a[0][0], N * N);
  own_sums(a[0], b);
  SHOW("sums", a[0], N);
  int numbers[200];
  FILL(numbers, COUNT(numbers), 5);
  printf("%d %u\n", own_sum(numbers, (int)hidden(200)), state);
  return 0;
}
