// Mathematical functions that leave their errors in errno: the value found there after the loops must be the same.
#include "check.h"
#include <errno.h>
#include <math.h>

static double a[20][20], b[20][20];

TEST_FUNCTION roots(int n, double x[20][20], double y[20][20]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j][i] = sqrt(y[j][i]) + exp(y[j][i] * 100);
}

int main(void) {
  FILL(&b[0][0], 400, 1);
  for (int n = 0; n <= 20; n += 5) {
    errno = 0;
    roots((int)hidden(n), a, b);
    printf("%d\n", errno);
    SHOW("a", &a[0][0], 400);
  }
  return 0;
}
