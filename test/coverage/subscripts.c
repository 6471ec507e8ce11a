// Item 7: subscripts that are not affine.

// shape: gather
void gather(int n, const int *restrict index, double A[restrict 500][500], const double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += b[index[j]];
}

// shape: scatter
void scatter(int n, const int *restrict index, double *restrict a, double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[index[j]] += B[i][j];
}

// shape: product of counters
void product(int n, double *restrict a, double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * j] += B[j][i];
}

// shape: histogram
void histogram(int n, const unsigned char *restrict image, int *restrict count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 640; j++)
      count[image[i * 640 + j]]++;
}

// shape: square of a counter
void square(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] += b[i * i];
}

// shape: subscript by exclusive or
void exclusive_or(int n, double A[restrict 512][512], double B[restrict 512][512]) {
  for (int i = 0; i < 512; i++)
    for (int j = 0; j < 512; j++)
      A[i][j] += B[j][i ^ j];
}

// shape: triangular packed storage
void packed(int n, double *restrict a, double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i * (i + 1) / 2 + j] += B[j][i];
}

// shape: butterfly (subscripts with a shifted counter)
void shifted(int n, double *restrict a, const double *restrict b) {
  for (int s = 0; s < 8; s++)
    for (int i = 0; i < n; i++)
      a[i] += b[i >> s];
}
