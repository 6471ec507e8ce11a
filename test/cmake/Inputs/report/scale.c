#include "size.h"

static double a[ROWS][COLUMNS], b[COLUMNS][ROWS];

__attribute__((noinline)) static void scale(void) {
  for (int i = 0; i < COLUMNS; i++)
    for (int j = 0; j < ROWS; j++)
      a[j][i] = 2 * b[i][j] + WIDE;
}

int main(void) {
  scale();
  return a[1][1] != 1;
}
