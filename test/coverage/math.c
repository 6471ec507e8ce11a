// Item 9: mathematical functions that do not set errno.
// flags: -fno-math-errno
#include <math.h>

// shape: square root without errno
void square_root_pure(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += sqrt(B[j][i]);
}

// shape: exponential without errno
void exponential_pure(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += exp(B[j][i]);
}

// shape: correlation of columns (square root, division, conditions)
void deviations(int m, int n, double data[restrict 500][500], double mean[restrict 500], double dev[restrict 500]) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= n;
  }
  for (int j = 0; j < m; j++) {
    dev[j] = 0;
    for (int i = 0; i < n; i++)
      dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    dev[j] = sqrt(dev[j] / n);
    dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
  }
}
