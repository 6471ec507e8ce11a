// s = A^T r, q = A p
// poly: optimizes kernel_bicg
// poly: one scop kernel_bicg
#include "harness.h"

#define M BY_SIZE(38, 116, 390, 1900, 1800)
#define N BY_SIZE(42, 124, 410, 2100, 2200)

KERNEL kernel_bicg(int m, int n, double A[DIM(N, n)][DIM(M, m)], double s[DIM(M, m)], double q[DIM(N, n)],
                   double p[DIM(M, m)], double r[DIM(N, n)]) {
  for (int i = 0; i < m; i++)
    s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}

static void fill(double A[N][M], double p[M], double r[N]) {
  for (int i = 0; i < M; i++)
    p[i] = (double)(i % M) / M;
  for (int i = 0; i < N; i++) {
    r[i] = (double)(i % N) / N;
    for (int j = 0; j < M; j++)
      A[i][j] = (double)(i * (j + 1) % N) / N;
  }
}

int main(void) {
  double(*A)[N][M] = allocate(sizeof *A);
  double(*s)[M] = allocate(sizeof *s);
  double(*q)[N] = allocate(sizeof *q);
  double(*p)[M] = allocate(sizeof *p);
  double(*r)[N] = allocate(sizeof *r);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*A, *p, *r);
    start_clock();
    kernel_bicg(M, N, *A, *s, *q, *p, *r);
    stop_clock();
  }
  show_work(4.0 * M * N, sizeof *A + sizeof *s + sizeof *q + sizeof *p + sizeof *r);
  show_doubles("s", s, sizeof *s);
  show_doubles("q", q, sizeof *q);
  free(A);
  free(s);
  free(q);
  free(p);
  free(r);
  return 0;
}
