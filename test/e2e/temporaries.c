// Scalars and local arrays that every iteration sets before it uses them: sums in the middle of nests, values between two inner loops, with symbolic sizes, triangular nests, and
// scalars that only look like that.
// poly: optimizes symmetric between unchecked
#include "check.h"

#define N 53

TEST_FUNCTION symmetric(int m, int n, double alpha, double beta, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        c[k][j] += alpha * b[i][j] * a[i][k];
        sum += b[k][j] * a[i][k];
      }
      c[i][j] = beta * c[i][j] + alpha * b[i][j] * a[i][i] + alpha * sum;
    }
}

TEST_FUNCTION variable_sizes(int m, int n, float c[m][n], float a[m][m], float b[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = c[i][j];
      for (int k = 0; k < m; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = c[i][j] * 2 - sum;
    }
}

TEST_FUNCTION between(int n, double a[N][N], double b[N][N], double *norms) {
  for (int i = 0; i < n; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++)
      largest = a[j][i] > largest ? a[j][i] : largest;
    norms[i] = largest;
    for (int j = 0; j < n; j++)
      b[j][i] = a[j][i] / (largest + 1);
  }
}

// The sum goes on from one iteration to the next.
TEST_FUNCTION running(int n, double a[N][N], double b[N][N]) {
  double sum = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k <= j; k++)
        sum += a[k][j];
      b[i][j] = b[i][j] * 0.5 + sum;
      sum *= 0.25;
    }
}

// The last value is used behind the nest.
TEST_VALUE(double) last(int n, double a[N][N], double b[N][N]) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sum = i;
      for (int k = 0; k < n; k++)
        sum += a[k][j] * a[i][k];
      b[i][j] += sum;
    }
  return sum;
}

// Sometimes it is not set.
TEST_FUNCTION sometimes(int n, double a[N][N], double b[N][N]) {
  double sum = 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (j >= i)
        sum = 0;
      for (int k = 0; k < i; k++)
        sum += a[k][j];
      b[i][j] -= sum;
    }
}

// There is nothing to check but whether there is memory.
TEST_FUNCTION unchecked(double c[restrict N][N], double a[restrict N][N], double b[restrict N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        c[k][j] += 1.5 * b[i][j] * a[i][k];
        sum += b[k][j] * a[i][k];
      }
      c[i][j] = 0.75 * c[i][j] + b[i][j] * a[i][i] + 1.5 * sum;
    }
}

// A row that each iteration fills anew, of a size that is known before.
TEST_FUNCTION row(int n, double a[restrict n][n], double b[restrict n][n]) {
  double t[N];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      t[j] = a[j][i];
      a[j][i] += i;
    }
    for (int j = 0; j < n; j++)
      b[i][j] = t[j] + t[n - 1 - j] * t[0];
  }
}

// The row goes on from iteration to iteration where it is not filled.
TEST_FUNCTION half_a_row(int n, double a[restrict n][n], double b[restrict n][n]) {
  double t[N];
  for (int j = 0; j < n; j++)
    t[j] = j;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      t[j] = a[j][i] * 0.5;
    for (int j = 0; j < n; j++)
      b[i][j] += t[j] + t[n - 1 - j];
  }
}

static double a[N][N], b[N][N], c[N][N], norms[N];
static float x[N * N], y[N * N], z[N * N];

int main(void) {
  FILL(&a[0][0], N * N, 1);
  FILL(&b[0][0], N * N, 2);
  FILL(&c[0][0], N * N, 3);
  FILL(x, N * N, 4);
  FILL(y, N * N, 5);
  FILL(z, N * N, 6);
  for (int n = 0; n <= N; n = n * 3 + 2) {
    int size = (int)hidden(n);
    symmetric(size, (int)hidden(N - n), 1.5, 0.75, c, a, b);
    SHOW("symmetric", &c[0][0], N * N);
    variable_sizes(size, (int)hidden(n / 2 + 1), (void *)x, (void *)y, (void *)z);
    SHOW("variable", x, N * N);
    between(size, a, b, norms);
    SHOW("between", &b[0][0], N * N);
    SHOW("norms", norms, N);
    running(size, a, b);
    SHOW("running", &b[0][0], N * N);
    printf("%a\n", last(size, a, c));
    SHOW("last", &c[0][0], N * N);
    sometimes(size, a, b);
    SHOW("sometimes", &b[0][0], N * N);
    unchecked(c, a, b);
    SHOW("unchecked", &c[0][0], N * N);
    row(size, (void *)a, (void *)b);
    SHOW("row a", &a[0][0], N * N);
    SHOW("row b", &b[0][0], N * N);
    half_a_row(size, (void *)a, (void *)b);
    SHOW("half a row", &b[0][0], N * N);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = (i * 5 + j) % 17 - 8;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        b[i][j] = (i * 7 + j) % 13 - 6;
        c[i][j] = (i * 3 + j) % 11 - 5;
      }
    FILL(x, N * N, n);
  }
  return 0;
}
