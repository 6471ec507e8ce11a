// Stencils on rings and tori, whose ends depend on each other, in several ways to write them; elements and their mirror images.
// poly: optimizes ring peeled ghosts torus mirror mirrored_steps
#include "check.h"

#define N 21

// Which neighbours there are depends on the iteration.
TEST_FUNCTION ring(int steps, long n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (long i = 0; i < n; i++) {
      long left = i == 0 ? n - 1 : i - 1;
      long right = i == n - 1 ? 0 : i + 1;
      b[i] = 0.25 * a[left] + 0.5 * a[i] + 0.125 * a[right];
    }
    for (long i = 0; i < n; i++) {
      long left = i == 0 ? n - 1 : i - 1;
      long right = i == n - 1 ? 0 : i + 1;
      a[i] = 0.25 * b[left] + 0.5 * b[i] + 0.125 * b[right];
    }
  }
}

// The ends are statements of their own.
TEST_FUNCTION peeled(int steps, long n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    b[0] = 0.25 * a[n - 1] + 0.5 * a[0] + 0.125 * a[1];
    for (long i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.125 * a[i + 1];
    b[n - 1] = 0.25 * a[n - 2] + 0.5 * a[n - 1] + 0.125 * a[0];
    a[0] = 0.25 * b[n - 1] + 0.5 * b[0] + 0.125 * b[1];
    for (long i = 1; i < n - 1; i++)
      a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.125 * b[i + 1];
    a[n - 1] = 0.25 * b[n - 2] + 0.5 * b[n - 1] + 0.125 * b[0];
  }
}

// Copies of the ends beyond the other ends.
TEST_FUNCTION ghosts(int steps, long n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    a[0] = a[n];
    a[n + 1] = a[1];
    for (long i = 1; i <= n; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.125 * a[i + 1];
    b[0] = b[n];
    b[n + 1] = b[1];
    for (long i = 1; i <= n; i++)
      a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.125 * b[i + 1];
  }
}

#define ENDS(x)                                                                                                                    \
  for (int j = 1; j <= N; j++) {                                                                                                   \
    x[0][j] = x[N][j];                                                                                                             \
    x[N + 1][j] = x[1][j];                                                                                                         \
  }                                                                                                                                \
  for (int i = 1; i <= N; i++) {                                                                                                   \
    x[i][0] = x[i][N];                                                                                                             \
    x[i][N + 1] = x[i][1];                                                                                                         \
  }
#define SWEEP(x, y)                                                                                                                \
  for (int i = 1; i <= N; i++)                                                                                                     \
    for (int j = 1; j <= N; j++)                                                                                                   \
      y[i][j] = 0.125 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]) + 0.5 * x[i][j];

TEST_FUNCTION torus(int steps, double a[N + 2][N + 2], double b[N + 2][N + 2]) {
  for (int t = 0; t < steps; t++) {
    ENDS(a)
    SWEEP(a, b)
    ENDS(b)
    SWEEP(b, a)
  }
}

// The first half reads what has not been written yet, the second one what has.
TEST_FUNCTION mirror(long n, double *a) {
  for (long i = 0; i < n; i++)
    a[i] = 0.5 * a[i] + a[n - 1 - i];
}

TEST_FUNCTION mirrored_steps(int steps, long n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (long i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.25 * a[n - 1 - i] + 0.25 * a[i + 1];
    for (long i = 1; i < n - 1; i++)
      a[i] = 0.5 * b[i] + 0.25 * b[n - 1 - i];
  }
}

static double a[70], b[70], x[N + 2][N + 2], y[N + 2][N + 2];

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 16, 33, 64};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    long n = hidden(sizes[s]);
    for (int steps = 0; steps < 12; steps += 1 + 4 * (steps > 1)) {
      int count = (int)hidden(steps);
      FILL(a, COUNT(a), 1);
      FILL(b, COUNT(b), 2);
      ring(count, n, a, b);
      SHOW("ring", a, COUNT(a));
      if (n > 1) {
        peeled(count, n, a, b);
        SHOW("peeled", b, COUNT(b));
      }
      ghosts(count, n, a, b);
      SHOW("ghosts", a, COUNT(a));
      mirrored_steps(count, n, a, b);
      SHOW("mirrored steps", a, COUNT(a));
      // Arrays that overlap.
      ring(count, n, a, a + 3);
      SHOW("overlapping", a, COUNT(a));
    }
    mirror(n, a);
    SHOW("mirror", a, COUNT(a));
  }
  for (int steps = 0; steps < 7; steps += 3) {
    FILL(&x[0][0], sizeof(x) / sizeof(double), 3);
    torus((int)hidden(steps), x, y);
    SHOW("torus", &x[0][0], sizeof(x) / sizeof(double));
  }
}
