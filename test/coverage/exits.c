// Item 8: loops with several exits.

// shape: break on data in the innermost loop
void break_inner(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (B[j][i] < 0)
        break;
      A[i][j] += B[j][i];
    }
}

// shape: search with return
int search(int n, double A[500][500], double x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (A[i][j] == x)
        return i * n + j;
  return -1;
}

// shape: break by an affine condition
void break_affine(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i + j > m)
        break;
      A[i][j] += B[j][i];
    }
}

// shape: break out of the outer loop between nests
void break_outer(int n, double tolerance, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int t = 0; t < 100; t++) {
    double change = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
        double d = B[i][j] - A[i][j];
        change += d * d;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = B[i][j];
    if (change < tolerance)
      break;
  }
}

// shape: two conditions in the loop's head
void two_conditions(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n && i < m; i++)
    for (int j = 0; j < n && j + i < m; j++)
      A[i][j] += B[j][i];
}

// shape: return of an error code in the middle
int error_code(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    if (A[i][i] == 0)
      return -1;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        B[j][k] += A[i][k] * A[j][i];
  }
  return 0;
}

// shape: break by an affine condition between statements
void break_between(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] += B[j][i];
      if (i + j > m)
        break;
      A[i][j] *= 2;
    }
}

// shape: return by an affine condition between nests
int affine_return(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    B[i][0] = i;
    if (2 * i > m)
      return i;
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
  return -1;
}

// shape: two affine exits with a value used behind
int two_breaks(int n, int m, int k, double *restrict a, double *restrict b) {
  int i;
  for (i = 0; i < n; i++) {
    a[i] += 1;
    if (i == m)
      break;
    b[i] = a[i];
    if (i > k)
      break;
    b[i] += 2;
  }
  return i;
}
