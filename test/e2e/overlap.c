// Pointers into one array: the run-time check must send every overlap that matters to the original loops.
// poly: optimizes copy_sum product
#include "check.h"

TEST_FUNCTION copy_sum(double *a, double *b, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      a[i] = a[i] * 0.5 + b[i] + j;
}

TEST_FUNCTION product(int n, double *C, double *A, double *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

static double memory[4096];

int main(void) {
  static const int offsets[] = {0, 1, 2, 7, 31, 32, 33, 63, 64, 65};
  for (size_t k = 0; k < COUNT(offsets); k++) {
    int offset = (int)hidden(offsets[k]);
    FILL(memory, 256, 1);
    copy_sum(memory, memory + offset, 64);
    SHOW("after", memory, 160);
    copy_sum(memory + offset, memory, 64);
    SHOW("before", memory, 160);
  }
  static const int places[][3] = {{0, 0, 0}, {0, 100, 200}, {0, 99, 200}, {50, 0, 100}, {100, 0, 199}, {0, 0, 100}, {0, 100, 1}, {300, 100, 100}};
  for (size_t k = 0; k < COUNT(places); k++) {
    FILL(memory, 500, 1);
    for (int i = 0; i < 500; i++)
      memory[i] /= 64; // squares of squares: keep them finite
    product((int)hidden(10), memory + hidden(places[k][0]), memory + hidden(places[k][1]), memory + hidden(places[k][2]));
    SHOW("product", memory, 500);
  }
  return 0;
}
