// Arrays on the stack, some of which are scratch space of one iteration of an outer loop.
#include "check.h"

#define N 20

TEST_FUNCTION scratch(int n, double a[N][N]) {
  double row[N];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      row[j] = a[i][j] * 0.5;
    for (int j = 0; j < n; j++)
      a[i][j] = row[n - 1 - j] + i;
  }
}

TEST_FUNCTION inner_scratch(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    double row[N];
    for (int j = 0; j < N; j++)
      row[j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        row[j] += a[k][j] * (i + 1);
    for (int j = 0; j < n; j++)
      a[i][j] = row[j] * 0.0625;
  }
}

TEST_VALUE(double) history(int n, const double *in) {
  double last[4] = {1, 2, 3, 4};
  double out = 0;
  for (int i = 0; i < n; i++) {
    out = out * 0.5 + last[i % 4];
    last[i % 4] = in[i];
  }
  return out + last[0] + last[3];
}

TEST_FUNCTION histogram(int n, const int *in, int *out) {
  int count[16] = {0};
  for (int i = 0; i < n; i++)
    count[(in[i] + 50) % 16]++;
  for (int i = 0; i < 16; i++)
    out[i] += count[i] * (i + 1);
}

TEST_FUNCTION growing(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    double row[i + 1]; // of another size in each iteration
    for (int j = 0; j <= i; j++)
      row[j] = a[i][j] + a[j][i];
    for (int j = 0; j <= i; j++)
      a[i][j] = row[i - j] * 0.5;
  }
}

TEST_VALUE(double) product_of_locals(int n) {
  double x[N][N], y[N][N], z[N][N];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i][j] = i - j * 0.5;
      y[i][j] = i * 0.25 + j;
      z[i][j] = 0;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        z[i][j] += x[i][k] * y[k][j];
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum = sum * 0.5 + z[i][j];
  return sum;
}

static double a[N][N];
static int keys[40], out[16];

int main(void) {
  FILL(keys, 40, 2);
  for (int n = 0; n <= N; n += 5) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    scratch(h, a);
    SHOW("scratch", &a[0][0], N * N);
    inner_scratch(h, a);
    SHOW("inner_scratch", &a[0][0], N * N);
    growing(h, a);
    SHOW("growing", &a[0][0], N * N);
    double values[] = {history(h, &a[0][0]), product_of_locals(h)};
    SHOW("values", values, 2);
    histogram(h * 2, keys, out);
    SHOW("histogram", out, 16);
  }
  return 0;
}
