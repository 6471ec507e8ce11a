// Item 3: arrays.
#include <complex.h>
#include <string.h>

#define N 512
static double GA[N][N], GB[N][N], GC[N][N];

// shape: global arrays of fixed extents
void globals(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        GC[i][j] += GA[i][k] * GB[k][j];
}

// shape: arrays may overlap
void may_overlap(int n, double A[500][500], double B[500][500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: variable-length arrays
void variable_length(int n, int m, double A[n][m], double B[m][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] += B[j][i];
}

// shape: linearized subscripts
void linearized(int n, int m, double *restrict A, double *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i * m + j] += B[j * n + i];
}

// shape: linearized subscripts, 64 bits
void linearized_long(long n, long m, double *restrict A, double *restrict B) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i * m + j] += B[j * n + i];
}

// shape: linearized subscripts, unsigned 32 bits
void linearized_unsigned(unsigned n, unsigned m, double *restrict A, double *restrict B) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      A[i * m + j] += B[j * n + i];
}

// shape: linearized in three dimensions
void linearized_cube(long n, long m, long p, double *restrict A, const double *restrict B) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        A[(i * m + j) * p + k] += B[(k * m + j) * n + i];
}

// shape: leading dimension larger than the loop's bound
void leading_dimension(int n, int ld, double *restrict A, const double *restrict B) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      A[i + j * ld] += B[j + i * ld];
}

// shape: slice with offsets
void slice(long n, long ld, long r, long c, double *restrict A, const double *restrict B) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[(i + r) * ld + (j + c)] += B[j * ld + i];
}

struct point { double x, y, z; };

// shape: array of structures
void structures(int n, struct point *restrict a, const struct point *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i].x += b[i].x;
    a[i].y += b[i].z;
    a[i].z *= 2.0;
  }
}

struct mixed { int tag; double value[4]; };

// shape: structures of mixed members
void mixed_members(int n, struct mixed *restrict a, const struct mixed *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      a[i].value[j] += b[i].value[j] * b[i].tag;
}

// shape: complex numbers
void complex_numbers(int n, double complex A[restrict 100][100], double complex B[restrict 100][100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
}

// shape: product of matrices of complex numbers
void complex_product(int n, float complex *restrict C, const float complex *restrict A, const float complex *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        float complex a = A[i * n + k], b = B[k * n + j];
        C[i * n + j] += __builtin_complex(crealf(a) * crealf(b) - cimagf(a) * cimagf(b),
                                          crealf(a) * cimagf(b) + cimagf(a) * crealf(b));
      }
}

union cell { double d; int i[2]; };

// shape: accesses of different sizes to the same memory
void different_sizes(int n, union cell *a, const int *restrict b) {
  for (int i = 0; i < n; i++)
    a[i].i[1] = b[i];
  for (int i = 0; i < n; i++)
    a[i].d += 1.0;
}

// shape: memset of rows
void set_rows(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    memset(A[i], 0, n * sizeof(double));
    for (int j = 0; j < n; j++)
      A[i][j] += B[j][i];
  }
}

// shape: memcpy of rows
void copy_rows(int n, double A[restrict 500][500], double B[restrict 500][500], double C[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    memcpy(A[i], B[i], n * sizeof(double));
    for (int j = 0; j < n; j++)
      A[i][j] += C[j][i];
  }
}

// shape: small local array in the loop
void local_array(int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int i = 0; i < n; i++) {
    double row[500];
    for (int j = 0; j < n; j++)
      row[j] = B[i][j] * 2.0;
    for (int j = 0; j < n; j++)
      A[i][j] += row[n - 1 - j];
  }
}

// shape: small local array, kept in registers by the compiler or not
void local_small(int n, double A[restrict 500][4], double B[restrict 500][4], double M[restrict 4][4]) {
  for (int i = 0; i < n; i++) {
    double t[4];
    for (int j = 0; j < 4; j++) {
      t[j] = 0;
      for (int k = 0; k < 4; k++)
        t[j] += M[j][k] * B[i][k];
    }
    for (int j = 0; j < 4; j++)
      A[i][j] = t[j];
  }
}

// shape: local array in front of the nest
double local_before(int n, const double *restrict b) {
  double sum[64] = {0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++)
      sum[j] += b[i * 64 + j];
  double s = 0;
  for (int j = 0; j < 64; j++)
    s += sum[j];
  return s;
}

// shape: elements of one byte
void bytes(int n, unsigned char *restrict a, const unsigned char *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * 640 + j] = (a[i * 640 + j] + b[j * 640 + i]) / 2;
}

// shape: stencil in place with two time steps
void stencil(int t, int n, double A[restrict 500][500], double B[restrict 500][500]) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = B[i][j];
  }
}

// shape: element picked modulo 2 (double buffer)
void double_buffer(int t, int n, double A[restrict 2][500]) {
  for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
      A[(k + 1) % 2][i] = 0.3 * (A[k % 2][i - 1] + A[k % 2][i] + A[k % 2][i + 1]);
}
