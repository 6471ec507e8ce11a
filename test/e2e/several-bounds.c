// Loops that end by the first of several conditions, and bounds chosen by a condition.
// poly: optimizes window break_on_sum chosen_bound chosen_subscript down_to_either
#include "check.h"

#define N 40

TEST_FUNCTION window(int n, int m, int k, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = (i > k ? i - k : 0); j < (i + k < m ? i + k : m); j++)
      a[i][j] += b[j][i];
}

TEST_FUNCTION break_on_sum(int n, int m, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > m)
        break;
      a[i][j] += b[j][i];
    }
}

// Left from two places: not for new code.
TEST_FUNCTION break_on_either(int n, int m, int k, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n && j + 2 * i < m; j++) {
      if (j - i >= k)
        break;
      a[i][j] += b[j][i] * 0.5;
    }
}

TEST_FUNCTION chosen_bound(int n, int m, int wide, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++) {
    int end = wide ? m : i;
    for (int j = 0; j < end; j++)
      a[i][j] += b[j][i];
  }
}

TEST_FUNCTION chosen_subscript(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[i > j ? i - j : j - i][j];
}

TEST_FUNCTION down_to_either(int n, int m, double a[N][N], double b[N][N]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j >= 0; j--) {
      if (i + j < m)
        break;
      a[i][j] -= b[j][i];
    }
}

// The sum in the condition leaves the integers of 32 bits: the check fails, the original runs.
TEST_FUNCTION unsigned_sum(unsigned n, unsigned m, unsigned start, int *a) {
  for (unsigned i = 0; i < n; i++) {
    if (i + start > m)
      break;
    a[i] += (int)i + 1;
  }
}

static double a[N][N], b[N][N];
static int c[N];

int main(void) {
  static const int sizes[][3] = {{0, 0, 0},   {1, 1, 1},   {N, N, 3},      {N, 7, 50},     {7, N, 0},
                                 {N, -1, 5},  {N, N, N},   {N / 2, N, -4}, {N, 2 * N, 12}, {5, 2000000000, 30},
                                 {-3, 10, 1}};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k][0]), m = (int)hidden(sizes[k][1]), w = (int)hidden(sizes[k][2]);
    int most = m < N ? m : N;
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(c, N, 3);
    window(n, most, w < N ? w : N, a, b);
    SHOW("window", &a[0][0], N * N);
    break_on_sum(n, m, a, b);
    SHOW("break_on_sum", &a[0][0], N * N);
    break_on_either(n, m, w, a, b);
    SHOW("break_on_either", &a[0][0], N * N);
    chosen_bound(n, most, w & 1, a, b);
    SHOW("chosen_bound", &a[0][0], N * N);
    chosen_subscript(n, a, b);
    chosen_subscript(n, a, a);
    SHOW("chosen_subscript", &a[0][0], N * N);
    down_to_either(n, m, a, b);
    SHOW("down_to_either", &a[0][0], N * N);
    unsigned_sum(n < 0 ? 0 : (unsigned)n, (unsigned)m, (unsigned)w, c);
    unsigned_sum(n < 0 ? 0 : (unsigned)n, 12u, (unsigned)hidden(-5), c);
    SHOW("unsigned_sum", c, N);
  }
  return 0;
}
