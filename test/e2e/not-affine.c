// Subscripts, bounds and branches that depend on data, next to parts that do not.
#include "check.h"

#define N 30

TEST_FUNCTION gather(int n, double *a, const double *b, const int *index) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[index[j]] * 0.5;
}

TEST_FUNCTION scatter(int n, double *a, const double *b, const int *index) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[index[i]] = a[index[i]] * 0.5 + b[j];
}

TEST_FUNCTION data_branch(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (a[i][j] > 0)
        b[j][i] = a[i][j];
      else if (a[j][i] > b[i][j])
        a[i][j] = b[i][j] * 0.5;
      b[i][i] += 1;
    }
}

TEST_FUNCTION data_bound(int n, double a[N][N], const int *length) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      a[i][j] += 1;
}

TEST_FUNCTION quadratic(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * j] = a[i * j] * 0.5 + i + j;
}

TEST_FUNCTION selected(int n, double a[N][N], const int *flag) {
  for (int i = 0; i < n; i++) {
    double *row = flag[i] ? a[i] : a[0];
    for (int j = 0; j < n; j++)
      row[j] = row[j] * 0.5 + j;
  }
}

TEST_VALUE(int) first_negative(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (a[i][j] < -10)
        return i * N + j;
  return -1;
}

TEST_FUNCTION stops(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 12)
      break;
    a[i] += 1;
  }
}

static double a[N][N], b[N][N], v[1000];
static int index_of[N], length[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    index_of[i] = (i * 11) % 17;
    length[i] = (i * 5) % (N + 1) - 3;
  }
  for (int n = 0; n <= N; n = n * 2 + 1) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(v, 1000, 3);
    gather(h, v, v + 100, index_of);
    gather(h, v, v, index_of);
    SHOW("gather", v, 200);
    scatter(h, v, v + 100, index_of);
    scatter(h, v, v, index_of);
    SHOW("scatter", v, 200);
    data_branch(h, a, b);
    SHOW("data_branch", &a[0][0], N * N);
    SHOW("data_branch", &b[0][0], N * N);
    data_bound(h, a, length);
    SHOW("data_bound", &a[0][0], N * N);
    quadratic(h, v);
    SHOW("quadratic", v, 1000);
    selected(h, a, length);
    SHOW("selected", &a[0][0], N * N);
    printf("%d\n", first_negative(h, a));
    stops(h * 3, v);
    SHOW("stops", v, 200);
  }
  return 0;
}
