// Dynamic programming over intervals: what is known of [i, k] and [k + 1, j] is joined for all k. Tiles of rows and columns take what other tiles have finished as products of blocks before they finish
// their own elements. Sizes around those of tiles and register tiles; both directions of rows and columns, other operations, weights, and loops in which no tile can be first.
// poly: optimizes pairs
// poly: optimizes chain
// poly: optimizes counts
#include "check.h"

#define N 150

#define RAISE(element, value)          \
  do {                                 \
    int old = element, new = value;    \
    element = old > new ? old : new;   \
  } while (0)

TEST_FUNCTION pairs(int n, int (*restrict t)[N], const int *restrict kinds) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      RAISE(t[i][j], t[i][j - 1]);
      if (i + 1 < n) {
        RAISE(t[i][j], t[i + 1][j]);
        if (i < j - 1)
          RAISE(t[i][j], t[i + 1][j - 1] + (kinds[i] + kinds[j] == 3 ? 1 : 0));
        else
          RAISE(t[i][j], t[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        RAISE(t[i][j], t[i][k] + t[k + 1][j]);
    }
}

// The cheapest order of a product of matrices.
TEST_FUNCTION chain(int n, int (*restrict cost)[N], const int *restrict sizes) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      for (int k = i; k < j; k++) {
        int old = cost[i][j], new = cost[i][k] + cost[k + 1][j];
        cost[i][j] = old < new ? old : new;
      }
      cost[i][j] += sizes[i] * sizes[j];
    }
}

// How many ways there are, modulo 2^32.
TEST_FUNCTION counts(int n, uint32_t (*restrict c)[N], const uint32_t *restrict w) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      c[i][j] += w[j];
      for (int k = i; k < j; k++)
        c[i][j] += c[i][k] * c[k + 1][j];
    }
}

// Interval after interval, the short ones first.
TEST_FUNCTION by_length(int n, uint32_t (*restrict c)[N], const uint32_t *restrict w) {
  for (int length = 1; length < n; length++)
    for (int i = 0; i + length < n; i++) {
      c[i][i + length] += w[i];
      for (int k = i; k < i + length; k++)
        c[i][i + length] += c[i][k] * c[k + 1][i + length];
    }
}

// Rows are the ends of intervals, columns the beginnings.
TEST_FUNCTION transposed(int n, int (*restrict t)[N], const int *restrict w) {
  for (int j = 1; j < n; j++)
    for (int i = j - 1; i >= 0; i--) {
      RAISE(t[j][i], t[j - 1][i] + w[j]);
      for (int k = i + 1; k < j; k++)
        RAISE(t[j][i], t[k][i] + t[j][k + 1]);
    }
}

// Intervals overlap: both parts have element k.
TEST_FUNCTION overlapping(int n, uint64_t (*restrict c)[N], const uint64_t *restrict w) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      c[i][j] ^= w[i];
      for (int k = i + 1; k < j; k++)
        c[i][j] ^= c[i][k] & c[k][j];
    }
}

// What was read is an operand of the same row, too: nothing of a tile comes from others alone.
TEST_FUNCTION with_neighbour(int n, uint32_t (*restrict c)[N], const uint32_t *restrict w) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 2; j < n; j++) {
      c[i][j] += w[i];
      for (int k = i + 1; k < j; k++)
        c[i][j] += c[i][k] * c[k + 1][j] + c[i + 1][j - 1];
    }
}

static uint64_t hash(const void *data, size_t bytes) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211u;
  return h;
}

#define SHOW_HASH(call, matrix, vector, modulus)                                     \
  do {                                                                               \
    for (int i = 0; i < N; i++) {                                                    \
      vector[i] = (i * 7 + 3) % modulus;                                             \
      for (int j = 0; j < N; j++)                                                    \
        matrix[i][j] = (i * 31 + j * 17 + i * j) % modulus;                          \
    }                                                                                \
    call(n, matrix, vector);                                                         \
    printf(#call " %d: %016llx\n", n, (unsigned long long)hash(matrix, sizeof matrix)); \
  } while (0)

static int table[N][N], kinds[N];
static uint32_t words[N][N], weights[N];
static uint64_t wide[N][N], masks[N];

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 13, 24, 25, 27, 28, 29, 31, 32, 33, 47, 48, 49, 57, 63, 64, 65, 66, 67, 68, 95, 97, 128, 129, 133, 149, 150};
  for (size_t at = 0; at < COUNT(sizes); at++) {
    int n = (int)hidden(sizes[at]);
    SHOW_HASH(pairs, table, kinds, 4);
    SHOW_HASH(chain, table, kinds, 9);
    SHOW_HASH(counts, words, weights, 11);
    SHOW_HASH(by_length, words, weights, 11);
    SHOW_HASH(transposed, table, kinds, 5);
    SHOW_HASH(overlapping, wide, masks, 1000);
    SHOW_HASH(with_neighbour, words, weights, 7);
  }
  return 0;
}
