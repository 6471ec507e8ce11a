// Several threads of the program in the same transformed code at once: nothing in it may be shared.
#include <pthread.h>

#include "check.h"

#define N 60
#define THREADS 4

struct work {
  double a[N][N], b[N][N], c[N][N];
  int n;
};

static struct work works[THREADS];

TEST_FUNCTION product(int n, double c[N][N], double a[N][N], double b[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] *= 0.5;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

static void *run(void *argument) {
  struct work *work = argument;
  for (int round = 0; round < 20; round++)
    product(work->n - round, work->c, work->a, work->b);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) {
    FILL(&works[t].a[0][0], N * N, t);
    FILL(&works[t].b[0][0], N * N, t + 5);
    works[t].n = N - t;
    if (pthread_create(&threads[t], NULL, run, &works[t]) != 0)
      return 2;
  }
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    SHOW("c", &works[t].c[0][0], N * N);
  }
  return 0;
}
