// Item 11: whole functions.

// shape: nests in a row
void in_a_row(int n, double A[restrict 500][500], double B[restrict 500][500], double C[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = B[j][i] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] += A[j][i];
}

void elsewhere(void);

// shape: a call between nests
void call_between(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  elsewhere();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] += A[j][i];
}

// shape: a nest inside a loop with calls
void call_around(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
    elsewhere();
  }
}

// shape: nests chosen by a condition
void one_of_two(int n, int which, double A[restrict 500][500], double B[restrict 500][500]) {
  if (which) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
  } else {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] -= B[j][i];
  }
}

// shape: scalar code between nests
double scalar_between(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  double x = A[0][0] * 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] += A[j][i] * x;
  return x;
}

// shape: nest behind an early return
int early_return(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  if (n > 500)
    return -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  return 0;
}
