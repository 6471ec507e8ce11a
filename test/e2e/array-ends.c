// Arrays in one block of memory, one directly behind the other or with an element in common: the run-time check must know exactly where what is accessed begins and ends, and never take it for shorter than it is.
// poly: optimizes slices wide_slices diagonal upper below halves cleared blocks last_row modulo
#include "check.h"

// rows of l elements, of which m are used
TEST_FUNCTION slices(int n, int m, int l, double *A, double *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i * l + j] = A[i * l + j] * 0.5 + B[i * l + j];
}

// there may be no more than one row, of any length
TEST_FUNCTION wide_slices(int64_t n, int64_t m, int64_t l, double *A, double *B) {
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      A[i * l + j] = A[i * l + j] * 0.5 + B[i * l + j];
}

// the shape has rows of 41 elements
TEST_FUNCTION diagonal(double R[40][40], double x[40]) {
  for (int k = 0; k < 40; k++) {
    R[k][k] = x[k] * 0.5;
    for (int j = k + 1; j < 40; j++)
      R[k][j] = R[k][k] + x[j];
  }
}

TEST_FUNCTION upper(int n, double *U, double *B) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      U[i * n + j] = U[i * n + j] * 0.25 + B[j * n + i];
}

// subscripts of rows are negative
TEST_FUNCTION below(int n, int m, double A[][20], double B[][20]) {
  for (int i = -n; i < 0; i++)
    for (int j = 3; j < m; j++)
      A[i][j] = A[i][j] * 0.5 + B[i][j] + i;
}

// the elements have four bytes, some accesses eight
TEST_FUNCTION halves(int n, int m, char *a, int *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int64_t both;
      memcpy(&both, a + (i * 40 + 2 * j) * 4, 8);
      b[i * 40 + j] += (int)(both >> 32);
      both += b[i * 40 + j];
      memcpy(a + (i * 40 + 2 * j) * 4, &both, 8);
    }
}

TEST_FUNCTION cleared(int n, int m, double A[][24], double B[][24]) {
  for (int i = 0; i < n; i++) {
    memset(A[i], 0, 8 * (size_t)m);
    for (int j = 0; j < m; j++)
      A[i][j] += B[i][j] * 2;
  }
}

// three dimensions, none of them whole; two accesses, of which either may be the last one
TEST_FUNCTION blocks(int n, int m, int p, int q, double A[][6][7], double B[][6][7]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < p; k++)
        A[i][j][k] += B[i][j][k];
      for (int k = 0; k < q; k++)
        A[i][j][k] *= B[i][j][k] + 1;
    }
}

// only the last row is longer
TEST_FUNCTION last_row(int n, int m, double A[][24], double B[][24]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] += B[i][j];
  if (n > 0)
    for (int j = 0; j < 20; j++)
      A[n - 1][j] *= B[0][j];
}

TEST_FUNCTION modulo(int n, int m, double A[][16], double B[][16]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i / 2][(i + 3 * j) % 16] += B[i][j] * 0.5;
}

static double memory[6000];

static void show_sum(const char *label, const void *bytes, size_t count) {
  uint64_t sum = 0xcbf29ce484222325;
  for (size_t i = 0; i < count; i++)
    sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
  printf("%s: %016llx\n", label, (unsigned long long)sum);
}

// Of both arrays, the elements from `first` on and before `end` are accessed.
#define PLACES(label, first, end, call)                                                                                     \
  for (int distance = -2; distance <= 2; distance++)                                                                               \
    for (int order = 0; order < 2; order++) {                                                                                      \
      FILL(memory, 6000, 3);                                                                                                       \
      double *one = memory + 2500, *other = order ? one + (end) - (first) + distance : one - (end) + (first) - distance;           \
      one += hidden(0);                                                                                                            \
      other += hidden(0);                                                                                                          \
      call;                                                                                                                        \
      show_sum(label, memory, sizeof memory);                                                                                      \
    }

static void slices_of(int n, int m, int l) {
  n = (int)hidden(n), m = (int)hidden(m), l = (int)hidden(l);
  PLACES("slices", 0, (n - 1) * l + m, slices(n, m, l, one, other))
}

static void wide_slices_of(int64_t n, int64_t m, int64_t l) {
  n = hidden(n), m = hidden(m), l = hidden(l);
  PLACES("wide_slices", 0, n > 1 ? (int)((n - 1) * l + m) : n == 1 ? (int)m : 0, wide_slices(n, m, l, one, other))
}

static void below_of(int n, int m) {
  n = (int)hidden(n), m = (int)hidden(m);
  PLACES("below", -20 * n + 3, -20 + m, below(n, m, (double(*)[20])one, (double(*)[20])other))
}

static void halves_of(int n, int m) {
  n = (int)hidden(n), m = (int)hidden(m);
  for (int distance = -2; distance <= 2; distance++) {
    static int32_t words[4000];
    FILL(words, 4000, 5);
    halves(n, m, (char *)(words + 500), words + hidden(500 + (n - 1) * 40 + 2 * m + distance));
    show_sum("halves", words, sizeof words);
    FILL(words, 4000, 6);
    halves(n, m, (char *)(words + hidden(500 + (n - 1) * 40 + m + distance)), words + 500);
    show_sum("halves", words, sizeof words);
  }
}

static void others(int n, int m) {
  n = (int)hidden(n), m = (int)hidden(m);
  PLACES("cleared", 0, (n - 1) * 24 + m, cleared(n, m, (double(*)[24])one, (double(*)[24])other))
  PLACES("last_row", 0, (n - 1) * 24 + (m > 20 ? m : 20), last_row(n, m, (double(*)[24])one, (double(*)[24])other))
  PLACES("modulo", 0, 16 * ((n - 1) / 2) + 16, modulo(n, m < 16 ? m : 16, (double(*)[16])one, (double(*)[16])other))
}

static void blocks_of(int n, int m, int p, int q) {
  n = (int)hidden(n), m = (int)hidden(m), p = (int)hidden(p), q = (int)hidden(q);
  int longest = p > q ? p : q;
  PLACES("blocks", 0, (n - 1) * 42 + (m - 1) * 7 + longest, blocks(n, m, p, q, (double(*)[6][7])one, (double(*)[6][7])other))
}

int main(void) {
  slices_of(0, 0, 5);
  slices_of(1, 1, 1);
  slices_of(1, 5, 9);
  slices_of(7, 5, 9);
  slices_of(9, 9, 9);
  slices_of(20, 17, 33);
  static const int64_t lengths[] = {INT64_MIN, -((int64_t)1 << 51), -((int64_t)1 << 50), -1, 0, 1, 8, (int64_t)1 << 49,
                                    (int64_t)1 << 50, ((int64_t)1 << 50) + 1, (int64_t)1 << 60, (int64_t)1 << 62, INT64_MAX};
  for (size_t k = 0; k < COUNT(lengths); k++) {
    wide_slices_of(1, 8, lengths[k]);
    wide_slices_of(0, lengths[k], lengths[k]);
    wide_slices_of(lengths[k] > 0 ? 0 : lengths[k], 8, lengths[COUNT(lengths) - 1 - k]);
  }
  wide_slices_of(5, 8, 11);
  PLACES("diagonal", 0, 1600, diagonal((double(*)[40])one, other))
  PLACES("diagonal", 0, 1600, diagonal((double(*)[40])one, other + 1560))
  PLACES("upper", 1, 15 * 17 - 1, upper(16, one, other))
  PLACES("upper, 1", 0, 1, upper((int)hidden(1), one, other))
  below_of(0, 0);
  below_of(1, 4);
  below_of(9, 17);
  below_of(12, 20);
  halves_of(1, 1);
  halves_of(5, 13);
  halves_of(9, 20);
  others(0, 0);
  others(1, 1);
  others(7, 13);
  others(11, 23);
  blocks_of(0, 3, 3, 3);
  blocks_of(1, 1, 1, 1);
  blocks_of(4, 3, 2, 5);
  blocks_of(4, 5, 6, 3);
  blocks_of(5, 6, 7, 7);
  blocks_of(3, 2, 0, 4);
  return 0;
}
