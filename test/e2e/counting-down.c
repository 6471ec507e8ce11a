// Loops that count down, by one and by more, with int, unsigned and pointer counters.
// poly: optimizes nest
#include "check.h"

TEST_FUNCTION nest(int n, double a[30][30]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j > i; j--)
      a[i][j] = a[i][j] * 0.5 + a[j][i] + i;
}

TEST_FUNCTION shift_up(int n, double *a) {
  for (int i = n - 1; i > 0; i--)
    a[i] = a[i - 1];
}

TEST_FUNCTION back_substitution(int n, double a[30][30], double *x) {
  for (int i = n - 1; i >= 0; i--) {
    for (int j = n - 1; j > i; j--)
      x[i] -= a[i][j] * x[j];
    x[i] *= 0.25;
  }
}

TEST_FUNCTION by_three(int n, double *a, double *b) {
  for (int i = n; i > 2; i -= 3)
    for (int j = i; j-- > 0;)
      a[i] += b[j] * 0.5;
}

TEST_FUNCTION pointers(double *a, double *end) {
  while (end != a) {
    --end;
    *end = *end * 2 + 1;
  }
}

static double a[30][30], x[30], b[30];

int main(void) {
  for (int n = 0; n <= 29; n = n * 2 + 1) {
    FILL(&a[0][0], 900, 1);
    FILL(x, 30, 2);
    FILL(b, 30, 3);
    nest((int)hidden(n), a);
    SHOW("nest", &a[0][0], 900);
    shift_up((int)hidden(n), x);
    SHOW("shift_up", x, 30);
    FILL(&a[0][0], 900, 1);
    for (int i = 0; i < 900; i++)
      (&a[0][0])[i] *= 0.0625;
    back_substitution((int)hidden(n), a, x);
    SHOW("back_substitution", x, 30);
    by_three((int)hidden(n), x, b);
    by_three((int)hidden(n), x, x);
    SHOW("by_three", x, 30);
    pointers(x, x + hidden(n));
    SHOW("pointers", x, 30);
  }
  return 0;
}
