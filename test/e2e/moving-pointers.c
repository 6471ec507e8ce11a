// Pointers that inner loops move on, so that outer loops find them elsewhere.
// poly: optimizes by_rows
// poly: optimizes deep
// poly: optimizes padded
// poly: optimizes backwards
// poly: optimizes two
#include "check.h"

#define N 24

TEST_FUNCTION by_rows(int n, int m, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++) {
    const double *r = q;
    for (int j = 0; j < m; j++)
      *p++ += *r++;
  }
}

// Where the pointer is at the end is seen.
TEST_VALUE(double *) deep(int n, int m, int l, double *p, const double *q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const double *r = q + j;
      for (int k = 0; k < l; k++)
        *p++ += r[k * m];
    }
  return p;
}

TEST_FUNCTION padded(int n, int m, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      *p++ += q[j * n + i];
    p += 3;
  }
}

// Every row ends before the one before.
TEST_FUNCTION backwards(int n, int m, double *p, const double *q) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      p--;
      *p = *p * 0.5 + q[j * n + i];
    }
    p -= 2;
  }
}

// Each row begins inside of the one before.
TEST_FUNCTION overlapping(int n, int m, double *p) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++, p++)
      p[1] = p[0] * 0.5 + p[1];
    p -= m / 2;
  }
}

// The rows become longer.
TEST_FUNCTION triangle(int n, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      *p++ -= q[j];
}

// Some rows are left out.
TEST_FUNCTION sometimes(int n, int m, int from, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++)
    if (i >= from)
      for (int j = 0; j < m; j++)
        *p++ -= q[j];
}

TEST_FUNCTION two(int n, int m, float *restrict to, const short *restrict from) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      *to++ = (float)from[0] + 0.5f * (float)from[1];
      from += 2;
    }
}

static double a[4 * N * N], b[4 * N * N];
static float f[N * N];
static short s[2 * N * N];

int main(void) {
  for (int i = 0; i < 2 * N * N; i++)
    s[i] = (short)start_value(i);
  for (int n = 0; n < N / 2; n = n * 2 + 1)
    for (int m = 0; m < N; m = m * 2 + 1) {
      int h = (int)hidden(n), w = (int)hidden(m);
      FILL(a, 4 * N * N, n);
      FILL(b, 4 * N * N, m);
      by_rows(h, w, a, b);
      by_rows((int)hidden(-n), w, a, b);
      printf("%d\n", (int)(deep(h, w, (int)hidden(3), a, b) - a));
      printf("%d\n", (int)(deep(h, w, (int)hidden(-3), a, b) - a));
      printf("%d\n", (int)(deep(h, w, (int)hidden(2), a, a + 5) - a));
      SHOW("deep", a, 4 * N * N);
      padded(h, w, a, b);
      backwards(h, w, a + 4 * N * N, b);
      backwards(h, w, a + 2 * N * N, a + N * N);
      SHOW("backwards", a, 4 * N * N);
      overlapping(h, w, a);
      triangle(h, b, a);
      sometimes(h, w, (int)hidden(n / 2), a, b);
      SHOW("sometimes", a, 4 * N * N);
      SHOW("triangle", b, N * N);
      two(h, w, f, s);
      SHOW("two", f, N * N);
    }
  return 0;
}
