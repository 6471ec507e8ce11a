// Arrays that live in one iteration of a loop, in memory that other variables may use at other times.
// poly: optimizes row_of_iteration two_in_turn copied_block small_matrix in_inner_loop
#include "check.h"

#define N 40

TEST_FUNCTION row_of_iteration(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++) {
    double row[N];
    for (int j = 0; j < n; j++)
      row[j] = b[j][i] * 2.0;
    for (int j = 0; j < n; j++)
      a[i][j] += row[n - 1 - j];
  }
}

// The two may share their memory where the marks stand as in the source, not where loops are fused.
TEST_FUNCTION two_in_turn(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++) {
    {
      double first[N];
      for (int j = 0; j < n; j++)
        first[j] = a[i][j] * 0.5;
      for (int j = 0; j < n; j++)
        b[i][j] = first[n - 1 - j] + 1;
    }
    {
      double second[N];
      for (int j = 0; j < n; j++)
        second[j] = b[i][j] * 0.25 + a[j][i];
      for (int j = 0; j < n; j++)
        a[i][j] = second[n - 1 - j] - 1;
    }
  }
}

TEST_FUNCTION copied_block(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++) {
    double row[N];
    memcpy(row, b[i], sizeof row);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        a[k][j] += row[k] * row[N - 1 - j];
  }
}

TEST_FUNCTION small_matrix(int n, double a[][3], const double *turns) {
  for (int i = 0; i < n; i++) {
    double m[3][3], t[3];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        m[r][c] = turns[i % N + r] * (c + 1) - r;
    for (int r = 0; r < 3; r++) {
      t[r] = 0;
      for (int c = 0; c < 3; c++)
        t[r] += m[r][c] * a[i][c];
    }
    for (int r = 0; r < 3; r++)
      a[i][r] = t[r] * 0.125;
  }
}

TEST_FUNCTION in_inner_loop(int n, int a[N][N], const int *keys) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int count[8] = {0};
      for (int k = 0; k < n; k++)
        count[(keys[k] + i + j) & 7]++;
      a[i][j] = count[(i * j) & 7];
    }
}

// Somebody else gets the address: not for new code.
static double *seen;
TEST_FUNCTION look(double *row) { seen = row; }
TEST_FUNCTION given_away(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    double row[N];
    look(row);
    for (int j = 0; j < n; j++)
      seen[j] = a[i][j] + 1;
    for (int j = 0; j < n; j++)
      a[i][j] = row[n - 1 - j] * 0.5;
  }
}

// What is there at the end of one iteration may not be used by the next one, but what stands outside may.
TEST_VALUE(double) lives_longer(int n, double a[N][N]) {
  double row[N];
  for (int j = 0; j < N; j++)
    row[j] = j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      row[j] = row[j] * 0.5 + a[i][j];
  double sum = 0;
  for (int j = 0; j < N; j++)
    sum = sum * 0.75 + row[j];
  return sum;
}

// The loops inside are a region of their own, which reads what its last execution has written.
TEST_FUNCTION handed_to_next(int n, double a[N][N], double b[N][N]) {
  double row[N];
  for (int j = 0; j < N; j++)
    row[j] = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = row[j] + b[i][j];
    for (int j = 0; j < n; j++)
      row[j] = b[i][j] * i;
    __asm__ volatile("" ::: "memory");
  }
}

static double a[N][N], b[N][N], c[N * 4][3];
static int keys[N], counts[N][N];

int main(void) {
  static const int sizes[] = {0, 1, 7, N};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]);
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(&c[0][0], N * 12, 3);
    FILL(keys, N, 4);
    row_of_iteration(n, a, b);
    row_of_iteration(n, b, b); // overlap: the run-time check fails
    SHOW("row_of_iteration", &a[0][0], N * N);
    two_in_turn(n, a, b);
    SHOW("two_in_turn", &a[0][0], N * N);
    SHOW("two_in_turn", &b[0][0], N * N);
    FILL(&a[0][0], N * N, 5);
    copied_block(n, a, b);
    SHOW("copied_block", &a[0][0], N * N);
    small_matrix(n * 3, c, &a[0][0]);
    SHOW("small_matrix", &c[0][0], N * 12);
    in_inner_loop(n, counts, keys);
    SHOW("in_inner_loop", &counts[0][0], N * N);
    given_away(n, b);
    SHOW("given_away", &b[0][0], N * N);
    handed_to_next(n, a, b);
    SHOW("handed_to_next", &a[0][0], N * N);
    double value = lives_longer(n, b);
    SHOW("lives_longer", &value, 1);
  }
  return 0;
}
