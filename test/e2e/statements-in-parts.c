// Statements with early reads, and statements in parts that each store one thing: an order that makes vectors of them.
// poly: optimizes early early_in_rows
#include "check.h"

#define N 3001

static float a[N + 2], b[N + 2], c[N + 2], d[N + 2], e[N + 2];
static float m[41][N + 2], w[41][N + 2];

// What the next iteration overwrites is read before this one writes.
TEST_FUNCTION early(void) {
  for (int i = 0; i < N; i++) {
    float x = b[i] * c[i];
    a[i] = x;
    b[i] = x * a[i + 1] * d[i];
  }
}

TEST_FUNCTION early_in_rows(void) {
  for (int r = 0; r < 41; r++)
    for (int i = 0; i < N; i++) {
      float x = w[r][i] + c[i];
      m[r][i] = x;
      w[r][i] = x + m[r][i + 1] * d[i];
    }
}

// The element that is read is the one that was just written: no read may be early.
TEST_FUNCTION own_element(void) {
  for (int i = 0; i < N; i++) {
    float x = c[i] * d[i];
    a[i] = x;
    b[i] = a[i] + x * a[i + 1];
  }
}

// Two ways to read what the iteration before has written.
TEST_FUNCTION in_two_loops(void) {
  for (int i = 1; i <= N; i++) {
    a[i] = b[i - 1] + c[i] * d[i];
    b[i] = b[i + 1] - e[i] * d[i];
  }
}

// The last store of an iteration is overwritten by the first one of the next.
TEST_FUNCTION overwritten(void) {
  for (int i = 0; i < N; i++) {
    a[i] = b[i] + c[i] * d[i];
    b[i] = c[i] + b[i];
    a[i + 1] = b[i] + a[i + 1] * d[i];
  }
}

// What one part stores, the other one loads, and what that needs has been overwritten.
TEST_FUNCTION loaded(void) {
  for (int i = 0; i < N; i++) {
    float x = b[i] + c[i];
    b[i] = x * d[i];
    e[i] = x + b[i + 1];
  }
}

// Backwards, and with a step.
TEST_FUNCTION backwards(void) {
  for (int i = N; i > 1; i -= 2) {
    float x = b[i] * c[i];
    a[i] = x;
    b[i] = x * a[i - 2] + d[i];
  }
}

// A distance that only the program knows: what is read may be what was written.
TEST_FUNCTION at_a_distance(int n, int k) {
  for (int i = 4; i < n; i++) {
    float x = b[i] * c[i];
    a[i] = x;
    b[i] = x + a[i + k] * d[i];
  }
}

static void start(void) {
  FILL(a, N + 2, 1);
  FILL(b, N + 2, 2);
  FILL(c, N + 2, 3);
  FILL(d, N + 2, 4);
  FILL(e, N + 2, 5);
  for (int i = 0; i < N + 2; i++)
    d[i] /= 64;
}

#define RUN(call)                                                                                                                  \
  do {                                                                                                                             \
    start();                                                                                                                       \
    call;                                                                                                                          \
    SHOW(#call, a, N + 2);                                                                                                         \
    SHOW(#call, b, N + 2);                                                                                                         \
    SHOW(#call, e, N + 2);                                                                                                         \
  } while (0)

int main(void) {
  RUN(early());
  RUN(own_element());
  RUN(in_two_loops());
  RUN(overwritten());
  RUN(loaded());
  RUN(backwards());
  for (int k = -4; k <= 2; k++)
    RUN(at_a_distance(N, (int)hidden(k)));
  for (int r = 0; r < 41; r++) {
    FILL(m[r], N + 2, r);
    FILL(w[r], N + 2, r + 7);
  }
  early_in_rows();
  SHOW("m", m[0], 41 * (N + 2));
  SHOW("w", w[0], 41 * (N + 2));
  return 0;
}
