// What a caller may assume of a function (that it is pure, say) must stay true when its loops become parallel.
#include "check.h"

#define N 64

static double table[N][N];

__attribute__((noinline)) static double trace_of_square(int n, double a[N][N]) {
  double t[N][N];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      t[i][j] = 0;
      for (int k = 0; k < n; k++)
        t[i][j] += a[i][k] * a[k][j];
    }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += t[i][i];
  return sum;
}

__attribute__((noinline)) static void doubled(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] *= 2;
}

int main(void) {
  FILL(&table[0][0], N * N, 1);
  for (int round = 0; round < 4; round++) {
    int n = (int)hidden(N - round * 9);
    double first = trace_of_square(n, table);
    doubled(n, table);
    double second = trace_of_square(n, table);
    double again = trace_of_square(n, table);
    double values[] = {first, second, again};
    SHOW("values", values, 3);
  }
  SHOW("table", &table[0][0], N * N);
  return 0;
}
