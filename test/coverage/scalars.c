// Item 10: scalars.

// shape: accumulator, product of matrices
void accumulator(int n, double C[restrict 500][500], double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}

// shape: sum over a nest, used after it
double total(int n, double A[500][500]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += A[j][i];
  return s;
}

// shape: integer sum over a nest
int total_integer(int n, int A[500][500]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += A[j][i];
  return s;
}

// shape: maximum over a nest
int largest(int n, int A[500][500]) {
  int s = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s = A[j][i] > s ? A[j][i] : s;
  return s;
}

// shape: position of the maximum
int position(int n, const double *restrict a) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  return best;
}

// shape: value carried over iterations
void carried(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    double previous = 0;
    for (int j = 0; j < n; j++) {
      A[i][j] = previous + B[i][j];
      previous = B[i][j];
    }
  }
}

// shape: recurrence
void recurrence(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    double x = 0;
    for (int j = 0; j < n; j++) {
      x = 0.5 * x + B[i][j];
      A[i][j] = x;
    }
  }
}

// shape: counter used after the loop
int counter_after(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  int i, j = 0;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      A[i][j] += B[j][i];
  return i * 1000 + j;
}

// shape: swapped pointers
void swapped(int t, int n, double *a, double *b) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
    double *c = a;
    a = b;
    b = c;
  }
}

// shape: three pointers that change places
void rotated(int t, int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      c[i] = 2.0 * b[i] - a[i] + 0.1 * (b[i - 1] - 2.0 * b[i] + b[i + 1]);
    double *x = a;
    a = b;
    b = c;
    c = x;
  }
}

// shape: buffers picked by a number that flips
void flipped(int t, int n, double (*restrict a)[2000]) {
  int now = 0;
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      a[1 - now][i] = 0.3 * (a[now][i - 1] + a[now][i] + a[now][i + 1]);
    now = 1 - now;
  }
}

// shape: induction variable besides the counter
void second_counter(int n, double *restrict a, double B[restrict 500][500]) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[k++] += B[j][i];
}

// shape: flag that is the same in all iterations
void flag(int n, int upper, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += upper ? B[j][i] : B[i][j];
}

// shape: dead and overwritten writes
void overwritten(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = 0;
      B[i][j] = A[i][j] + 1;
      A[i][j] = B[i][j];
    }
}
