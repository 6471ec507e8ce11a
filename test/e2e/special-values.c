// Infinities, NaNs, zeros of both signs and denormals: no identity of real numbers holds for them.
#include <math.h>

#include "check.h"

#define N 16

TEST_FUNCTION product(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

TEST_FUNCTION times_zero(int n, double c[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = c[i][j] * 0.0 + -0.0;
}

TEST_FUNCTION smaller(int n, double c[N][N], double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = c[i][j] < a[j][i] ? c[i][j] : a[j][i];
}

// A NaN's sign and payload may differ between correct compilations: show only that it is one.
static void show(const char *label, double m[N][N]) {
  printf("%s:", label);
  for (int i = 0; i < N * N; i++)
    if (isnan((&m[0][0])[i]))
      printf(" nan");
    else
      printf(" %a", (&m[0][0])[i]);
  printf("\n");
}

static double a[N][N], b[N][N], c[N][N];

int main(void) {
  static const double values[] = {0.0, -0.0, 1.0, -1.5, INFINITY, -INFINITY, NAN, 4.9e-324, -2.2e-310, 1.7e308, 1e-300};
  for (int n = 1; n <= N; n += 3) {
    for (int i = 0; i < N * N; i++) {
      (&a[0][0])[i] = values[(i * 7 + n) % 4];
      (&b[0][0])[i] = values[(i * 5 + 2 * n) % COUNT(values)];
    }
    product((int)hidden(n), c, a, b);
    show("product", c);
    times_zero((int)hidden(n), c);
    show("times_zero", c);
    smaller((int)hidden(n), c, b);
    show("smaller", c);
  }
  return 0;
}
