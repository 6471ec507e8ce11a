// Memory from malloc has the type of what was stored last: float in one loop, int in the next one. Types do not say that two pointers are to different memory.
// poly: optimizes in_turn diagonal apart
#include "check.h"

#define N 40

// In every step, x is used up before y is written to what may be the same memory.
TEST_FUNCTION in_turn(int steps, int n, float *x, int *y, float *sums) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      x[i] = (float)(t + i) * 0.5f;
    for (int i = 0; i < n; i++)
      sums[i] += x[n - 1 - i];
    for (int i = 0; i < n; i++)
      y[i] = 3 * i + t;
    for (int i = 0; i < n; i++)
      sums[i] -= (float)y[n - 1 - i];
  }
}

// What is read in one iteration of the outer loop is overwritten in the next one.
TEST_FUNCTION diagonal(int n, float x[N][N], int y[N][N]) {
  for (int j = 1; j < n; j++)
    for (int i = 0; i < n - 1; i++)
      y[i + 1][j - 1] = (int)x[i][j];
}

// Rows of one are columns of the other one.
TEST_FUNCTION apart(int n, float x[N][N], int y[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      y[i][j] = (int)x[j][i] + i;
}

// One pointer, two types.
TEST_FUNCTION same_pointer(int n, void *memory, float *sums) {
  float *x = memory;
  int *y = memory;
  for (int i = 0; i < n; i++)
    x[i] = (float)i * 0.25f;
  for (int i = 0; i < n; i++)
    sums[i] += x[i];
  for (int i = 0; i < n; i++)
    y[i] = 7 * i;
  for (int i = 0; i < n; i++)
    sums[i] += (float)y[i];
}

// A bound that is an integer beside floating-point numbers in memory that held integers before.
TEST_FUNCTION bound_in_memory(int *bound, float *x) {
  for (int i = 0; i < *bound; i++)
    x[i] += 1.0f;
}

int main(void) {
  static float sums[N], apart_x[N][N];
  static int apart_y[N][N];
  void *memory = malloc(sizeof(float[N][N])), *other = malloc(sizeof(float[N][N]));
  int n = (int)hidden(N);
  in_turn((int)hidden(5), n, memory, memory, sums);
  SHOW("one", sums, N);
  in_turn((int)hidden(5), n, memory, other, sums);
  SHOW("two", sums, N);
  same_pointer(n, memory, sums);
  SHOW("same", sums, N);
  FILL(&apart_x[0][0], N * N, 1);
  apart(n, apart_x, apart_y);
  SHOW("apart", &apart_y[0][0], N * N);
  FILL((float *)memory, N * N, 2);
  diagonal(n, memory, memory);
  for (int i = 1; i < n; i++)
    SHOW("diagonal", (int *)memory + N * i, N - 1);
  int *bound = other;
  *bound = n - 1;
  FILL((float *)other + 1, N, 4);
  bound_in_memory(bound, (float *)other + 1);
  SHOW("bound", (float *)other + 1, N);
  free(memory);
  free(other);
  return 0;
}
