// What a candidate decides is kept where it is priced at other sizes. There, other bands may get strips than those that
// the strips were made for: a product with a triangle and with its mirror image.
#include <stdio.h>

#define MAX 40

static double a[MAX * MAX], b[MAX * MAX], c[MAX * MAX];

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

static void print(const char *name, int n1, int n2) {
  double sum = 0;
  for (int i = 0; i < MAX * MAX; i++)
    sum += c[i] * (1 + i % 5);
  printf("%s %d %d: %a\n", name, n1, n2, sum);
}

int main(void) {
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
      print("product", sizes[p], sizes[q]);
    }
  // C is A, too.
  product(1, 16, 16, 0.5, c, MAX, b, MAX, c, MAX);
  print("in place", 16, 16);
  return 0;
}
