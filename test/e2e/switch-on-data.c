// Switches over elements: one statement with all cases, the loops around it are reordered.
// poly: optimizes cases shared_cases without_default negative_cases wide_cases nested after_branch value_of_case
#include "check.h"

enum { N = 23 };
static int a[N][N], b[N][N];
static int64_t w[N * N];
static double d[N][N];

TEST_FUNCTION cases(int n, int x[N][N], int y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (y[j][i]) {
      case 0: x[i][j] = 1; break;
      case 1: x[i][j] += 3; break;
      case 7: x[j][i] = 2; break;
      default: x[i][j] = x[i][j] * 5 % 1000;
      }
}

TEST_FUNCTION shared_cases(int n, int x[N][N], int y[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      switch (y[i][j] & 15) {
      case 1:
      case 3:
      case 8: x[i][j] += 7; // falls through
      case 9: x[i][j] ^= y[i][j]; break;
      case 4: break;
      case 12: y[i][j] = x[i][j];
      }
}

TEST_FUNCTION without_default(int n, double x[N][N], int y[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      switch (y[i][j]) {
      case 2: x[i][j] *= 0.5; break;
      case -3: x[i][j] += 1; break;
      case 11: x[j][i] -= 2; break;
      case 25: x[i][0] += x[i][j]; break;
      }
}

TEST_FUNCTION negative_cases(int n, int8_t *x, const int8_t *y) {
  for (int i = 0; i < n; i++)
    switch (y[i]) {
    case -128: x[i] = 1; break;
    case 127: x[i] = 2; break;
    case -1: x[i] = 3; break;
    case -50: x[i] = -x[i]; break;
    default: x[i] = (int8_t)(x[i] / 2);
    }
}

TEST_FUNCTION wide_cases(int n, int64_t *x, const int64_t *y) {
  for (int i = 0; i < n; i++)
    switch (y[i]) {
    case INT64_MIN: x[i] = 1; break;
    case INT64_MAX: x[i] = 2; break;
    case 1LL << 40: x[i] = 3; break;
    case 5: x[i] *= 11; break;
    default: x[i] ^= 77;
    }
}

TEST_FUNCTION nested(int n, int x[N][N], int y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (y[j][i] & 7) {
      case 0:
        if (x[i][j] > 4)
          x[i][j] = 0;
        break;
      case 3:
        switch (x[i][j] & 3) {
        case 0: x[i][j] = 9; break;
        case 1: y[j][i] = 5; break;
        case 2: x[i][j] += 100; break;
        }
        break;
      case 5: x[i][j]--; break;
      default: x[i][j]++;
      }
}

TEST_FUNCTION after_branch(int n, int x[N][N], int y[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (x[i][j] > 0)
        switch (y[j][i] / x[i][j]) { // a division that must not run for others
        case 0: x[i][j] = 1; break;
        case 2: x[i][j] = 8; break;
        case 5: x[i][j] = 6; break;
        default: y[j][i] = 0;
        }
}

TEST_FUNCTION value_of_case(int n, int x[N][N], int y[N][N]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int value = -7;
      switch (y[i][j]) {
      case 0: value = x[i][j]; break;
      case 4: value = x[i][j] * 3; break;
      case 13: value = y[i][j] - x[i][j]; break;
      case -20: value = i * j; break;
      }
      x[i][j] = value;
    }
}

int main(void) {
  static const int sizes[] = {0, 1, 5, N};
  static int8_t bytes[N * N], tests[N * N];
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]);
    for (int i = 0; i < N * N; i++) {
      (&a[0][0])[i] = start_value(i);
      (&b[0][0])[i] = start_value(i * 3) % 13;
      (&d[0][0])[i] = start_value(i) * 0.25;
      w[i] = i % 5 ? start_value(i) : i % 10 ? INT64_MIN : INT64_MAX;
      tests[i] = (int8_t)(i % 7 ? start_value(i) : i % 2 ? -128 : 127);
    }
    cases(n, a, b);
    SHOW("cases", &a[0][0], N * N);
    shared_cases(n, a, b);
    SHOW("shared_cases", &a[0][0], N * N);
    SHOW("shared_cases", &b[0][0], N * N);
    without_default(n, d, b);
    SHOW("without_default", &d[0][0], N * N);
    FILL(bytes, N * N, 4);
    negative_cases(n * n, bytes, tests);
    SHOW("negative_cases", bytes, N * N);
    int64_t wide[N * N] = {1LL << 40, 5, INT64_MIN, 7};
    wide_cases(n * n, w, wide);
    wide_cases(n * n, wide, w);
    SHOW("wide_cases", w, N * N);
    SHOW("wide_cases", wide, N * N);
    nested(n, a, b);
    nested(n, a, a); // overlap: the run-time check fails
    SHOW("nested", &a[0][0], N * N);
    SHOW("nested", &b[0][0], N * N);
    after_branch(n, a, b);
    SHOW("after_branch", &a[0][0], N * N);
    value_of_case(n, a, b);
    SHOW("value_of_case", &a[0][0], N * N);
  }
  return 0;
}
