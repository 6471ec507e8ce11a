// Loops with steps other than one, and subscripts with factors.
// poly: optimizes steps
#include "check.h"

TEST_FUNCTION steps(int n, double a[100][100]) {
  for (int i = 0; i < n; i += 3)
    for (int j = 1; j < n; j += 2)
      a[i][j] = a[i][j] * 0.5 + i + j;
}

TEST_FUNCTION variable_step(int n, int step, double *a) {
  for (int i = 0; i < n; i += step)
    a[i] += i;
}

TEST_FUNCTION factors(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[3 * i + 2 * j] += b[2 * i + 5 * j + 1];
}

TEST_FUNCTION odd_from_even(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[2 * i + 1] = a[2 * i] + a[2 * i + 2];
}

TEST_FUNCTION refine(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    b[2 * i] = a[i];
    b[2 * i + 1] = 0.5 * (a[i] + a[i + 1]);
  }
}

TEST_FUNCTION offset_start(int n, int first, double *a) {
  for (int i = first; i < n; i += 4)
    for (int j = i; j < n; j += 7)
      a[j] = a[j] * 0.5 + i;
}

static double m[100][100], a[1000], b[1000];

int main(void) {
  for (int n = 0; n <= 100; n = n * 2 + 3) {
    FILL(&m[0][0], 10000, 1);
    FILL(a, 1000, 2);
    FILL(b, 1000, 3);
    steps((int)hidden(n), m);
    SHOW("steps", &m[0][0], 10000);
    for (int step = 1; step < 12; step += 3)
      variable_step((int)hidden(n), (int)hidden(step), a);
    SHOW("variable_step", a, 1000);
    factors((int)hidden(n), a, b);
    factors((int)hidden(n), b, b);
    SHOW("factors", a, 1000);
    SHOW("factors", b, 1000);
    odd_from_even((int)hidden(n), a);
    SHOW("odd_from_even", a, 1000);
    refine((int)hidden(n), a, b);
    refine((int)hidden(n), b, b);
    SHOW("refine", b, 1000);
    for (int first = 0; first < 9; first += 2)
      offset_start((int)hidden(n), (int)hidden(first), a);
    SHOW("offset_start", a, 1000);
  }
  return 0;
}
