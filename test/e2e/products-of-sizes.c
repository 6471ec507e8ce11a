// Products of sizes: flat loops over n * n, a last row, a given row, matrices of a batch, volumes. Sizes, rows and products for which they wrap around or leave the array are among the inputs.
// poly: optimizes last_row given_row given_row_unsigned batch batch_unsigned volume volume_unsigned volume_wide transposed transposed_unsigned flat_in_time flat_of_two
#include "check.h"

TEST_FUNCTION last_row(int n, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i * n + j] = 0;
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
    }
  for (int j = 0; j < n; j++)
    C[(n - 1) * n + j] += j;
}

// A row of 2^30 times four elements is row 0.
TEST_FUNCTION given_row_unsigned(unsigned n, unsigned row, const double *A, const double *B, double *C) {
  for (unsigned j = 0; j < n; j++)
    C[row * n + j] = 1 + j;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      for (unsigned k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

// The row may be outside of the square, before it or behind it, and it may be one of those that the product reads.
TEST_FUNCTION given_row(int n, int row, const double *A, const double *B, double *C) {
  for (int j = 0; j < n; j++)
    C[row * n + j] = 1 + j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

TEST_FUNCTION batch(int count, int n, double *A, double *B, double *C) {
  for (int b = 0; b < count; b++) {
    double *x = A + b * n * n, *y = B + b * n * n, *z = C + b * n * n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
          sum += x[i * n + k] * y[k * n + j];
        z[i * n + j] = sum;
      }
  }
}

TEST_FUNCTION batch_unsigned(unsigned count, unsigned n, double *A, double *B, double *C) {
  for (unsigned b = 0; b < count; b++)
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; j < n; j++)
        for (unsigned k = 0; k < n; k++)
          C[b * n * n + i * n + j] += A[b * n * n + i * n + k] * B[b * n * n + k * n + j];
}

#define VOLUME(NAME, TYPE)                                                                                             \
  TEST_FUNCTION NAME(TYPE nx, TYPE ny, TYPE nz, TYPE steps, double *A, double *B) {                                    \
    for (TYPE t = 0; t < steps; t++) {                                                                                 \
      for (TYPE i = 1; i < nx - 1; i++)                                                                                \
        for (TYPE j = 1; j < ny - 1; j++)                                                                              \
          for (TYPE k = 1; k < nz - 1; k++)                                                                            \
            B[i * ny * nz + j * nz + k] = A[i * ny * nz + j * nz + k] * 0.5 +                                          \
                                          A[(i - 1) * ny * nz + j * nz + k] + A[i * ny * nz + (j + 1) * nz + k] +      \
                                          A[i * ny * nz + j * nz + k - 1];                                             \
      for (TYPE i = 1; i < nx - 1; i++)                                                                                \
        for (TYPE j = 1; j < ny - 1; j++)                                                                              \
          for (TYPE k = 1; k < nz - 1; k++)                                                                            \
            A[i * ny * nz + j * nz + k] = B[i * ny * nz + j * nz + k] * 0.25;                                          \
    }                                                                                                                  \
  }
VOLUME(volume, int)
VOLUME(volume_unsigned, unsigned)
VOLUME(volume_wide, size_t)

#define TRANSPOSED(NAME, TYPE)                                                                                         \
  TEST_FUNCTION NAME(TYPE a, TYPE b, TYPE c, TYPE d, const double *A, double *B) {                                     \
    for (TYPE i = 0; i < a; i++)                                                                                       \
      for (TYPE j = 0; j < b; j++)                                                                                     \
        for (TYPE k = 0; k < c; k++)                                                                                   \
          for (TYPE l = 0; l < d; l++)                                                                                 \
            B[((l * c + k) * b + j) * a + i] = A[((i * b + j) * c + k) * d + l] + 1;                                   \
  }
TRANSPOSED(transposed, int)
TRANSPOSED(transposed_unsigned, unsigned)

TEST_FUNCTION flat_in_time(int n, int steps, double *A, double *B) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i * n + j] = 0.2 * (A[i * n + j] + A[(i - 1) * n + j] + A[(i + 1) * n + j] + A[i * n + j - 1]);
    for (int k = 0; k < n * n; k++)
      A[k] = B[k] + t;
  }
}

// The product may be 0 although there are rows.
TEST_FUNCTION flat_of_two(unsigned n, unsigned m, unsigned rows, int steps, double *A, double *B) {
  for (int t = 0; t < steps; t++) {
    for (unsigned k = 0; k < n * m; k++)
      B[k] = A[k] * 0.5 + t;
    for (unsigned i = 0; i < rows; i++)
      for (unsigned j = 0; j < m; j++)
        A[i * m + j] += B[i * m + j] * j;
  }
}

enum { SIZE = 2100 };
static double x[SIZE], y[SIZE], z[2 * SIZE];

static void restart(void) {
  FILL(x, SIZE, 1);
  FILL(y, SIZE, 2);
  FILL(z, 2 * SIZE, 3);
}

static void show(const char *name) {
  SHOW(name, x, SIZE);
  SHOW(name, y, SIZE);
  SHOW(name, z, 2 * SIZE);
}

int main(void) {
  static const int sizes[] = {-3, 0, 1, 2, 3, 7, 12, 20};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k]);
    restart();
    last_row(n, x, y, z + 900);
    last_row(n, x, y, y);
    for (int row = -2; row < 10; row += 3) {
      given_row(n, (int)hidden(row), x, y, z + 900);
      given_row(n, (int)hidden(row), z + 900, y, z + 907);
    }
    show("rows");
    restart();
    batch(5, n, x, y, z);
    batch((int)hidden(k % 4), n, x, y, x + 100);
    batch_unsigned((unsigned)hidden(3), (unsigned)(n < 0 ? 0 : n), x, y, z);
    show("batch");
    restart();
    flat_in_time(n, 3, x, y);
    flat_in_time(n, (int)hidden(2), x, x + 50);
    if (n >= 0)
      flat_of_two((unsigned)n, (unsigned)hidden(9), (unsigned)n, 3, x, z);
    show("flat");
  }
  static const int volumes[][4] = {{0, 0, 0, 0}, {3, 3, 3, 3}, {5, 9, 7, 4}, {7, 5, 9, 2}, {13, 10, 15, 1}, {-4, 9, 9, 5}, {9, -4, 8, 5}};
  for (size_t k = 0; k < COUNT(volumes); k++) {
    int a = (int)hidden(volumes[k][0]), b = (int)hidden(volumes[k][1]), c = (int)hidden(volumes[k][2]), d = (int)hidden(volumes[k][3]);
    restart();
    volume(a, b, c, d, x, y);
    volume(a, b, c, 2, y, y + 3);
    if (a >= 3 && b >= 3) {
      volume_unsigned((unsigned)a, (unsigned)b, (unsigned)c, (unsigned)d, x, y);
      volume_wide((size_t)a, (size_t)b, (size_t)c, (size_t)d, y, x);
    }
    show("volumes");
    restart();
    transposed(a, b, c, d, x, z);
    if (a >= 0 && b >= 0)
      transposed_unsigned((unsigned)d, (unsigned)c, (unsigned)b, (unsigned)a, x, z + 10);
    show("transposed");
  }
  restart();
  given_row_unsigned((unsigned)hidden(4), 1u << 30, x, y, z);
  given_row_unsigned((unsigned)hidden(20), 3, x, y, z + 1000);
  flat_of_two(1u << 31, (unsigned)hidden(2), 700, 3, x, y);
  flat_of_two(1u << 16, 1u << 16, (unsigned)hidden(0), 3, x, y);
  transposed_unsigned(1, 1u << 16, (unsigned)hidden(0), 3, x, z);
  show("products that wrap around");
}
