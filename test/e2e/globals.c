// Global arrays of constant extents, some of which the caller also passes by pointer.
// poly: optimizes product
#include "check.h"

#define N 36

double A[N][N], B[N][N], C[N][N];
static float line[N * 4];
int total;

TEST_FUNCTION product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

TEST_FUNCTION whole(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[i][j] = B[j][i] - 0.5 * C[i][j];
}

TEST_FUNCTION with_pointer(int n, double *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += x[j] * 0.5; // x may be a row of A
}

TEST_FUNCTION counting(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      total += i * j;
      line[i + j] += (float)total;
    }
}

int main(void) {
  FILL(&A[0][0], N * N, 1);
  FILL(&B[0][0], N * N, 2);
  FILL(&C[0][0], N * N, 3);
  FILL(line, N * 4, 4);
  for (int n = 0; n <= N; n = n * 2 + 4) {
    product((int)hidden(n));
    SHOW("C", &C[0][0], N * N);
    whole();
    SHOW("A", &A[0][0], N * N);
    with_pointer((int)hidden(n), &A[hidden(n / 2)][0]);
    with_pointer((int)hidden(n), &B[0][hidden(3)]);
    with_pointer((int)hidden(n / 2), &A[0][hidden(3)]);
    SHOW("A", &A[0][0], N * N);
    counting((int)hidden(n));
    SHOW("line", line, N * 4);
    printf("%d\n", total);
    for (int i = 0; i < N * N; i++) {
      (&A[0][0])[i] *= 0.03125;
      (&C[0][0])[i] *= 0.03125;
    }
  }
  return 0;
}
