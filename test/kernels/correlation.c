// Correlation matrix of the columns of data, which are centered and scaled in place
// poly: optimizes kernel_correlation
// poly: one scop kernel_correlation
#include <math.h>

#include "harness.h"

#define M BY_SIZE(28, 80, 240, 1200, 2600)
#define N BY_SIZE(32, 100, 260, 1400, 3000)

KERNEL kernel_correlation(int m, int n, double data[DIM(N, n)][DIM(M, m)], double corr[DIM(M, m)][DIM(M, m)],
                          double mean[DIM(M, m)], double stddev[DIM(M, m)]) {
  double count = n;
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= count;
  }
  for (int j = 0; j < m; j++) {
    stddev[j] = 0.0;
    for (int i = 0; i < n; i++)
      stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] /= count;
    stddev[j] = sqrt(stddev[j]);
    // A column that hardly varies is not scaled, so that nothing is divided by almost zero.
    stddev[j] = stddev[j] <= 0.1 ? 1.0 : stddev[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      data[i][j] -= mean[j];
      data[i][j] /= sqrt(count) * stddev[j];
    }
  for (int i = 0; i < m - 1; i++) {
    corr[i][i] = 1.0;
    for (int j = i + 1; j < m; j++) {
      corr[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1.0;
}

static void fill(double data[N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      data[i][j] = (double)(i * j) / M + i;
}

int main(void) {
  double(*data)[N][M] = allocate(sizeof *data);
  double(*corr)[M][M] = allocate(sizeof *corr);
  double(*mean)[M] = allocate(sizeof *mean);
  double(*stddev)[M] = allocate(sizeof *stddev);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*data);
    start_clock();
    kernel_correlation(M, N, *data, *corr, *mean, *stddev);
    stop_clock();
  }
  show_work(1.0 * M * M * N, sizeof *data + sizeof *corr);
  show_doubles("corr", corr, sizeof *corr);
  free(data);
  free(corr);
  free(mean);
  free(stddev);
  return 0;
}
