// Scalars that carry values between iterations and statements: PHI nodes for whoever reads the IR.
#include "check.h"

#define N 24

TEST_FUNCTION previous(int n, double *a, double *b) {
  double before = 3;
  for (int i = 0; i < n; i++) {
    b[i] = before * 0.5;
    before = a[i];
  }
  b[n] = before;
}

TEST_FUNCTION two_back(int n, double *a) {
  double x = 1, y = 2;
  for (int i = 0; i < n; i++) {
    double next = x * 0.5 + y * 0.25 + a[i];
    a[i] = x;
    x = y;
    y = next;
  }
}

TEST_FUNCTION row_scalar(int n, double a[N][N], double *out) {
  for (int i = 0; i < n; i++) {
    double s = i;
    for (int j = 0; j < n; j++) {
      s = s * 0.5 + a[i][j];
      a[i][j] = s;
    }
    out[i] = s;
  }
}

TEST_FUNCTION shared(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = a[i][j] * 2;
      double u = t + b[j][i];
      b[j][i] = u - t * 0.5;
      a[i][j] = u * 0.25;
    }
}

TEST_FUNCTION conditional(int n, double *a, double *b) {
  double last = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] > 0)
      last = a[i];
    b[i] += last;
  }
}

TEST_VALUE(double) nested(int n, double a[N][N]) {
  double outer = 1;
  for (int i = 0; i < n; i++) {
    double inner = outer;
    for (int j = 0; j < i; j++)
      inner = inner * 0.5 + a[i][j];
    outer = inner - a[i][i] * 0.25;
  }
  return outer;
}

TEST_VALUE(int) counter(int n, int a[N]) {
  int at = 0;
  for (int i = 0; i < n; i++)
    if (a[i] % 2 == 0)
      a[at++] = a[i];
  return at;
}

TEST_FUNCTION swapped(int n, int steps, double *a, double *b) {
  double *from = a, *to = b;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
    double *other = from;
    from = to;
    to = other;
  }
}

static double a[N][N], b[N][N], v[40], w[40];
static int keys[N];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 1) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(v, 40, 3);
    FILL(w, 40, 4);
    FILL(keys, N, 5);
    previous(h, v, w);
    previous(h, v, v + hidden(1));
    SHOW("previous", v, 40);
    SHOW("previous", w, 40);
    two_back(h, v);
    SHOW("two_back", v, 40);
    row_scalar(h, a, v);
    SHOW("row_scalar", &a[0][0], N * N);
    shared(h, a, b);
    shared(h, a, a);
    SHOW("shared", &a[0][0], N * N);
    SHOW("shared", &b[0][0], N * N);
    conditional(h, v, w);
    conditional(h, w, w);
    SHOW("conditional", w, 40);
    double value = nested(h, a);
    SHOW("nested", &value, 1);
    printf("%d\n", counter(h, keys));
    SHOW("counter", keys, N);
    swapped(h, h / 2, v, w);
    SHOW("swapped", v, 40);
    SHOW("swapped", w, 40);
  }
  return 0;
}
