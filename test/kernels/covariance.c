// Covariance matrix of the columns of data, which are centered in place
// poly: optimizes kernel_covariance
// poly: one scop kernel_covariance
#include "harness.h"

#define M BY_SIZE(28, 80, 240, 1200, 2600)
#define N BY_SIZE(32, 100, 260, 1400, 3000)

KERNEL kernel_covariance(int m, int n, double data[DIM(N, n)][DIM(M, m)], double cov[DIM(M, m)][DIM(M, m)],
                         double mean[DIM(M, m)]) {
  double count = n;
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= count;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      cov[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= count - 1.0;
      cov[j][i] = cov[i][j];
    }
}

static void fill(double data[N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      data[i][j] = (double)i * j / M;
}

int main(void) {
  double(*data)[N][M] = allocate(sizeof *data);
  double(*cov)[M][M] = allocate(sizeof *cov);
  double(*mean)[M] = allocate(sizeof *mean);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*data);
    start_clock();
    kernel_covariance(M, N, *data, *cov, *mean);
    stop_clock();
  }
  show_work(1.0 * M * M * N, sizeof *data + sizeof *cov);
  show_doubles("cov", cov, sizeof *cov);
  free(data);
  free(cov);
  free(mean);
  return 0;
}
