#include <stdint.h>
#include <stdio.h>

#define N 100

void solve(int n, const int *row, const int *col, const double *val, double *x);

__attribute__((weak)) void poly_rt_statistics(uint64_t counts[4]);

int main(void) {
  static int row[N + 1], col[N];
  static double val[N], x[N];
  for (int i = 0; i < N; i++) {
    row[i + 1] = i + 1;
    col[i] = i / 2;
    val[i] = 0.5;
    x[i] = i;
  }
  solve(N, row, col, val, x);
  uint64_t counts[4] = {0};
  if (poly_rt_statistics)
    poly_rt_statistics(counts);
  printf("%g, %llu inspected\n", x[N - 1], (unsigned long long)counts[0]);
}
