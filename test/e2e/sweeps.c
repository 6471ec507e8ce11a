// Sweeps: sums of new values and of old ones, both made from the sums of the iteration before.
// poly: optimizes sweep halves repeated_sweeps columns most_before backwards products windows
#include "check.h"

#define N 56
#define K 5

TEST_FUNCTION sweep(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      if (j != i)
        sum += y[j];
    y[i] = x[i] - sum / 3;
  }
}

TEST_FUNCTION halves(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < i; j++)
      sum += y[j];
    for (int j = i + 1; j < n; j++)
      sum -= y[j];
    y[i] = x[i] ^ sum;
  }
}

// In the next sweep the new values are the old ones.
TEST_FUNCTION repeated_sweeps(int steps, int n, int *restrict y, const int *restrict x) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) {
      int sum = 0;
      for (int j = 0; j < n; j++)
        if (j != i)
          sum += y[j];
      y[i] = x[i] - sum / 5 + t;
    }
}

// A sum for each class.
TEST_FUNCTION columns(int n, int k, int m[restrict N][K], const int *restrict x) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      int sum = 0;
      for (int j = 0; j < n; j++)
        if (j != i)
          sum += m[j][c];
      m[i][c] = (sum ^ x[i]) & 255;
    }
}

// What was largest before can only become larger.
TEST_FUNCTION most_before(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int most = x[i];
    for (int j = 0; j < i; j++)
      most = y[j] > most ? y[j] : most;
    y[i] = most / 2 + x[i];
  }
}

TEST_FUNCTION backwards(int n, int *restrict y, const int *restrict x) {
  for (int i = n - 1; i >= 0; i--) {
    int sum = 0;
    for (int j = i + 1; j < n; j++)
      sum += y[j];
    y[i] = x[i] + sum / 7;
  }
}

// What is read is written behind, two elements further.
TEST_FUNCTION products(int n, int *restrict y, int *restrict z, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      z[i] += y[j] * x[j];
    y[i + 2] = (z[i] & 255) + 1;
  }
}

// Each element is written several times: what is read has another value each time.
TEST_FUNCTION unsteady(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      sum += y[j];
    for (int j = 0; j <= i; j++)
      y[j] = x[j] + (sum & 1023);
  }
}

// The element itself is among those that are summed up.
TEST_FUNCTION with_itself(int n, int *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += y[j];
}

// Values of the iteration before are read where they are already gone from what is summed up.
TEST_FUNCTION windows(int n, int w, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < w; j++)
      sum += y[i + j];
    y[i + w] = (sum & 1023) + x[i];
  }
}

static int y[3 * N], z[3 * N], x[3 * N], m[N][K];

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 4, 17, 53, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = (int)hidden(sizes[number]);
    FILL(x, 3 * N, 1);
    FILL(y, 3 * N, 2);
    FILL(z, 3 * N, 3);
    FILL(&m[0][0], N * K, 4);
    sweep(n, y, x);
    SHOW("sweep", y, N);
    halves(n, y, x);
    SHOW("halves", y, N);
    for (int steps = 0; steps < 4; steps++) {
      repeated_sweeps((int)hidden(steps), n, y, x);
      SHOW("repeated sweeps", y, N);
    }
    for (int k = 0; k <= K; k++) {
      columns(n, (int)hidden(k), m, x);
      SHOW("columns", &m[0][0], N * K);
    }
    most_before(n, y, x);
    SHOW("most before", y, N);
    backwards(n, y, x);
    SHOW("backwards", y, N);
    FILL(y, 3 * N, 5);
    products(n < 12 ? n : 12, y, z, x);
    SHOW("products", y, N);
    FILL(y, 3 * N, 6);
    unsteady(n, y, x);
    SHOW("unsteady", y, N);
    FILL(y, 3 * N, 7);
    with_itself(n < 9 ? n : 9, y);
    SHOW("with itself", y, N);
    for (int w = 0; w <= n; w = 2 * w + 1) {
      windows(n, (int)hidden(w), y, x);
      SHOW("windows", y, 2 * N);
      FILL(y, 3 * N, 8);
    }
  }
  return 0;
}
