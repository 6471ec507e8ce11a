// Nussinov's algorithm: the most pairs of matching bases that an RNA sequence can form without crossings
// poly: one scop kernel_nussinov
#include "harness.h"

#define N BY_SIZE(60, 180, 500, 2500, 5500)

#define MATCH(a, b) ((a) + (b) == 3 ? 1 : 0)
#define MAX(a, b) ((a) >= (b) ? (a) : (b))

KERNEL kernel_nussinov(int n, char seq[DIM(N, n)], int table[DIM(N, n)][DIM(N, n)]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0)
        table[i][j] = MAX(table[i][j], table[i][j - 1]);
      if (i + 1 < n)
        table[i][j] = MAX(table[i][j], table[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        // Neighbours do not pair.
        if (i < j - 1)
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + MATCH(seq[i], seq[j]));
        else
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
    }
}

static void fill(char seq[N], int table[N][N]) {
  for (int i = 0; i < N; i++)
    seq[i] = (char)((i + 1) % 4);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      table[i][j] = 0;
}

int main(void) {
  char(*seq)[N] = allocate(sizeof *seq);
  int(*table)[N][N] = allocate(sizeof *table);
  for (int round = 0; round < ROUNDS; round++) {
    fill(*seq, *table);
    start_clock();
    kernel_nussinov(N, *seq, *table);
    stop_clock();
  }
  show_work(1.0 / 3.0 * N * N * N, sizeof *table);
  show_ints("table", table, sizeof *table);
  free(seq);
  free(table);
  return 0;
}
