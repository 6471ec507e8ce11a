void solve(int n, const int *row, const int *col, const double *val, double *x) {
  for (int i = 0; i < n; i++) {
    double s = x[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      s -= val[k] * x[col[k]];
    x[i] = s;
  }
}
