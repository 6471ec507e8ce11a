// Tables filled from their borders: edit distance, longest common subsequence, knapsack, shortest paths, matrix chains.
#include "check.h"

#define N 40

static inline int least(int a, int b) {
  return a < b ? a : b;
}

static inline int most(int a, int b) {
  return a > b ? a : b;
}

TEST_FUNCTION edit_distance(int n, int m, int d[N + 1][N + 1], const char *s, const char *t) {
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      d[i][j] = least(least(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + (s[i - 1] != t[j - 1]));
}

TEST_FUNCTION common(int n, int m, int d[N + 1][N + 1], const char *s, const char *t) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1])
        d[i][j] = d[i - 1][j - 1] + 1;
      else
        d[i][j] = most(d[i - 1][j], d[i][j - 1]);
    }
}

TEST_FUNCTION chains(int n, int cost[N + 1][N + 1], const int *size) {
  for (int i = 0; i < n; i++)
    cost[i][i] = 0;
  for (int length = 2; length <= n; length++)
    for (int i = 0; i + length <= n; i++) {
      int j = i + length - 1;
      cost[i][j] = 1 << 29;
      for (int k = i; k < j; k++)
        cost[i][j] = least(cost[i][j], cost[i][k] + cost[k + 1][j] + size[i] * size[k + 1] * size[j + 1]);
    }
}

TEST_FUNCTION paths(int n, int d[N + 1][N + 1]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = least(d[i][j], d[i][k] + d[k][j]);
}

TEST_FUNCTION knapsack(int n, int room, int best[N + 1], const int *weight, const int *value) {
  for (int i = 0; i < n; i++)
    for (int r = room; r >= weight[i]; r--)
      best[r] = most(best[r], best[r - weight[i]] + value[i]);
}

static int table[N + 1][N + 1], size[N + 1], weight[N], value[N], best[N + 1];

int main(void) {
  static const char s[] = "polyhedral optimizers reorder the loops.", t[] = "parallel optimisation of ordered lookups";
  for (int i = 0; i <= N; i++)
    size[i] = 1 + (i * 7) % 11;
  for (int i = 0; i < N; i++) {
    weight[i] = 1 + (i * 5) % 13;
    value[i] = (i * 17) % 29;
  }
  for (int n = 0; n <= N; n += 8) {
    int h = (int)hidden(n);
    edit_distance(h, (int)hidden(N - n / 2), table, s, t);
    SHOW("edit_distance", &table[0][0], (N + 1) * (N + 1));
    common(h, (int)hidden(N - n / 2), table, s, t);
    SHOW("common", &table[0][0], (N + 1) * (N + 1));
    chains(h, table, size);
    SHOW("chains", &table[0][0], (N + 1) * (N + 1));
    for (int i = 0; i < (N + 1) * (N + 1); i++)
      (&table[0][0])[i] = 1 + (i * 31) % 97;
    paths(h, table);
    SHOW("paths", &table[0][0], (N + 1) * (N + 1));
    memset(best, 0, sizeof best);
    knapsack(h, N, best, weight, value);
    SHOW("knapsack", best, N + 1);
  }
  return 0;
}
