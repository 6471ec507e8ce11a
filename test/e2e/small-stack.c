// Kernels called on a thread with little stack: buffers that a transformation needs must not overflow it.
#include <pthread.h>

#include "check.h"

#define N 160

static double A[N][N], B[N][N], C[N][N];

TEST_FUNCTION product(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

TEST_FUNCTION recursive_product(int n, double c[N][N], double a[N][N], double b[N][N]) {
  if (n < 20)
    return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  recursive_product(n - 10, c, a, b);
}

static void *work(void *unused) {
  product((int)hidden(N), C, A, B);
  recursive_product((int)hidden(N), C, B, A);
  return unused;
}

int main(void) {
  FILL(&A[0][0], N * N, 1);
  FILL(&B[0][0], N * N, 2);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, 32 << 10) != 0)
    return 2;
  pthread_t thread;
  if (pthread_create(&thread, &attributes, work, NULL) != 0)
    return 3;
  pthread_join(thread, NULL);
  for (int i = 0; i < N; i += 7)
    SHOW("C", C[i], N);
  return 0;
}
