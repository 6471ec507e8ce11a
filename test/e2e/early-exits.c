// Loops that are left early: by affine conditions in several places, to several places, with values that are used behind; by conditions on data (left as they are).
// poly: optimizes returned several_breaks inner_break nested_break found_behind counting_down unsigned_break
#include "check.h"

enum { N = 24 };

TEST_VALUE(int) returned(int n, int m, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++) {
    b[i][0] += 1;
    if (i * 2 > m)
      return i;
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i];
  }
  return -1;
}

TEST_VALUE(int) several_breaks(int n, int m, int k, double *restrict a, double *restrict b) {
  int i;
  for (i = 0; i < n; i++) {
    a[i] += 1;
    if (i == m)
      break;
    b[i] = a[i] * 2;
    if (i > k) {
      a[i] = 7;
      break;
    }
    b[i] += 0.5;
  }
  return i;
}

TEST_FUNCTION inner_break(int n, int m, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] += b[j][i];
      if (i + j > m)
        break;
      a[i][j] *= 0.75;
    }
}

TEST_FUNCTION nested_break(int n, int m, int k, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++) {
    b[i][i] += 2;
    if (i > k)
      break;
    for (int j = 0; j < n; j++) {
      a[i][j] += b[j][i];
      if (j > i + m)
        break;
      b[j][i] -= 1;
    }
    b[0][i] = a[i][i];
  }
}

// Which of the ways out was taken is seen behind the loop, and so is a sum.
TEST_VALUE(double) found_behind(int n, int m, int k, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    if (i == m)
      return sum * 2;
    sum -= 0.25;
    if (3 * i > k)
      return sum + 1000;
    sum *= 1.5;
  }
  return sum;
}

TEST_VALUE(long) counting_down(long n, long m, long k, int *x) {
  long i;
  for (i = n; i > 0; i -= 2) {
    x[i] += 1;
    if (i < m)
      break;
    x[i] *= 3;
    if (i + k < 0)
      return -i;
    x[i] -= 4;
  }
  return i;
}

TEST_VALUE(unsigned) unsigned_break(unsigned n, unsigned m, int *x) {
  unsigned i;
  for (i = 0; i != n; i++) {
    x[i] += 5;
    if (i + 3 >= m)
      break;
    x[i] ^= 9;
  }
  return i;
}

// The data decides.
TEST_VALUE(int) search(int n, int value, int (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (a[i][j] == value)
        return i * N + j;
  return -1;
}

TEST_FUNCTION until_negative(int n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (b[j][i] < -40)
        break;
      a[i][j] += b[j][i];
    }
}

// Leaves two loops at once.
TEST_VALUE(int) leave_both(int n, int m, double (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] += 1;
      if (i + 2 * j > m)
        return i - j;
    }
  return 1000;
}

static double a[N][N], b[N][N], x[N + 2], y[N + 2];
static int cells[N][N], row[2 * N];

int main(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(x, N + 2, 3);
  FILL(y, N + 2, 4);
  FILL(&cells[0][0], N * N, 5);
  FILL(row, 2 * N, 6);
  for (volatile int n = 0; n <= N; n += 4)
    for (volatile int m = -4; m <= 2 * N; m += 3) {
      int rows = (int)hidden(n), limit = (int)hidden(m);
      printf("%d", returned(rows, limit, a, b));
      for (int k = -5; k < N; k += 7) {
        printf(" %d", several_breaks(rows, limit, (int)hidden(k), x, y));
        nested_break(rows, limit, (int)hidden(k), a, b);
        printf(" %a", found_behind(rows, limit, (int)hidden(k), x));
        printf(" %ld", counting_down(rows, limit, hidden(k), row));
      }
      inner_break(rows, limit, a, b);
      printf(" %u", unsigned_break((unsigned)rows, (unsigned)limit, row));
      printf(" %d", search(rows, limit, cells));
      until_negative(rows, a, b);
      printf(" %d\n", leave_both(rows, limit, a));
      for (int i = 0; i < N * N; i++) {
        (&a[0][0])[i] *= 0.125;
        (&b[0][0])[i] *= 0.125;
      }
      for (int i = 0; i < N + 2; i++) {
        x[i] *= 0.25;
        y[i] *= 0.25;
      }
      for (int i = 0; i < 2 * N; i++)
        row[i] %= 1000;
    }
  SHOW("a", &a[0][0], N * N);
  SHOW("b", &b[0][0], N * N);
  SHOW("x", x, N + 2);
  SHOW("y", y, N + 2);
  SHOW("row", row, 2 * N);
  return 0;
}
