// Sums of the elements of a class: updates under conditions, in which loop counters are values, with
// fewer operations.
// poly: optimizes others_of_class sampler counts weighted slopes either least_of_class products narrow_classes beyond scaled
#include "pages.h"

#define N 60
#define K 7

// Of each class the sum of all elements but one.
TEST_FUNCTION others_of_class(int n, int k, const int *restrict class, const int *restrict x, int sums[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      int sum = 0;
      for (int j = 0; j < n; j++)
        if (j != i && class[j] == c)
          sum += x[j];
      sums[i][c] = sum;
    }
}

// A sweep of a sampler: the class of an element becomes the one of the largest sum of all others.
TEST_FUNCTION sampler(int n, int k, int *restrict class, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int best = 0, most = INT32_MIN;
    for (int c = 0; c < k; c++) {
      int sum = 0;
      for (int j = 0; j < n; j++)
        if (j != i)
          if (class[j] == c)
            sum += x[j];
      sum = (sum ^ x[i]) + c;
      if (sum > most) {
        most = sum;
        best = c;
      }
    }
    class[i] = best;
  }
}

// How many elements before are of the class.
TEST_FUNCTION counts(int n, int k, const unsigned char *restrict class, long y[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++)
      for (int j = 0; j <= i; j++)
        y[i][c] += class[j] == c;
}

// A counter as a factor: a weight of what is summed up, which stays with it.
TEST_FUNCTION weighted(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      sum += x[j] * (3 * j - 5);
    y[i] = sum;
  }
}

// One that leaves the sum.
TEST_FUNCTION scaled(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i] += x[j] * (7 - 2 * i);
}

// Counters under a maximum are parts of the sum, and are looked at before.
TEST_FUNCTION slopes(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int most = y[i];
    for (int j = 0; j <= i; j++) {
      int value = x[j] + 7 * i - 3 * j;
      most = value > most ? value : most;
    }
    y[i] = most;
  }
}

// Both ways combine, with other values.
TEST_FUNCTION either(int n, int k, const int *restrict class, const int *restrict x, const int *restrict z, unsigned y[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      unsigned sum = 0;
      for (int j = 0; j <= i; j++)
        if (class[j] < c)
          sum ^= x[j];
        else
          sum ^= z[j] * c;
      y[i][c] = sum;
    }
}

// Nothing is the greatest number of the type.
TEST_FUNCTION least_of_class(int n, int k, const short *restrict class, const short *restrict x, short y[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      short least = y[i][c];
      for (int j = 0; j <= i; j++)
        if (class[j] == c)
          least = x[j] < least ? x[j] : least;
      y[i][c] = least;
    }
}

TEST_FUNCTION products(int n, int k, const int *restrict class, const unsigned *restrict x, unsigned y[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      unsigned product = y[i][c];
      for (int j = 0; j <= i; j++)
        if (class[j] == 2 * c + 1)
          product *= x[j];
      y[i][c] = product;
    }
}

// A number of few bits, which wraps around.
TEST_FUNCTION narrow_classes(int n, int k, const unsigned char *restrict class, const int *restrict x, int y[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      int sum = y[i][c];
      for (int j = 0; j <= i; j++)
        if (class[j] == (unsigned char)(100 * c + 250))
          sum += x[j];
      y[i][c] = sum;
    }
}

// What is behind the end is of no class, and nobody may read it.
TEST_FUNCTION beyond(int n, int k, const int *restrict class, const int *restrict x, int sums[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      int sum = sums[i][c];
      for (int j = 0; j <= i; j++)
        if (class[j] == c)
          sum -= x[j];
      sums[i][c] = sum;
    }
}

// An element is stored only where one is of its class: it may not be written otherwise.
TEST_FUNCTION stored(int n, int k, const int *restrict class, const int *restrict x, int *const restrict *restrict y) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++)
      for (int j = 0; j <= i; j++)
        if (class[j] == c)
          y[i][c] += x[j];
}

// The condition is the sum's own value: the order is that of the source.
TEST_FUNCTION own(int n, int *restrict y, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j <= i; j++)
      if (sum < x[j])
        sum += x[j];
    y[i] = sum;
  }
}

// One way adds, the other one takes away: no operation of one kind.
TEST_FUNCTION signs(int n, int k, const int *restrict class, const int *restrict x, int y[restrict N][K]) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      int sum = 0;
      for (int j = 0; j <= i; j++)
        if (class[j] == c)
          sum += x[j];
        else
          sum -= x[j];
      y[i][c] = sum;
    }
}

static int class[N], x[N], z[N], y[N], sums[N][K];
static unsigned bits[N][K];
static unsigned char letters[N];
static long longs[N][K];
static short names[N], numbers[N], least[N][K];

static void start(int seed) {
  FILL(x, N, 1 + seed);
  FILL(z, N, 2 + seed);
  FILL(y, N, 3 + seed);
  for (int i = 0; i < N; i++) {
    class[i] = (i * 5 + seed * 3 + i * i) % (K + 2) - 1;
    letters[i] = (unsigned char)(250 + 100 * (class[i] + i % 2));
    names[i] = (short)class[i];
    numbers[i] = (short)(x[i] * 777);
    for (int c = 0; c < K; c++) {
      sums[i][c] = i - c;
      bits[i][c] = (unsigned)(2 * i + c) | 1u;
      longs[i][c] = i * c;
      least[i][c] = (short)(c % 2 ? 32767 : 1000);
    }
  }
}

static void all(int n, int k) {
  others_of_class(n, k, class, x, sums);
  SHOW("others", &sums[0][0], N * K);
  either(n, k, class, x, z, bits);
  SHOW("either", &bits[0][0], N * K);
  products(n, k, class, (const unsigned *)x, bits);
  SHOW("products", &bits[0][0], N * K);
  narrow_classes(n, k, letters, x, sums);
  SHOW("narrow", &sums[0][0], N * K);
  signs(n, k, class, x, sums);
  SHOW("signs", &sums[0][0], N * K);
  for (int i = 0; i < N; i++)
    letters[i] = (unsigned char)class[i];
  counts(n, k, letters, longs);
  for (int i = 0; i < N; i++)
    for (int c = 0; c < K; c++)
      printf("%ld ", longs[i][c]);
  least_of_class(n, k, names, numbers, least);
  for (int i = 0; i < N; i++)
    for (int c = 0; c < K; c++)
      printf("%d ", least[i][c]);
  sampler(n, k, class, x);
  SHOW("sampler", class, N);
  sampler(n, k, class, x);
  SHOW("sampler again", class, N);
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 17, 48, N};
  for (size_t number = 0; number < COUNT(sizes); number++) {
    int n = (int)hidden(sizes[number]);
    for (int k = 0; k <= K; k += k < 2 ? 1 : 5) {
      start(n + k);
      all(n, (int)hidden(k));
    }
    start(n);
    weighted(n, y, x);
    SHOW("weighted", y, N);
    scaled(n, y, x);
    SHOW("scaled", y, N);
    slopes(n, y, x);
    SHOW("slopes", y, N);
    own(n, y, x);
    SHOW("own", y, N);
  }
  // Sums of numbers at the ends of the type do not become others.
  start(3);
  x[9] = INT32_MAX - 500;
  slopes((int)hidden(N), y, x);
  SHOW("large slopes", y, N);
  // Memory that ends with the elements that have a class.
  for (int have = 1; have < N; have += 13) {
    int *short_one = bounded((size_t)have * sizeof(int), 1);
    start(have);
    for (int i = 0; i < N; i++)
      class[i] = i < have ? class[i] : -5;
    for (int i = 0; i < have; i++)
      short_one[i] = 3 * i - 7;
    beyond((int)hidden(N), (int)hidden(K), class, short_one, sums);
    SHOW("beyond", &sums[0][0], N * K);
    // Of all rows only the last one is there.
    int *rows[N] = {0};
    rows[N - 1] = sums[0];
    for (int i = 0; i < N; i++)
      class[i] = i == N - 1 ? have % K : -1;
    stored((int)hidden(N), (int)hidden(K), class, x, rows);
    SHOW("stored", sums[0], K);
  }
  return 0;
}
