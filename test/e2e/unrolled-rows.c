// Products whose source takes several rows at a time, with all sums in registers, as code for
// neural networks does by hand; and arrays with two halves side by side in a row.
//
// poly: optimizes eight begun four halves

#include <stdio.h>
#include <stdlib.h>

// Eight rows of the left side share what is loaded of the right one.
__attribute__((noinline)) void eight(float *out, const float *in, const float *weights, int rows, int length, int columns) {
  enum { AT_A_TIME = 8 };
  for (int row = 0; row < rows; row += AT_A_TIME)
    for (int column = 0; column < columns; column++) {
      float sums[AT_A_TIME];
      for (int k = 0; k < AT_A_TIME; k++)
        sums[k] = 0.0f;
      for (int i = 0; i < length; i++) {
        float weight = weights[column * length + i];
        for (int k = 0; k < AT_A_TIME; k++)
          sums[k] += in[(row + k) * length + i] * weight;
      }
      for (int k = 0; k < AT_A_TIME; k++)
        out[(row + k) * columns + column] = sums[k];
    }
}

// The same with sums that begin with what all rows of a column have. The length of the array is a
// constant for the optimizer only: the compiler makes room for it in each iteration.
__attribute__((noinline)) void begun(float *out, const float *in, const float *weights, const float *first, int rows,
                                     int length, int columns) {
  const int at_a_time = 8;
  for (int row = 0; row < rows; row += at_a_time)
    for (int column = 0; column < columns; column++) {
      float sums[at_a_time];
      for (int k = 0; k < at_a_time; k++)
        sums[k] = first[column];
      for (int i = 0; i < length; i++) {
        float weight = weights[column * length + i];
        for (int k = 0; k < at_a_time; k++)
          sums[k] += in[(row + k) * length + i] * weight;
      }
      for (int k = 0; k < at_a_time; k++)
        out[(row + k) * columns + column] = sums[k];
    }
}

// Four rows of the right side, unrolled by hand.
__attribute__((noinline)) void four(double *restrict c, const double *restrict a, const double *restrict b, long n) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k + 3 < n; k += 4)
      for (long j = 0; j < n; j++)
        c[i * n + j] = c[i * n + j] + a[i * n + k] * b[k * n + j] + a[i * n + k + 1] * b[(k + 1) * n + j] +
                       a[i * n + k + 2] * b[(k + 2) * n + j] + a[i * n + k + 3] * b[(k + 3) * n + j];
}

// A row has `n` numbers and `n` weights; one loop goes over both.
__attribute__((noinline)) void halves(double *restrict x, const double *restrict y, long m, long n) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      x[2 * i * n + j] = y[j * m + i] * x[2 * i * n + n + j];
    for (long j = 0; j < 2 * n; j++)
      x[2 * i * n + j] += 0.5 * y[i];
  }
}

static float *floats(int count) {
  float *result = malloc(sizeof(float) * count);
  for (int i = 0; i < count; i++)
    result[i] = (float)((i * 37) % 23) / 7.0f - 1.0f;
  return result;
}

static double *doubles(int count) {
  double *result = malloc(sizeof(double) * count);
  for (int i = 0; i < count; i++)
    result[i] = (double)((i * 29) % 31) / 9.0 - 1.5;
  return result;
}

static double checked(const double *values, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++)
    sum = sum * 0.75 + values[i] * (i % 5 + 1);
  return sum;
}

int main(void) {
  static const int sizes[][3] = {{8, 1, 1}, {16, 17, 33}, {40, 64, 50}, {24, 100, 71}, {64, 33, 8}, {0, 5, 5}};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int rows = sizes[s][0], length = sizes[s][1], columns = sizes[s][2];
    float *out = floats(rows * columns + 1), *in = floats(rows * length + 1), *weights = floats(columns * length + 1);
    eight(out, in, weights, rows, length, columns);
    double sum = 0.0;
    for (int i = 0; i < rows * columns; i++)
      sum = sum * 0.5 + out[i];
    begun(out, in, weights, in, rows, length, columns < rows * length ? columns : rows * length);
    for (int i = 0; i < rows * columns; i++)
      sum = sum * 0.5 + out[i];
    // The result is one of the operands.
    eight(in, in, weights, rows, length < columns ? length : columns, length < columns ? length : columns);
    for (int i = 0; i < rows * length; i++)
      sum = sum * 0.5 + in[i];
    printf("eight %d %d %d: %a\n", rows, length, columns, sum);
    free(out), free(in), free(weights);
  }
  for (int n = 1; n < 90; n = n * 2 + 3) {
    double *a = doubles(n * n), *b = doubles(n * n), *c = doubles(n * n);
    four(c, a, b, n);
    printf("four %d: %a\n", n, checked(c, n * n));
    free(a), free(b), free(c);
    double *x = doubles(2 * n * 40), *y = doubles(n * 40);
    halves(x, y, 40, n);
    printf("halves %d: %a\n", n, checked(x, 2 * n * 40));
    free(x), free(y);
  }
}
