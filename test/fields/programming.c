// Dynamic programming.
// poly: optimizes common_subsequence edit_distance align_affine knapsack matrix_chain search_tree time_warp
// poly: optimizes reachable shortest_paths min_plus coin_ways viterbi
#include "bench.h"

KERNEL void common_subsequence(int n, int m, const char *a, const char *b, int *t) {
  for (int i = 0; i <= n; i++)
    t[i * (m + 1)] = 0;
  for (int j = 0; j <= m; j++)
    t[j] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      if (a[i - 1] == b[j - 1])
        t[i * (m + 1) + j] = t[(i - 1) * (m + 1) + j - 1] + 1;
      else {
        int up = t[(i - 1) * (m + 1) + j], left = t[i * (m + 1) + j - 1];
        t[i * (m + 1) + j] = up > left ? up : left;
      }
}
BENCH(common_subsequence, "longest common subsequence") {
  int n = size(900), m = size(1000);
  unsigned char *a = bytes(n, 'a', 'd'), *b = bytes(m, 'a', 'd');
  int *t = ints((long)(n + 1) * (m + 1), 0, 0);
  REPEAT common_subsequence(n, m, (char *)a, (char *)b, t);
}

KERNEL int palindrome(int n, const char *s, int *t) {
  for (int i = n - 1; i >= 0; i--) {
    t[i * n + i] = 1;
    for (int j = i + 1; j < n; j++) {
      if (s[i] == s[j])
        t[i * n + j] = (j == i + 1 ? 0 : t[(i + 1) * n + j - 1]) + 2;
      else
        t[i * n + j] = t[(i + 1) * n + j] > t[i * n + j - 1] ? t[(i + 1) * n + j] : t[i * n + j - 1];
    }
  }
  return t[n - 1];
}
BENCH(palindrome, "table over pairs, branches") {
  int n = size(1200);
  char *s = (char *)bytes(n, 0, 3);
  int *t = ints(n * n, 0, 0), length = 0;
  REPEAT length = palindrome(n, s, t);
  result(length);
}

KERNEL int edit_distance(int n, int m, const char *a, const char *b, int *row) {
  for (int j = 0; j <= m; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int old = row[j], cost = diagonal + (a[i - 1] != b[j - 1]);
      if (old + 1 < cost)
        cost = old + 1;
      if (row[j - 1] + 1 < cost)
        cost = row[j - 1] + 1;
      row[j] = cost;
      diagonal = old;
    }
  }
  return row[m];
}
BENCH(edit_distance, "edit distance in one row") {
  int n = size(1000), m = size(1100);
  unsigned char *a = bytes(n, 'a', 'd'), *b = bytes(m, 'a', 'd');
  int *row = ints(m + 1, 0, 0);
  REPEAT result(edit_distance(n, m, (char *)a, (char *)b, row));
}

KERNEL void align_affine(int n, int m, const signed char *score, const unsigned char *a, const unsigned char *b, int *h,
                  int *e, int *f) {
  int w = m + 1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      e[i * w + j] = h[i * w + j - 1] - 5 > e[i * w + j - 1] - 1 ? h[i * w + j - 1] - 5 : e[i * w + j - 1] - 1;
      f[i * w + j] = h[(i - 1) * w + j] - 5 > f[(i - 1) * w + j] - 1 ? h[(i - 1) * w + j] - 5 : f[(i - 1) * w + j] - 1;
      int s = h[(i - 1) * w + j - 1] + score[a[i - 1] * 4 + b[j - 1]];
      if (s < e[i * w + j])
        s = e[i * w + j];
      if (s < f[i * w + j])
        s = f[i * w + j];
      h[i * w + j] = s < 0 ? 0 : s;
    }
}
BENCH(align_affine, "local alignment with affine gaps") {
  int n = size(500), m = size(600);
  long all = (long)(n + 1) * (m + 1);
  unsigned char *a = bytes(n, 0, 3), *b = bytes(m, 0, 3), *score = bytes(16, 0, 4);
  int *h = ints(all, 0, 0), *e = ints(all, -9, -9), *f = ints(all, -9, -9);
  REPEAT align_affine(n, m, (signed char *)score, a, b, h, e, f);
}

KERNEL void knapsack(int items, int capacity, const int *weight, const int *value, int *best) {
  for (int i = 0; i < items; i++)
    for (int c = capacity; c >= weight[i]; c--)
      if (best[c - weight[i]] + value[i] > best[c])
        best[c] = best[c - weight[i]] + value[i];
}
BENCH(knapsack, "0/1 knapsack in one row, backwards") {
  int items = size(200), capacity = size(10000);
  int *weight = ints(items, 1, 300), *value = ints(items, 1, 1000), *best = ints(capacity + 1, 0, 0);
  REPEAT knapsack(items, capacity, weight, value, best);
}

KERNEL void matrix_chain(int n, const long *p, long *m) {
  for (int len = 2; len <= n; len++)
    for (int i = 0; i + len <= n; i++) {
      int j = i + len - 1;
      long best = 1L << 60;
      for (int k = i; k < j; k++) {
        long c = m[i * n + k] + m[(k + 1) * n + j] + p[i] * p[k + 1] * p[j + 1];
        if (c < best)
          best = c;
      }
      m[i * n + j] = best;
    }
}
BENCH(matrix_chain, "order of a chain of products") {
  int n = size(300);
  int *half = ints(2L * (n + 1), 1, 1), *table = ints(2L * n * n, 0, 0);
  long *p = (long *)half, *m = (long *)table;
  REPEAT {
    for (int i = 0; i <= n; i++)
      p[i] = 10 + i % 37;
    matrix_chain(n, p, m);
  }
}

KERNEL void search_tree(int n, const float *p, float *cost, float *weight) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      weight[i * n + j] = (j > i ? weight[i * n + j - 1] : 0) + p[j];
  for (int len = 1; len <= n; len++)
    for (int i = 0; i + len <= n; i++) {
      int j = i + len - 1;
      float best = 1e30f;
      for (int r = i; r <= j; r++) {
        float c = (r > i ? cost[i * n + r - 1] : 0) + (r < j ? cost[(r + 1) * n + j] : 0);
        if (c < best)
          best = c;
      }
      cost[i * n + j] = best + weight[i * n + j];
    }
}
BENCH(search_tree, "optimal search tree") {
  int n = size(240);
  float *p = floats(n, 0, 1), *cost = floats((long)n * n, 0, 0), *weight = floats((long)n * n, 0, 0);
  REPEAT search_tree(n, p, cost, weight);
}

KERNEL double time_warp(int n, int m, const double *a, const double *b, double *d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double c = fabs(a[i] - b[j]), best;
      if (i == 0 && j == 0)
        best = 0;
      else if (i == 0)
        best = d[j - 1];
      else if (j == 0)
        best = d[(i - 1) * m];
      else
        best = fmin(d[(i - 1) * m + j], fmin(d[i * m + j - 1], d[(i - 1) * m + j - 1]));
      d[i * m + j] = c + best;
    }
  return d[n * m - 1];
}
BENCH(time_warp, "dynamic time warping") {
  int n = size(700), m = size(800);
  double *a = doubles(n, 0, 1), *b = doubles(m, 0, 1), *d = doubles((long)n * m, 0, 0);
  REPEAT result(time_warp(n, m, a, b, d));
}

KERNEL void reachable(int n, unsigned char *r) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        r[i * n + j] = r[i * n + j] || (r[i * n + k] && r[k * n + j]);
}
BENCH(reachable, "transitive closure of bytes") {
  int n = size(250);
  unsigned char *r = bytes((long)n * n, 0, 255);
  for (int i = 0; i < n * n; i++)
    r[i] = r[i] < 3;
  memcpy(bench_arrays[0].pristine, r, (size_t)n * (size_t)n);
  REPEAT reachable(n, r);
}

KERNEL void shortest_paths(int n, float *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
}
BENCH(shortest_paths, "all shortest paths, float") {
  int n = size(300);
  float *d = floats((long)n * n, 0, 100);
  REPEAT shortest_paths(n, d);
}

KERNEL void min_plus(int n, const int *a, const int *b, int *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int m = 1 << 29;
      for (int k = 0; k < n; k++)
        if (a[i * n + k] + b[k * n + j] < m)
          m = a[i * n + k] + b[k * n + j];
      c[i * n + j] = m;
    }
}
BENCH(min_plus, "min-plus product") {
  int n = size(280);
  int *a = ints((long)n * n, 0, 1000), *b = ints((long)n * n, 0, 1000), *c = ints((long)n * n, 0, 0);
  REPEAT min_plus(n, a, b, c);
}

KERNEL void coin_ways(int coins, int sum, const int *coin, unsigned *ways) {
  ways[0] = 1;
  for (int i = 0; i < coins; i++)
    for (int s = coin[i]; s <= sum; s++)
      ways[s] += ways[s - coin[i]];
}
BENCH(coin_ways, "ways to pay, recurrences of data-dependent distance") {
  int coins = size(100), sum = size(10000);
  int *coin = ints(coins, 1, 500);
  unsigned *ways = words(sum + 1, 0, 0);
  REPEAT coin_ways(coins, sum, coin, ways);
}

KERNEL void viterbi(int states, int steps, const float *t, const float *e, float *score, int *from) {
  for (int s = 1; s < steps; s++)
    for (int j = 0; j < states; j++) {
      float best = -1e30f;
      int arg = 0;
      for (int i = 0; i < states; i++) {
        float v = score[(s - 1) * states + i] + t[i * states + j];
        if (v > best) {
          best = v;
          arg = i;
        }
      }
      score[s * states + j] = best + e[s * states + j];
      from[s * states + j] = arg;
    }
}
BENCH(viterbi, "Viterbi with back pointers") {
  int states = size(64), steps = size(300);
  float *t = floats((long)states * states, -5, 0), *e = floats((long)states * steps, -5, 0);
  float *score = floats((long)states * steps, 0, 0);
  int *from = ints((long)states * steps, 0, 0);
  REPEAT viterbi(states, steps, t, e, score, from);
}
