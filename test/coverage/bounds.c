// Item 1: bounds, conditions, steps, counters.

// shape: rectangular nest, symbolic bounds
void rectangle(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] += B[i][j];
}

// shape: triangular nest
void triangle(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      A[i][j] += B[j][i];
}

// shape: bounds by minimum and maximum (ternary)
void min_max(int n, int m, int k, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = (i > k ? i - k : 0); j < (i + k < m ? i + k : m); j++)
      A[i][j] += B[j][i];
}

// shape: two affine conditions joined by &&
void both(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i + j < n && i > 2 * j)
        A[i][j] += B[j][i];
}

// shape: two affine conditions joined by ||
void either(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i + j < n || i > 2 * j)
        A[i][j] += B[j][i];
}

// shape: negated condition
void negated(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (!(i + j < n && j > 5))
        A[i][j] += B[j][i];
}

// shape: condition !=
void unequal(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j)
        A[i][j] += B[j][i];
}

// shape: else branch
void otherwise(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i < j)
        A[i][j] += B[j][i];
      else
        A[i][j] -= B[j][i];
}

// shape: condition with a remainder
void remainder_condition(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i + j) % 3 == 0)
        A[i][j] += B[j][i];
}

// shape: parity test with a bit mask
void parity(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i + j) & 1)
        A[i][j] += B[j][i];
}

// shape: bound with a division by a constant
void halved(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n / 2; j++)
      A[i][j] += B[j][i];
}

// shape: subscripts with division and remainder by constants
void divided(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 400; j++)
      A[i][j] += B[j / 4][i % 8];
}

// shape: switch on an affine value
void chosen(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (i - j) {
      case 0: A[i][j] = B[j][i]; break;
      case 1: A[i][j] += B[j][i]; break;
      case 5: A[i][j] *= B[j][i]; break;
      default: A[i][j] -= B[j][i];
      }
}

// shape: loops counting down
void down(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j > i; j--)
      A[i][j] += B[j][i];
}

// shape: constant step
void step_three(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i += 3)
    for (int j = 1; j < n; j += 2)
      A[i][j] += B[j][i];
}

// shape: symbolic step
void step_symbolic(int n, int s, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i += s)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: symbolic step, known to be positive
void step_positive(int n, int s, double A[restrict 500][500], double B[restrict 500][500]) {
  if (s < 1)
    return;
  for (int i = 0; i < n; i += s)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: tiles made by hand, tile size constant
void tiles_by_hand(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int ii = 0; ii < n; ii += 32)
    for (int jj = 0; jj < n; jj += 32)
      for (int i = ii; i < (ii + 32 < n ? ii + 32 : n); i++)
        for (int j = jj; j < (jj + 32 < n ? jj + 32 : n); j++)
          A[i][j] += B[j][i];
}

// shape: tiles made by hand, tile size symbolic
void tiles_symbolic(int n, int t, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < (ii + t < n ? ii + t : n); i++)
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
}

// shape: tiles made by hand in three dimensions, tile sizes symbolic
void product_in_tiles(int n, int ti, int tj, int tk, double C[restrict 500][500], double A[restrict 500][500],
                      double B[restrict 500][500]) {
  for (int ii = 0; ii < n; ii += ti)
    for (int jj = 0; jj < n; jj += tj)
      for (int kk = 0; kk < n; kk += tk)
        for (int i = ii; i < (ii + ti < n ? ii + ti : n); i++)
          for (int j = jj; j < (jj + tj < n ? jj + tj : n); j++)
            for (int k = kk; k < (kk + tk < n ? kk + tk : n); k++)
              C[i][j] += A[i][k] * B[k][j];
}

// shape: whole tiles made by hand, tile size symbolic
void whole_tiles(int n, int t, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int ii = 0; ii < n; ii += t)
    for (int i = ii; i < ii + t; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
}

// shape: several latches (continue)
void skipping(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (j == i)
        continue;
      A[i][j] += B[j][i];
      if (j < 5)
        continue;
      A[i][j] *= B[i][j];
    }
}

// shape: loop that ends by !=
void until_equal(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i != n; i++)
    for (int j = 0; j != n; j++)
      A[i][j] += B[j][i];
}

// shape: counted loop written with while
void counted_while(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  int i = 0;
  while (i < n) {
    int j = n;
    while (j-- > 0)
      A[i][j] += B[j][i];
    i++;
  }
}

// shape: do-while loops
void do_while(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  int i = 0;
  do {
    int j = 0;
    do {
      A[i][j] += B[j][i];
    } while (++j < n);
  } while (++i < n);
}

// shape: pointer-increment loop
void pointers(double *restrict p, double *restrict end, const double *restrict q) {
  while (p != end)
    *p++ += *q++ * 2.0;
}

// shape: pointer-increment loops in a nest
void pointer_nest(int n, int m, double *restrict p, const double *restrict q) {
  for (int i = 0; i < n; i++) {
    const double *r = q;
    for (int j = 0; j < m; j++)
      *p++ += *r++;
  }
}

// shape: pointer compared with <
void pointer_less(double *p, double *end) {
  for (; p < end; p++)
    *p *= 2.0;
}

// shape: guard around the nest
void guarded(int n, int flag, double A[restrict 500][500], double B[restrict 500][500]) {
  if (flag > 3)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i];
}

// shape: product of parameters as bound
void product_bound(int n, int m, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n * m; i++)
    a[i] += b[i];
}

// shape: bound that is a product of a counter and a parameter
void product_of_counter(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i * m; j++)
      A[i][j] += B[j][i];
}

// shape: logarithmic loop around a nest
void doubling(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int s = 1; s < n; s *= 2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += B[j][i] * s;
}
