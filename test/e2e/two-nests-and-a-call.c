// Two loop nests with a call between them that reads what the first wrote and changes what the second reads.
// poly: optimizes before_and_after
#include "check.h"

static double a[24][24], b[24][24];
static int calls;

TEST_FUNCTION between(double x[24][24], int n) {
  calls++;
  printf("call %d sees %a %a\n", calls, x[0][0], x[n - 1][n - 1]);
  for (int i = 0; i < n; i += 5)
    x[i][n - 1 - i] = -calls;
}

TEST_FUNCTION before_and_after(int n, double x[24][24], double y[24][24]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i][j] = x[i][j] * 0.5 + y[j][i];
  between(x, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i][j] = y[i][j] * 0.25 - x[j][i];
}

int main(void) {
  FILL(&a[0][0], 576, 1);
  FILL(&b[0][0], 576, 2);
  for (int n = 1; n <= 24; n += 5) {
    before_and_after((int)hidden(n), a, b);
    before_and_after((int)hidden(n), b, a);
    before_and_after((int)hidden(n), a, a); // one array under both names
  }
  SHOW("a", &a[0][0], 576);
  SHOW("b", &b[0][0], 576);
  return 0;
}
