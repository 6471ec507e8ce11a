// Loops in which the first iteration is another one, so that LLVM writes 1 for the counter of the next one there: the counter's next value is a PHI node of a sum and a constant.
// poly: optimizes doolittle crout skips
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void doolittle(float *a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      float sum = a[i * n + j];
      for (int k = 0; k < i; k++)
        sum -= a[i * n + k] * a[k * n + j];
      a[i * n + j] = sum;
    }
    for (int j = i + 1; j < n; j++) {
      float sum = a[j * n + i];
      for (int k = 0; k < i; k++)
        sum -= a[j * n + k] * a[k * n + i];
      a[j * n + i] = sum / a[i * n + i];
    }
  }
}

__attribute__((noinline)) void crout(double *a, double *d, int n) {
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < j; k++)
        sum += a[i * n + k] * a[j * n + k] * d[k];
      a[i * n + j] -= sum;
    }
    d[j] = a[j * n + j];
    for (int i = j + 1; i < n; i++)
      a[i * n + j] /= d[j];
  }
}

// The counter goes up by three, and the second iteration is another one.
__attribute__((noinline)) void skips(int *a, int n, int m) {
  for (int i = 0; i < n; i += 3) {
    if (i == 3) {
      for (int j = 0; j < m; j++)
        a[j] = 5 * j;
      continue;
    }
    for (int j = 0; j < m; j++)
      a[i * m + j] += a[j] + i;
  }
}

static unsigned state;
static double next(void) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 16777216.0;
}

int main(void) {
  for (int n = 0; n <= 90; n = n * 3 / 2 + 1) {
    float *a = malloc((n * n + 1) * sizeof *a);
    double *b = malloc((n * n + 1) * sizeof *b), *d = malloc((n + 1) * sizeof *d);
    int *c = malloc((n + 3) * (n + 1) * sizeof *c);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        a[i * n + j] = (float)next() + (i == j ? 50 : 0);
        b[i * n + j] = next() + (i == j ? 50 : 0);
      }
    for (int i = 0; i < (n + 3) * (n + 1); i++)
      c[i] = i % 11;
    doolittle(a, n);
    crout(b, d, n);
    skips(c, n, n);
    double sum = 0;
    unsigned long whole = 0;
    for (int i = 0; i < n * n; i++)
      sum = sum * 0.75 + a[i] + b[i];
    for (int i = 0; i < n; i++)
      sum += d[i];
    for (int i = 0; i < (n + 3) * (n + 1); i++)
      whole = whole * 3 + c[i];
    printf("%d %a %lx\n", n, sum, whole);
    free(a);
    free(b);
    free(c);
    free(d);
  }
  return 0;
}
