// Functions that ask to be left alone, and attributes that restrict what may be done.
#include "check.h"

#define N 20

#define BODY(n, a, b)                                                                                                              \
  for (int i = 0; i < n; i++)                                                                                                      \
    for (int j = 0; j < n; j++)                                                                                                    \
      for (int k = 0; k < n; k++)                                                                                                  \
        a[i][j] += b[i][k] * b[k][j];

__attribute__((noinline, optnone)) void no_optimization(int n, double a[N][N], double b[N][N]) {
  BODY(n, a, b)
}

__attribute__((noinline, minsize)) void smallest(int n, double a[N][N], double b[N][N]) {
  BODY(n, a, b)
}

__attribute__((noinline, cold)) void seldom(int n, double a[N][N], double b[N][N]) {
  BODY(n, a, b)
}

__attribute__((noinline, target("no-avx"))) void other_target(int n, double a[N][N], double b[N][N]) {
  BODY(n, a, b)
}

__attribute__((noinline)) static void internal(int n, double a[N][N], double b[N][N]) {
  BODY(n, a, b)
}

static double a[N][N], b[N][N];

int main(void) {
  for (int n = 0; n <= N; n += 5) {
    FILL(&a[0][0], N * N, 1);
    FILL(&b[0][0], N * N, 2);
    no_optimization((int)hidden(n), a, b);
    smallest((int)hidden(n), a, b);
    seldom((int)hidden(n), a, b);
    other_target((int)hidden(n), a, b);
    internal((int)hidden(n), a, b);
    SHOW("a", &a[0][0], N * N);
  }
  return 0;
}
