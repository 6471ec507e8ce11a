// Branches and loops of unusual shapes: switch, goto, break, continue, several exits, empty loops.
#include "check.h"

#define N 24

TEST_FUNCTION switched(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch ((i + j) % 4) {
      case 0:
        a[i][j] += 1;
        break;
      case 1:
        a[i][j] *= 0.5;
        // fall through
      case 2:
        a[i][j] -= a[j][i];
        break;
      default:
        a[i][j] = i;
      }
}

TEST_FUNCTION with_goto(int n, double *a) {
  int i = 0;
again:
  if (i >= n)
    return;
  a[i] = a[i] * 0.5 + i;
  i++;
  goto again;
}

TEST_FUNCTION continues(int n, double a[N][N]) {
  for (int i = 0; i < n; i++) {
    if (i % 3 == 1)
      continue;
    for (int j = 0; j < n; j++) {
      if (j > i)
        break;
      a[i][j] = a[j][i] + 1;
    }
  }
}

TEST_VALUE(int) two_exits(int n, int m, double *a) {
  int i = 0;
  while (1) {
    if (i >= n)
      break;
    a[i] += 1;
    if (i >= m)
      return -i;
    i++;
  }
  return i;
}

TEST_FUNCTION empty(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
    }
  for (int i = n; i < n; i++)
    a[i] = 0;
}

TEST_FUNCTION one_iteration(int n, double *a) {
  for (int i = n; i < n + 1; i++)
    for (int j = i; j <= i; j++)
      a[j] += 7;
}

TEST_FUNCTION unrolled_by_hand(int n, double *a, double *b) {
  int i = 0;
  for (; i + 3 < n; i += 4) {
    a[i] += b[i];
    a[i + 1] += b[i + 1];
    a[i + 2] += b[i + 2];
    a[i + 3] += b[i + 3];
  }
  for (; i < n; i++)
    a[i] += b[i];
}

TEST_FUNCTION while_halving(int n, double *a) {
  for (int size = n; size > 0; size /= 2)
    for (int i = 0; i < size; i++)
      a[i] += a[i + size];
}

static double a[N][N], v[100], w[100];

int main(void) {
  for (int n = 0; n <= N; n = n * 2 + 2) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    FILL(v, 100, 2);
    FILL(w, 100, 3);
    switched(h, a);
    SHOW("switched", &a[0][0], N * N);
    with_goto(h, v);
    SHOW("with_goto", v, 100);
    continues(h, a);
    SHOW("continues", &a[0][0], N * N);
    printf("%d %d\n", two_exits(h, (int)hidden(10), v), two_exits(h, (int)hidden(-1), v));
    empty(h, v);
    one_iteration(h, v);
    unrolled_by_hand(h, v, w);
    unrolled_by_hand(h, v, v + hidden(2));
    SHOW("v", v, 100);
    while_halving(h, v);
    SHOW("while_halving", v, 100);
  }
  return 0;
}
