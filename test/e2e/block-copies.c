// memcpy, memmove and memset between and inside loops, and loops that the compiler turns into them.
#include "check.h"

#define N 32

TEST_FUNCTION cleared(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < N; j++)
      a[i][j] = 0;
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i];
  }
}

TEST_FUNCTION copied(int n, double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = b[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = a[j][i] * 0.5;
}

TEST_FUNCTION moved(int n, double *a, int by) {
  for (int i = 0; i < n; i++) {
    memmove(a + by, a, (size_t)n * sizeof *a);
    a[i] += i;
  }
}

TEST_FUNCTION rows(int n, double a[N][N]) {
  for (int i = 1; i < n; i++) {
    memcpy(a[i], a[i - 1], sizeof a[i]);
    for (int j = 0; j < n; j++)
      a[i][j] = a[i][j] * 0.5 + j;
  }
}

TEST_FUNCTION set(int n, unsigned char *a, int value) {
  for (int i = 0; i < n; i++) {
    memset(a + i, value + i, 3);
    a[i] += a[i + 1];
  }
}

static double a[N + 1][N], b[N][N], v[100];
static unsigned char bytes[64];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 2) {
    int h = (int)hidden(n);
    FILL(&a[0][0], (N + 1) * N, 1);
    FILL(&b[0][0], N * N, 2);
    FILL(v, 100, 3);
    FILL(bytes, 64, 4);
    cleared(h, a, b);
    SHOW("cleared", &a[0][0], N * N);
    cleared(h, b, b);
    copied(h, a, b);
    SHOW("copied", &b[0][0], N * N);
    copied(h, a, (void *)((double *)a + hidden(5))); // the destination is read again
    SHOW("copied", &a[0][0], N * N);
    moved(h, v, (int)hidden(3));
    SHOW("moved", v, 100);
    rows(h, a);
    SHOW("rows", &a[0][0], N * N);
    set(h, bytes, (int)hidden(200));
    SHOW("set", bytes, 64);
  }
  return 0;
}
