// What a candidate decides is kept where it is priced at other sizes. There, other bands may get strips than those that
// the strips were made for: a product with a triangle and with its mirror image, and a window that is unrolled.
#include <stdio.h>

#define MAX 40

static double a[MAX * MAX], b[MAX * MAX], c[MAX * MAX];
static int x[MAX + 16][MAX + 16], y[MAX][MAX];

__attribute__((noinline)) void product(int upper, int n1, int n2, double alpha, const double *A, int lda,
                                              const double *B, int ldb, double *C, int ldc) {
  if (upper)
    for (int i = 0; i < n1; i++)
      for (int j = 0; j < n2; j++) {
        double t = alpha * B[ldb * i + j], s = 0;
        for (int k = i + 1; k < n1; k++) {
          double v = A[i * lda + k];
          C[k * ldc + j] += v * t;
          s += v * B[ldb * k + j];
        }
        C[i * ldc + j] += alpha * s;
      }
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < n2; j++) {
      double t = alpha * B[ldb * i + j];
      for (int k = 0; k < i; k++)
        C[k * ldc + j] += A[i * lda + k] * t;
    }
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < n2; j++) {
      double t = alpha * B[ldb * i + j], s = 0;
      for (int k = 0; k < j; k++)
        s += B[ldb * i + k] * A[j * lda + k];
      C[i * ldc + j] += t * A[j * lda + j] + alpha * s;
    }
}

__attribute__((noinline)) void window(int n, int m, int (*restrict y)[MAX], int (*restrict x)[MAX + 16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int s = 0;
      for (int k = 0; k < 16; k++)
        for (int l = 0; l < 16; l++)
          s += x[i + k][j + l];
      y[i][j] = s;
    }
}

static void print(const char *name, int n1, int n2) {
  double sum = 0;
  long whole = 0;
  for (int i = 0; i < MAX * MAX; i++) {
    sum += c[i] * (1 + i % 5);
    whole += (long)y[i / MAX][i % MAX] * (1 + i % 7);
  }
  printf("%s %d %d: %a %ld\n", name, n1, n2, sum, whole);
}

int main(void) {
  for (int i = 0; i < MAX + 16; i++)
    for (int j = 0; j < MAX + 16; j++)
      x[i][j] = (i * 37 + j * 11) % 101 - 50;
  const int sizes[] = {0, 1, 2, 3, 7, 16, 33, MAX};
  for (unsigned p = 0; p < sizeof sizes / sizeof *sizes; p++)
    for (unsigned q = 0; q < sizeof sizes / sizeof *sizes; q++) {
      for (int i = 0; i < MAX * MAX; i++) {
        a[i] = (i * 7 % 19) / 8.0 - 1;
        b[i] = (i * 5 % 23) / 16.0 - 0.5;
        c[i] = (i * 3 % 13) / 4.0;
      }
      for (int upper = 0; upper < 2; upper++)
        product(upper, sizes[p], sizes[q], 1.25, a, MAX, b, MAX, c, MAX);
      window(sizes[p], sizes[q], y, x);
      print("product and window", sizes[p], sizes[q]);
    }
  // C is A, too.
  product(1, 16, 16, 0.5, c, MAX, b, MAX, c, MAX);
  print("in place", 16, 16);
  return 0;
}
