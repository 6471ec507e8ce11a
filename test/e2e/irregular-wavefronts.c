// Loops that depend on themselves through index arrays: solves with triangular matrices, sweeps of
// Gauss and Seidel, successive over-relaxation, and incomplete factorizations, over matrices of
// every pattern, also ones that change between calls, vectors that are the same one or overlap, and
// index arrays that are overwritten. With threads, what an iteration computes and from what stays
// the same.
#include <math.h>

#include "check.h"

#define N 120
#define MOST (N * N + 8)

TEST_FUNCTION lower_solve(int n, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      if (col[k] < i)
        s -= val[k] * x[col[k]];
    x[i] = s / (1 + i % 5);
  }
}

// From the last row to the first.
TEST_FUNCTION upper_solve(int n, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    double s = b[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      if (col[k] > i)
        s -= val[k] * x[col[k]];
    x[i] = s / (1 + i % 3);
  }
}

TEST_FUNCTION gauss_seidel(int n, int sweeps, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = b[i], d = 1;
      for (int k = row[i]; k < row[i + 1]; k++) {
        if (col[k] == i)
          d = val[k] + 3;
        else
          s -= val[k] * x[col[k]];
      }
      x[i] = s / d;
    }
}

// The pattern changes from sweep to sweep.
TEST_FUNCTION changing(int n, int sweeps, const int *row, int *col, const double *val, double *x) {
  for (int t = 0; t < sweeps; t++) {
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s;
    }
    if (row[n] > row[0])
      col[t * 7 % row[n]] = t * 31 % n;
  }
}

// Each sweep has other rows, in one array.
TEST_FUNCTION blocks(int n, int sweeps, const int *row, const int *col, const double *val, double *x) {
  for (int t = 0; t < sweeps; t++)
    for (int i = 0; i < n; i++) {
      double s = 1;
      for (int k = row[t * n + i]; k < row[t * n + i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s;
    }
}

// Forwards and backwards, again and again.
TEST_FUNCTION symmetric(int n, int sweeps, const int *row, const int *col, const double *val, const double *b, double *x) {
  for (int t = 0; t < sweeps; t++) {
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s;
    }
    for (int i = n - 1; i >= 0; i--) {
      double s = b[i];
      for (int k = row[i]; k < row[i + 1]; k++)
        s -= val[k] * x[col[k]];
      x[i] = s;
    }
  }
}

// Wide indices, narrow numbers, rows given by beginnings and lengths, and a pointer that moves.
TEST_FUNCTION relaxation(long n, float omega, const long *first, const short *length, const short *col, const float *val,
                         const float *b, float *x) {
  for (long i = 0; i < n; i++) {
    float s = *b++;
    const float *v = val + first[i];
    for (int k = 0; k < length[i]; k++)
      s -= *v++ * x[col[first[i] + k]];
    x[i] = x[i] + omega * (s - x[i]);
  }
}

// ILU(0) row by row; every row has its diagonal.
TEST_FUNCTION factorization(int n, const int *row, const int *col, const int *diagonal, double *val) {
  for (int i = 1; i < n; i++)
    for (int k = row[i]; k < diagonal[i]; k++) {
      double f = val[k] / val[diagonal[col[k]]];
      val[k] = f;
      for (int j = k + 1; j < row[i + 1]; j++)
        for (int m = diagonal[col[k]] + 1; m < row[col[k] + 1]; m++)
          if (col[m] == col[j])
            val[j] -= f * val[m];
    }
}

TEST_FUNCTION scatter(int n, const int *to, const int *from, double *a) {
  for (int i = 0; i < n; i++)
    a[to[i]] = a[from[i]] * 0.5 + i;
}

// Elements of different sizes in one piece of memory, some of them at odd places.
TEST_FUNCTION bytes(int n, const int *to, const int *from, char *memory) {
  for (int i = 0; i < n; i++) {
    uint64_t wide;
    memcpy(&wide, memory + from[i], 8);
    uint32_t narrow = (uint32_t)(wide ^ wide >> 29) + (uint32_t)i;
    memcpy(memory + to[i], &narrow, 4);
  }
}

// The index array lies in the memory that is written, behind what has been read of it: from then on
// it holds other numbers.
TEST_FUNCTION overwritten(int n, int *index, int *x) {
  for (int i = 0; i < n; i++)
    x[i] = x[index[i]] + 1;
}

static int row[N + 2], col[MOST], diagonal[N], to[MOST], from[MOST];
static long first[N + 1];
static short length[N];
static short narrow_col[MOST];
static double val[MOST], factors[MOST], x[2 * N + 9], b[2 * N + 9];
static float narrow_val[MOST], narrow_x[N], narrow_b[N];
static double room[MOST];
static unsigned state = 1;

static int below(int n) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 8) % (unsigned)n);
}

enum shape { RANDOM, BANDED, GRID, POWER_LAW, EMPTY, ONE_DENSE_ROW, DUPLICATES, UNSORTED, CHAIN, SHAPES };

// Writes the columns of a row and returns their number.
static int columns(enum shape shape, int n, int i, int *to_columns) {
  int k = 0;
  switch (shape) {
  case BANDED:
    for (int j = i - 3; j <= i + 3; j++)
      if (j >= 0 && j < n)
        to_columns[k++] = j;
    return k;
  case GRID:
    for (int d = -10; d <= 10; d += d == -10 || d == 1 ? 9 : 1)
      if (i + d >= 0 && i + d < n)
        to_columns[k++] = i + d;
    return k;
  case POWER_LAW:
    for (int j = below(n); j > 0 && k < 20; j /= 2)
      to_columns[k++] = j;
    return k;
  case EMPTY:
    return 0;
  case ONE_DENSE_ROW:
    for (int j = 0; j < n; j++)
      if (i == n / 2 || j == i)
        to_columns[k++] = j;
    return k;
  case DUPLICATES:
    for (; k < 6; k++)
      to_columns[k] = (i + k / 3 * 7) % n;
    return k;
  case UNSORTED:
    for (; k < 5; k++)
      to_columns[k] = (n + i - k * 11 % n + (k % 2) * 17) % n;
    return k;
  case CHAIN:
    to_columns[0] = i > 0 ? i - 1 : 0;
    return 1;
  default:
    for (int count = below(7); k < count; k++)
      to_columns[k] = below(n);
    return k;
  }
}

static void fill(enum shape shape, int n) {
  row[0] = 0;
  for (int i = 0; i < n; i++) {
    int count = columns(shape, n, i, col + row[i]);
    row[i + 1] = row[i] + count;
    first[i] = row[i];
    length[i] = (short)count;
  }
  for (int k = 0; k < row[n]; k++)
    narrow_col[k] = (short)col[k];
}

// The same columns in order, each once, and the diagonal.
static void fill_for_factors(enum shape shape, int n) {
  static int some[N + 8];
  static char has[N];
  row[0] = 0;
  for (int i = 0; i < n; i++) {
    int count = columns(shape, n, i, some), at = row[i];
    memset(has, 0, sizeof has);
    for (int k = 0; k < count; k++)
      has[some[k]] = 1;
    has[i] = 1;
    for (int j = 0; j < n; j++)
      if (has[j]) {
        if (j == i)
          diagonal[i] = at;
        col[at++] = j;
      }
    row[i + 1] = at;
  }
}

static void show(const char *label, const double *array, int n) {
  unsigned long sum = 14695981039346656037u;
  for (int i = 0; i < n; i++) {
    double value = isnan(array[i]) ? 0.5 : array[i];
    unsigned long word;
    memcpy(&word, &value, 8);
    sum = (sum ^ word) * 1099511628211u;
  }
  printf("%s %016lx\n", label, sum);
}

static void start(void) {
  for (int i = 0; i < 2 * N + 9; i++)
    x[i] = 0.25 * i - 7, b[i] = 1 + i % 13;
  for (int i = 0; i < N; i++)
    narrow_x[i] = 0.5f * i, narrow_b[i] = 1 + i % 7;
  for (int k = 0; k < MOST; k++)
    val[k] = 0.01 * (k % 31) - 0.1, narrow_val[k] = 0.02f * (k % 17);
}

static void solve(int n) {
  start();
  for (int again = 0; again < 3; again++) {
    lower_solve(n, row, col, val, b, x);
    show("lower", x, N);
    upper_solve(n, row, col, val, x, x);
    show("upper in place", x, N);
    gauss_seidel(n, 3, row, col, val, b, x);
    show("sweeps", x, N);
    symmetric(n, 3, row, col, val, b, x);
    show("symmetric", x, N);
    blocks(n / 4, 4, row, col, val, x);
    show("blocks", x, N);
    changing(n, 6, row, col, val, x);
    show("changing", x, N);
    // The right side overlaps the vector: with what is computed, and with what is not yet.
    gauss_seidel(n, 2, row, col, val, x + 5, x);
    show("right side ahead", x, 2 * N);
    gauss_seidel(n, 2, row, col, val, x, x + 5);
    show("right side behind", x, 2 * N);
    relaxation(n, 1.25f, first, length, narrow_col, narrow_val, narrow_b, narrow_x);
    for (int i = 0; i < N; i++)
      x[i] = narrow_x[i];
    show("relaxation", x, N);
    if (row[n] > 0) {
      // Another pattern with the same sizes.
      int place = below(row[n]);
      col[place] = below(n);
      narrow_col[place] = (short)col[place];
    }
  }
}

static void scatters(int n) {
  for (int i = 0; i < n; i++)
    to[i] = below(n), from[i] = below(n);
  for (int i = 0; i < N; i++)
    room[i] = i;
  for (int again = 0; again < 3; again++) {
    scatter(n, to, from, room);
    show("scatter", room, N);
  }
  for (int i = 0; i < n; i++)
    to[i] = below(8 * N - 8), from[i] = below(8 * N - 8);
  for (int i = 0; i < N; i++)
    room[i] = i;
  bytes(n, to, from, (char *)room);
  SHOW("bytes", (uint8_t *)room, 8 * N);
  for (int i = 0; i < N; i++)
    to[i] = (i * 7) % (N / 2);
  overwritten(n / 2, to + 20, to);
  for (int i = 0; i < N; i++)
    x[i] = to[i];
  show("overwritten", x, N);
}

int main(void) {
  const int sizes[] = {0, 1, 2, 37, N};
  for (int shape = 0; shape < SHAPES; shape++)
    for (size_t s = 0; s < COUNT(sizes); s++) {
      int n = (int)hidden(sizes[s]);
      fill((enum shape)shape, n);
      solve(n);
      fill_for_factors((enum shape)shape, n);
      for (int again = 0; again < 2; again++) {
        for (int k = 0; k < row[n]; k++)
          factors[k] = 1 + k % 5;
        factorization(n, row, col, diagonal, factors);
        show("factors", factors, row[n]);
      }
      if (n > 0)
        scatters(n);
    }
  // Numbers that are none, and ones that are very large.
  fill(GRID, N);
  start();
  b[17] = NAN, b[60] = INFINITY, b[80] = -0.0, b[81] = 1e-310;
  lower_solve((int)hidden(N), row, col, val, b, x);
  show("special", x, N);
  return 0;
}
