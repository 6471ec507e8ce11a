// Functions that begin with a guarded nest: nests behind different guards are one region, which begins at the first guard and may
// have stack variables, loads and calls before it.
// poly: optimizes two_guards guard_of_a_loaded_number
#include "check.h"

static double a[24][24], b[24][24];
static int calls;

TEST_FUNCTION two_guards(int n, int m, double x[24][24], double y[24][24]) {
  if (m > 3)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i][j] = x[i][j] * 0.5 + j;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[i][j] += x[i][j] * 0.25;
}

TEST_VALUE(int) number(void) {
  return (int)hidden(++calls % 25);
}

TEST_FUNCTION guard_of_a_loaded_number(int *sizes, double x[24][24], double y[24][24]) {
  int n = number(), m = sizes[0];
  if (n > m)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i][j] += y[j][i];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      y[i][j] -= x[i][j] * 0.125;
}

int main(void) {
  FILL(&a[0][0], 576, 1);
  FILL(&b[0][0], 576, 2);
  for (int n = 0; n <= 24; n += 4)
    for (int m = 0; m <= 24; m += 3) {
      two_guards((int)hidden(n), (int)hidden(m), a, b);
      two_guards((int)hidden(n), (int)hidden(m), b, b); // one array under both names
      int size = m;
      guard_of_a_loaded_number(&size, a, b);
    }
  two_guards((int)hidden(INT32_MIN), (int)hidden(7), a, b);
  SHOW("a", &a[0][0], 576);
  SHOW("b", &b[0][0], 576);
  return 0;
}
