// Item 6: conditions and inner loops that depend on data.

// shape: condition on an element
void positive(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[j][i] > 0)
        A[i][j] += B[j][i];
}

// shape: condition on an element, both branches
void positive_else(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[j][i] > 0)
        A[i][j] += B[j][i];
      else
        A[j][i] = 0;
}

// shape: conditions on elements, nested
void nested_conditions(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[j][i] > 0) {
        A[i][j] += B[j][i];
        if (B[j][i] > 10)
          A[i][j] *= 0.5;
      }
}

// shape: inner loop that depends on data
void while_inside(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = B[j][i];
      while (x > 1.0)
        x *= 0.5;
      A[i][j] += x;
    }
}

// shape: iteration until convergence, limited (escape time)
void escape_time(int n, int m, int *restrict out, const double *restrict re, const double *restrict im) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = 0, y = 0;
      int k = 0;
      for (; k < 100 && x * x + y * y < 4; k++) {
        double t = x * x - y * y + re[j];
        y = 2 * x * y + im[i];
        x = t;
      }
      out[i * m + j] = k;
    }
}

// shape: minimum by select
void minimum(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] < B[j][i] ? A[i][j] : B[j][i];
}

// shape: shortest paths
void shortest(int n, int A[500][500]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] = A[i][j] < A[i][k] + A[k][j] ? A[i][j] : A[i][k] + A[k][j];
}

// shape: counted loop under a condition on data
void loop_under_data(int n, const int *restrict flag, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    if (flag[i])
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
}

// shape: clamped values
void clamped(int n, int A[restrict 500][500], int B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int x = A[i][j] + B[j][i];
      A[i][j] = x < 0 ? 0 : x > 255 ? 255 : x;
    }
}

// shape: switch on an element
void switch_on_data(int n, int A[restrict 500][500], int B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (B[j][i]) {
      case 0: A[i][j] = 1; break;
      case 1: A[i][j] += 3; break;
      case 7: A[j][i] = 2; break;
      default: A[i][j] = A[i][j] * 5;
      }
}

// shape: product with a sparse matrix, pointers may overlap
void sparse_overlapping(int n, const int *row, const int *col, const double *v, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += v[k] * x[col[k]];
}

// shape: histogram, pointers may overlap
void histogram_overlapping(int n, int *h, const int *b) {
  for (int i = 0; i < n; i++)
    h[b[i]]++;
}

// shape: scatter, pointers may overlap
void scatter_overlapping(int n, double *y, const double *x, const int *index) {
  for (int i = 0; i < n; i++)
    y[index[i]] = x[i];
}

// shape: gather, pointers may overlap
void gather_overlapping(int n, double *y, const double *x, const int *index) {
  for (int i = 0; i < n; i++)
    y[i] = x[index[i]];
}

// shape: histogram beside a product of matrices, pointers may overlap
void product_and_histogram(int n, double C[500][500], double A[500][500], double B[500][500], int *h, const int *b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    h[b[i]]++;
  }
}
