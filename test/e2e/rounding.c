// Floating-point code that depends on the rounding mode, which changes between and inside nests.
#include <fenv.h>

#include "check.h"

#define N 16

#pragma STDC FENV_ACCESS ON

TEST_FUNCTION thirds(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = (a[i][j] + a[j][i]) / 3;
}

TEST_FUNCTION changing(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    fesetround(i % 2 ? FE_UPWARD : FE_DOWNWARD);
    for (int j = 0; j < n; j++)
      a[i][j] = a[i][j] / 7 + j;
  }
  fesetround(FE_TONEAREST);
}

static double a[N][N];

int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t k = 0; k < COUNT(modes); k++) {
    FILL(&a[0][0], N * N, 1);
    fesetround(modes[k]);
    thirds((int)hidden(N), a);
    thirds((int)hidden(N - 3), a);
    fesetround(FE_TONEAREST);
    SHOW("thirds", &a[0][0], N * N);
    changing((int)hidden(N), a);
    SHOW("changing", &a[0][0], N * N);
  }
  return 0;
}
