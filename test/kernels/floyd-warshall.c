// Shortest paths between all pairs of nodes
// poly: one scop kernel_floyd_warshall
#include "harness.h"

#define N BY_SIZE(60, 180, 500, 2800, 5600)

KERNEL kernel_floyd_warshall(int n, int path[DIM(N, n)][DIM(N, n)]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

static void fill(int path[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      path[i][j] = i * j % 7 + 1;
      if ((i + j) % 13 == 0 || (i + j) % 7 == 0 || (i + j) % 11 == 0)
        path[i][j] = 999;
    }
}

int main(void) {
  int(*path)[N][N] = allocate(sizeof *path);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*path);
    start_clock();
    kernel_floyd_warshall(N, *path);
    stop_clock();
  }
  show_work(2.0 * N * N * N, 2 * sizeof *path);
  show_ints("path", path, sizeof *path);
  free(path);
  return 0;
}
