// Pointers that may overlap where nothing says which elements are accessed: no check can tell the arrays apart, so the order of accesses has to be kept whatever
// the pointers are. Everything lies in one block of memory, apart and in each other, also by parts of elements. What is read as a subscript may be anything, so it is
// made small; the factor, which is one, hides that from the compiler.
// poly: optimizes product
// poly: optimizes histogram
// poly: optimizes scatter
// poly: optimizes gather
// poly: optimizes beside_product
// poly: optimizes beside_columns
// poly: optimizes twice
// poly: optimizes sums
// poly: optimizes temporaries
// poly: optimizes chained
// poly: optimizes parts
// poly: optimizes crossed
#include "check.h"

#define SIZE 8192

static char block[SIZE] __attribute__((aligned(64)));

// They may begin anywhere.
typedef int number __attribute__((aligned(1)));
typedef unsigned word __attribute__((aligned(1)));

// The product with a sparse matrix.
TEST_FUNCTION product(int n, int step, const number *row, const number *col, const number *v, const number *x, number *y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += v[k] * x[(col[k] & 15) * step];
}

TEST_FUNCTION histogram(int n, int step, number *h, const number *b) {
  for (int i = 0; i < n; i++)
    h[(b[i] & 31) * step]++;
}

TEST_FUNCTION scatter(int n, int step, number *y, const number *x, const number *index) {
  for (int i = 0; i < n; i++)
    y[(index[i] & 31) * step] = x[i] + i;
}

TEST_FUNCTION gather(int n, int step, number *y, const number *x, const number *index) {
  for (int i = 0; i < n; i++)
    y[i] = x[(index[i] & 31) * step] + 1;
}

// The rest of the nest has arrays of its own.
TEST_FUNCTION beside_product(int n, int step, double (*restrict C)[20], double (*restrict A)[20], double (*restrict B)[20], number *h, const number *b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    h[(b[i] & 31) * step] += 3;
  }
}

TEST_FUNCTION beside_columns(int n, int step, double (*restrict C)[20], double (*restrict A)[20], number *h, const number *b, number *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[j][i] += A[j][i] * 2;
      h[(b[j] & 31) * step] ^= c[i] + i;
      c[j] += 1;
    }
}

// What is overwritten may have been read in between, or changed.
TEST_FUNCTION twice(int n, int step, number *a, number *b, const number *index) {
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = b[(index[i] & 31) * step] + 5;
    a[i] = a[i] + 7;
  }
}

// A sum that stays in a register may not move to memory that is read or written meanwhile.
TEST_FUNCTION sums(int n, int step, number *y, const number *x, const number *index, number *z) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++) {
      sum += x[(index[j] & 31) * step];
      z[(index[i] & 31) * step] = sum;
    }
    y[i] = sum;
  }
}

// A value that is stored and one that is carried to the next iteration.
TEST_FUNCTION temporaries(int n, int step, number *y, const number *x, const number *index, number *t) {
  int last = x[0];
  for (int i = 1; i < n; i++) {
    int next = x[i];
    t[0] = next - last;
    y[(index[i] & 31) * step] = t[0] + last;
    t[0] += 1;
    last = next;
  }
}

// Several statements in several loops, with one array of unknown extent.
TEST_FUNCTION chained(int n, int step, number *a, number *b, number *c, const number *index) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[j] = b[j] + i;
    for (int j = 0; j < n; j++)
      c[(index[j] & 31) * step] += a[j];
    for (int j = 0; j < n; j++)
      b[j] = a[j] ^ j;
  }
}

// Elements of two sizes.
TEST_FUNCTION parts(int n, int step, unsigned char *bytes, const word *words, const unsigned char *index, word *sums) {
  for (int i = 0; i < n; i++) {
    bytes[index[i] * step] += words[i];
    sums[i] += bytes[i] + words[n - 1 - i];
  }
}

// What a store writes that comes last was loaded first.
TEST_FUNCTION crossed(int n, int step, number *a, const number *b, number *c, const number *index) {
  for (int i = 0; i < n; i++) {
    int first = b[i];
    a[(index[i] & 31) * step] = i;
    c[i] = first;
  }
}

static void start(void) {
  for (int i = 0; i < SIZE; i++)
    block[i] = i % 4 == 0 ? (char)((i * 7 + i / 64) % 23) : 0;
}

// Rows of a matrix in front of everything: they must remain what they are where nothing overlaps them.
static void table(int n) {
  int *row = (int *)(block + 6144);
  for (int i = 0; i <= n; i++)
    row[i] = i + i / 3;
}

static unsigned long sum_of_block(void) {
  unsigned long sum = 1469598103934665603UL;
  for (int i = 0; i < SIZE; i++)
    sum = (sum ^ (unsigned char)block[i]) * 1099511628211UL;
  return sum;
}

static double C[20][20], A[20][20], B[20][20];

// Distances in bytes of the arrays from the middle of the block.
static const int places[][4] = {
    {0, 512, 1024, 1536}, {0, 0, 0, 0},      {0, 4, 8, 12},      {12, 8, 4, 0},     {0, 32, 64, 96},  {0, 2, 512, 1024},  {2, 0, 512, 1024},
    {0, 512, 2, 1024},    {0, 512, 1024, 2}, {0, 512, 513, 511}, {0, 1, 2, 3},      {64, 0, 60, 124}, {0, 512, 0, 512},   {0, 512, 512, 0},
    {512, 0, 0, 510},     {4, 0, 1024, 8},   {0, 4, 1024, 1028}, {0, 124, 128, 60}, {0, 63, 65, 127}, {1024, 512, 1, 1},
};

#define IN(type, k) ((type *)(block + 1024 + p[k]))
#define CASE(call)                                                                                                                                                \
  do {                                                                                                                                                             \
    start();                                                                                                                                                       \
    table(n);                                                                                                                                                      \
    call;                                                                                                                                                          \
    printf(" %lx", sum_of_block());                                                                                                                                \
  } while (0)

int main(void) {
  static const int sizes[] = {0, 1, 2, 5, 17};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (size_t k = 0; k < COUNT(places); k++) {
      int n = (int)hidden(sizes[s]);
      int step = (int)hidden(1);
      int p[4];
      for (int j = 0; j < 4; j++)
        p[j] = (int)hidden(places[k][j]);
      for (int i = 0; i < 400; i++)
        (&A[0][0])[i] = i % 7, (&B[0][0])[i] = i % 5, (&C[0][0])[i] = i % 3;
      printf("%d %zu:", n, k);
      CASE(product(n, step, (number *)(block + 6144), IN(number, 1), IN(number, 2), IN(number, 3), IN(number, 0)));
      CASE(product(n, step, (number *)(block + 6144), IN(number, 0), IN(number, 1), IN(number, 3), IN(number, 2)));
      CASE(histogram(n, step, IN(number, 0), IN(number, 1)));
      CASE(scatter(n, step, IN(number, 0), IN(number, 1), IN(number, 2)));
      CASE(gather(n, step, IN(number, 0), IN(number, 1), IN(number, 2)));
      CASE(beside_product(n, step, C, A, B, IN(number, 0), IN(number, 1)));
      CASE(beside_columns(n, step, C, A, IN(number, 0), IN(number, 1), IN(number, 2)));
      CASE(twice(n, step, IN(number, 0), IN(number, 1), IN(number, 2)));
      CASE(sums(n, step, IN(number, 0), IN(number, 1), IN(number, 2), IN(number, 3)));
      CASE(temporaries(n, step, IN(number, 0), IN(number, 1), IN(number, 2), IN(number, 3)));
      CASE(chained(n, step, IN(number, 0), IN(number, 1), IN(number, 2), IN(number, 3)));
      CASE(parts(n, step, IN(unsigned char, 0), IN(word, 1), IN(unsigned char, 2), IN(word, 3)));
      CASE(crossed(n, step, IN(number, 0), IN(number, 1), IN(number, 2), IN(number, 3)));
      double sum = 0;
      for (int i = 0; i < 400; i++)
        sum += (&C[0][0])[i] * (i + 1);
      printf(" %g\n", sum);
    }
  return 0;
}
