// Loops that run zero times, once, or have bounds below zero, alone and nested.
// poly: optimizes nest
#include "check.h"

TEST_FUNCTION nest(int n, int m, double a[40][40], double b[40][40]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += b[j][i] * 3;
}

TEST_FUNCTION inner_only(int n, int m, double a[40][40]) {
  for (int i = 0; i < n; i++) {
    a[i][0] = -1;
    for (int j = 1; j < m; j++)
      a[i][j] = a[i][j - 1] + 1;
    a[i][39] = a[i][0];
  }
}

TEST_FUNCTION at_least_once(int n, double *a) {
  int i = 0;
  do {
    a[i] += 1;
    i++;
  } while (i < n);
}

TEST_FUNCTION three_deep(int n, int m, int l, double a[40][40]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++)
      for (int k = j; k < l; k++)
        a[i][j] += a[k][k] * 0.5;
}

static double a[40][40], b[40][40];

int main(void) {
  static const int bounds[] = {-2147483647 - 1, -100, -1, 0, 1, 2, 3, 17, 32, 40};
  FILL(&b[0][0], 1600, 7);
  for (size_t k = 0; k < COUNT(bounds); k++)
    for (size_t l = 0; l < COUNT(bounds); l++) {
      int n = (int)hidden(bounds[k]), m = (int)hidden(bounds[l]);
      FILL(&a[0][0], 1600, 1);
      nest(n, m, a, b);
      SHOW("nest", &a[0][0], 1600);
      inner_only(n, m, a);
      SHOW("inner_only", &a[0][0], 1600);
      FILL(&a[0][0], 1600, 1);
      three_deep(n, m, (int)hidden(n / 4 + m / 4 + 10), a);
      SHOW("three_deep", &a[0][0], 1600);
      at_least_once(n, &a[0][0]);
      SHOW("at_least_once", &a[0][0], 40);
    }
  return 0;
}
