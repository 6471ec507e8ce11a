// Arrays of the caller that every iteration of a loop fills anew: of what it leaves there, only that of the last iteration is seen. Threads need a row for each
// iteration, and a copy behind them.
// poly: optimizes vectors_times_matrix planes
#include "check.h"

#define N 23

// As doitgen, with a symbolic number of iterations; all numbers may be 0, and then nothing may be touched.
TEST_FUNCTION vectors_times_matrix(int nr, int nq, int np, double a[][N][N], double c[N][N], double *sum) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < np; s++)
          sum[p] += a[r][q][s] * c[s][p];
      }
      for (int p = 0; p < np; p++)
        a[r][q][p] = sum[p];
    }
}

// Two dimensions, all of both.
TEST_FUNCTION planes(int n, float a[N][N][N], float plane[N][N], float out[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        plane[j][k] = a[i][k][j] * 0.5f;
    for (int j = 0; j < N; j++) {
      out[i][j] = 0;
      for (int k = 0; k < N; k++)
        out[i][j] += plane[k][j] * plane[j][k];
    }
  }
}

// Rows that are not filled to their end: what is behind must stay.
TEST_FUNCTION parts_of_rows(int n, int m, float a[N][N][N], float plane[N][N], float out[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m - 1; k++)
        plane[j][k] = a[i][k][j] * 0.5f;
    for (int j = 0; j < m; j++) {
      out[i][j] = 0;
      for (int k = 0; k < m - 1; k++)
        out[i][j] += plane[j][k] * a[i][k][j];
    }
  }
}

// Earlier iterations write more than the last one.
TEST_FUNCTION shorter_and_shorter(int n, double a[N][N], double *line) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n - i; j++)
      line[j] = a[i][j] * 0.5;
    for (int j = 0; j < n - i; j++)
      a[i][j] += line[n - i - 1 - j];
  }
}

// The last iteration writes more than the earlier ones.
TEST_FUNCTION longer_and_longer(int n, double a[N][N], double *line) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      line[j] = a[i][j] * 0.5;
    for (int j = 0; j <= i; j++)
      a[i][j] += line[i - j];
  }
}

// The last iteration skips some, by a condition.
TEST_FUNCTION not_in_the_last(int n, double a[N][N], double *line) {
  for (int i = 0; i < n; i++) {
    if (i < n - 1) {
      for (int j = 0; j < n; j++)
        line[j] = a[i][j] * 0.5;
      for (int j = 0; j < n; j++)
        a[i][j] += line[n - 1 - j];
    }
  }
}

// One element is from the iteration before.
TEST_FUNCTION one_is_old(int n, double a[N][N], double *line) {
  for (int i = 0; i < n; i++) {
    for (int j = 1; j < n; j++)
      line[j] = a[i][j] * 0.5;
    for (int j = 1; j < n; j++)
      a[i][j] += line[n - 1 - j];
    line[0] = i;
  }
}

// The array begins with another element than the first, and is only a part of what it is in.
TEST_FUNCTION in_the_middle(int n, double a[N][N], double *line) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      line[j + 5] = a[i][j] * 0.5;
    for (int j = 0; j < n; j++)
      a[i][j] += line[n + 4 - j];
  }
}

// Written once more behind the loop, in the same region.
TEST_FUNCTION written_again(int n, double a[N][N], double *line) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      line[j] = a[i][j] * 0.5;
    for (int j = 0; j < n; j++)
      a[i][j] += line[n - 1 - j];
  }
  for (int j = 0; j < n; j++)
    line[j] += a[j][0];
}

// Stores leave the bytes between the elements as they are.
TEST_FUNCTION with_gaps(int n, long double a[N][N], long double c[N][N], long double *sum) {
  for (int r = 0; r < n; r++) {
    for (int p = 0; p < N; p++) {
      sum[p] = 0;
      for (int s = 0; s < N; s++)
        sum[p] += a[r][s] * c[s][p];
    }
    for (int p = 0; p < N; p++)
      a[r][p] = sum[p];
  }
}

static void gaps(int n) {
  static long double a[N][N], c[N][N], sum[N];
  for (int i = 0; i < N * N; i++) {
    a[i / N][i % N] = start_value(i);
    c[i / N][i % N] = start_value(i + 1);
  }
  memset(sum, 0x55, sizeof sum);
  with_gaps(n, a, c, sum);
  SHOW("gaps", (uint8_t *)sum, sizeof sum);
}

int main(void) {
  static double a[N][N][N], c[N][N], sum[2 * N];
  static float b[N][N][N], plane[N][N], out[N][N];
  const int sizes[] = {0, 1, 2, 7, N};
  for (size_t size = 0; size < COUNT(sizes); size++) {
    int n = (int)hidden(sizes[size]);
    for (size_t other = 0; other < COUNT(sizes); other++) {
      int m = (int)hidden(sizes[other]);
      FILL(&a[0][0][0], N * N * N, 1);
      FILL(&c[0][0], N * N, 2);
      FILL(sum, 2 * N, 3);
      vectors_times_matrix(n, m, 9, a, c, sum + 1);
      vectors_times_matrix(m, 4, n, a, c, n ? sum : 0);
      vectors_times_matrix(n, m, N, a, c, n && m ? sum : 0);
      SHOW("a", &a[0][0][0], N * N * N);
      SHOW("sum", sum, 2 * N);
      FILL(&b[0][0][0], N * N * N, 1);
      FILL(&plane[0][0], N * N, 2);
      FILL(&out[0][0], N * N, 3);
      parts_of_rows(n, m, b, plane, out);
      SHOW("plane", &plane[0][0], N * N);
      SHOW("out", &out[0][0], N * N);
    }
    gaps(n);
    FILL(&c[0][0], N * N, 2);
    FILL(sum, 2 * N, 3);
    planes(n, b, plane, out);
    SHOW("plane", &plane[0][0], N * N);
    SHOW("out", &out[0][0], N * N);
    void (*const tests[])(int, double[N][N], double *) = {
        shorter_and_shorter, longer_and_longer, not_in_the_last, one_is_old, in_the_middle, written_again,
    };
    for (size_t test = 0; test < COUNT(tests); test++) {
      tests[test](n, c, sum);
      SHOW("c", &c[0][0], N * N);
      SHOW("sum", sum, 2 * N);
    }
    // They are the same memory, so that what the copy writes is read again.
    shorter_and_shorter(n, c, &c[0][0]);
    vectors_times_matrix(n, 3, n, a, c, &a[0][0][0]);
    vectors_times_matrix(n, 3, n, a, c, &c[0][0]);
    SHOW("a", &a[0][0][0], N * N * N);
    SHOW("c", &c[0][0], N * N);
  }
  return 0;
}
