// What cannot be modelled but hardly ever runs is assumed not to run, and checked before the loops. Where the check fails the original runs, with all that it prints in its order.
// poly: optimizes traced traced_twice limited freed reported
// poly: optimizes counted merged largest returned
// poly: one scop returned
// poly: one scop limited
// poly: one scop traced
// poly: one scop freed
// poly: one scop reported
#include "check.h"
#include <stdlib.h>

enum { N = 24 };
static double a[N * N], b[N * N];

// The trace comes in one iteration.
TEST_FUNCTION traced(int n, int row, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    if (i == row)
      printf("row %d: %a\n", i, A[i][0]);
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
}

// Two traces, one with a loop of its own.
TEST_FUNCTION traced_twice(int n, int row, int column, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    if (i == row)
      for (int j = 0; j < n; j++)
        printf("%a ", A[i][j]);
    for (int j = 0; j < n; j++) {
      A[i][j] += B[j][i];
      if (j == column && i > row)
        printf("%d %d %a\n", i, j, A[i][j]);
    }
  }
}

// Complaints about what is over a limit.
TEST_FUNCTION limited(int n, int limit, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > limit)
        printf("%d > %d\n", i + j, limit);
      A[i][j] = A[i][j] * 0.5 + B[j][i];
    }
}

// What is counted with the complaints, and used behind the loops.
TEST_VALUE(int) counted(int n, int limit, double A[restrict N][N], double B[restrict N][N]) {
  int complaints = 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > limit) {
        printf("%d too large\n", i + j);
        complaints++;
      }
      A[i][j] = A[i][j] * 0.5 + B[j][i];
    }
  return complaints;
}

// The value depends on the way.
TEST_FUNCTION merged(int n, int row, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    double factor = B[i][i];
    if (i == row)
      factor = printf("row %d\n", i);
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i] * factor;
  }
}

// The sum goes on, with what is printed or without.
TEST_VALUE(double) largest(int n, int row, double A[restrict N][N], double B[restrict N][N]) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i][j] += B[j][i];
      sum += A[i][j];
    }
    if (i == row) {
      printf("so far %a\n", sum);
      sum = 0;
    }
  }
  return sum;
}

// An error is reported, and the function left.
TEST_VALUE(int) returned(int n, int limit, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > limit) {
        printf("error at %d, %d\n", i, j);
        return -1;
      }
      A[i][j] = A[i][j] * 0.5 + B[j][i];
    }
  return n;
}

// There are two reasons, and more loops behind. (The first test of the second one comes before the loops, and a branch that belongs to no loop is not assumed.)
TEST_VALUE(double) returned_between(int n, int row, int column, double A[restrict N][N], double B[restrict N][N]) {
  double sum = 1;
  for (int i = 0; i < n; i++) {
    if (i == row) {
      printf("error in row %d: %a\n", i, sum);
      return sum;
    }
    for (int j = 0; j < n; j++) {
      A[i][j] += B[j][i];
      sum += A[i][j];
    }
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      if (j == column) {
        printf("error in column %d: %a\n", j, sum);
        return 2;
      }
      B[i][j] = A[i][j] * 0.25 + B[j][i];
    }
  return sum * 2;
}

// What is printed is often: none of it may be lost.
TEST_FUNCTION often(int n, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    if (i % 10 == 3)
      printf("at %d\n", i);
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
}

// Data is looked at before.
TEST_FUNCTION reported(int n, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (B[j][i] > 1e6)
        printf("B[%d][%d] is %a, A %a\n", j, i, B[j][i], A[i][j]);
      A[i][j] = A[i][j] * 0.5 + B[j][i];
    }
}

// What is reported has just been computed: that cannot be known before.
TEST_FUNCTION reported_result(int n, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = A[i][j] * 0.5 + B[j][i];
      if (A[i][j] > 1e6)
        printf("A[%d][%d] is %a\n", i, j, A[i][j]);
    }
}

// A count of rows that data excludes, and what is said of them.
TEST_FUNCTION skipped(int n, const int *restrict state, double A[restrict N][N], double B[restrict N][N]) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (state[i] < 0) {
      printf("row %d is %d\n", i, state[i]);
      count++;
    }
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
  printf("%d\n", count);
}

// In the rare case memory is replaced: what is loaded from it may not be taken from before.
typedef struct {
  double *rows;
  long size;
} matrix;

TEST_FUNCTION freed(int times, int n, int bad, matrix *m, double B[restrict N][N]) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      if (i == bad + t) {
        double *other = malloc(N * N * sizeof(double));
        memcpy(other, m->rows, N * N * sizeof(double));
        other[0] += 1;
        free(m->rows);
        m->rows = other;
      }
      for (int j = 0; j < m->size; j++)
        m->rows[i * N + j] += B[j][i];
    }
  }
}

int main(void) {
  FILL(a, N * N, 1);
  FILL(b, N * N, 2);
  matrix m = {malloc(N * N * sizeof(double)), N};
  FILL(m.rows, N * N, 3);
  static const int sizes[] = {0, 1, 2, 13, N};
  for (volatile int s = 0; s < 5; s++) {
    int n = (int)hidden(sizes[s]);
    int rows[] = {-1, 0, n / 2, n - 1, n};
    for (volatile int r = 0; r < 5; r++) {
      int row = (int)hidden(rows[r]);
      traced(n, row, (void *)a, (void *)b);
      traced_twice(n, row, row / 2, (void *)a, (void *)b);
      traced_twice(n, n, row, (void *)a, (void *)b);
      limited(n, 2 * row, (void *)a, (void *)b);
      freed(2, n, row, &m, (void *)b);
      int state[N] = {0};
      double *far = row >= 0 && row < n ? &b[row * N + n - 1 - row] : NULL;
      double before = far ? *far : 0;
      if (far) {
        *far = 1e7;
        state[row] = -1;
      }
      reported(n, (void *)a, (void *)b);
      reported_result(n, (void *)a, (void *)b);
      skipped(n, state, (void *)a, (void *)b);
      if (far)
        *far = before;
      FILL(a, N * N, 1);
      printf("%d\n", counted(n, 2 * row, (void *)a, (void *)b));
      merged(n, row, (void *)a, (void *)b);
      printf("%d\n", returned(n, 2 * row, (void *)a, (void *)b));
      printf("%a\n", returned_between(n, row, n, (void *)a, (void *)b));
      printf("%a\n", returned_between(n, n, row, (void *)a, (void *)b));
      printf("%a\n", largest(n, row, (void *)a, (void *)b));
    }
    often(n, (void *)a, (void *)b);
  }
  SHOW("a", a, N * N);
  SHOW("m", m.rows, N * N);
  free(m.rows);
  return 0;
}
