// Inner loops whose ends only the data tell, in rows that are independent of each other: every shape of a row, numbers that are none, and indices that come back.
// poly: optimizes product
// poly: optimizes escapes
// poly: optimizes roots
// poly: optimizes steps
#include <math.h>

#include "check.h"

#define N 64
#define MOST (N * N)

TEST_FUNCTION product(int n, const int *row, const int *col, const double *val, const double *x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// The result may be the vector, or overlap the values.
TEST_FUNCTION in_place(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}

// Two sums of different widths and a count, each from its own elements.
TEST_FUNCTION several_sums(int n, const int *row, const short *col, const float *val, const double *x, float *restrict a,
                           double *restrict b, long *restrict count) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    double t = -0.0;
    long c = 0;
    for (int k = row[i]; k < row[i + 1]; k++) {
      s -= val[k];
      t += val[k] * x[col[k]];
      c += col[k] > i ? 3 : -1;
    }
    a[i] = s;
    b[i] = t;
    count[i] = c;
  }
}

// Rows of one length, of which each says how much it uses (ELL).
TEST_FUNCTION padded_rows(int n, int width, const int *length, const int *col, const double *val, const double *x,
                          double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = y[i];
    for (int k = 0; k < length[i] && k < width; k++)
      s += val[i * width + k] * x[col[i * width + k]];
    y[i] = s;
  }
}

// How long a point of the plane stays near.
TEST_FUNCTION escapes(int n, int m, int most, const double *restrict re, const double *restrict im, int *restrict out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = 0, y = 0;
      int k = 0;
      while (k < most && x * x + y * y < 4.0) {
        double next = x * x - y * y + re[j];
        y = 2 * x * y + im[i];
        x = next;
        k++;
      }
      out[i * m + j] = k;
    }
}

// Square roots by Newton's method; what is not a number ends at once.
TEST_FUNCTION roots(int n, const double *a, double *restrict r) {
  for (int i = 0; i < n; i++) {
    double x = a[i], d;
    do {
      double y = 0.5 * (x + a[i] / x);
      d = x - y;
      x = y;
    } while (d > 1e-12 || d < -1e-12);
    r[i] = x;
  }
}

TEST_FUNCTION steps(int n, const unsigned *a, int *restrict r) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i];
    int c = 0;
    while (x > 1) {
      x = x & 1 ? 3 * x + 1 : x >> 1;
      c++;
    }
    r[i] = c;
  }
}

static int row[N + 1], col[MOST], length[N], out[MOST];
static short narrow_col[MOST];
static double val[MOST], x[MOST], y[N], b[N];
static float narrow_val[MOST], a[N];
static long count[N];
static unsigned start[N];

enum shape { RANDOM, BANDED, EMPTY, ONE_DENSE, DUPLICATES, UNSORTED, SHAPES };

static unsigned random_state = 1;

static int random_below(int n) {
  random_state = random_state * 1103515245u + 12345u;
  return (int)((random_state >> 8) % (unsigned)n);
}

static int length_of(enum shape shape, int i) {
  switch (shape) {
  case BANDED:
    return i == 0 || i == N - 1 ? 2 : 3;
  case EMPTY:
    return i % 3 == 0 ? 5 : 0;
  case ONE_DENSE:
    return i == N / 2 ? N : i % 2;
  default:
    return random_below(14);
  }
}

static int column_of(enum shape shape, int i, int k) {
  switch (shape) {
  case BANDED:
    return i == 0 ? k : i - 1 + k;
  case ONE_DENSE:
    return k;
  case DUPLICATES:
    return (i + k / 3) % N;
  case UNSORTED:
    return (N + i - 7 * k % N) % N;
  default:
    return random_below(N);
  }
}

static void fill(enum shape shape) {
  row[0] = 0;
  for (int i = 0; i < N; i++) {
    length[i] = length_of(shape, i);
    row[i + 1] = row[i] + length[i];
    for (int k = 0; k < length[i]; k++)
      col[row[i] + k] = column_of(shape, i, k);
  }
  for (int k = 0; k < MOST; k++)
    narrow_col[k] = (short)col[k];
}

// A NaN's sign and payload may differ between correct compilations: show only that it is one.
static void show(const char *label, const double *array, int n) {
  printf("%s:", label);
  for (int i = 0; i < n; i++)
    if (isnan(array[i]))
      printf(" nan");
    else
      printf(" %a", array[i]);
  printf("\n");
}

static void run(int n) {
  int size = (int)hidden(n);
  product(size, row, col, val, x, y);
  show("product", y, N);
  several_sums(size, row, narrow_col, narrow_val, x, a, b, count);
  SHOW("several_sums", a, N);
  show("several_sums", b, N);
  SHOW("several_sums", count, N);
  padded_rows(size, 16, length, col, val, x, y);
  show("padded_rows", y, N);
}

int main(void) {
  FILL(val, MOST, 2);
  FILL(narrow_val, MOST, 3);
  const int sizes[] = {0, 1, 7, 8, 9, 17, N};
  for (int shape = 0; shape < SHAPES; shape++) {
    fill((enum shape)shape);
    for (size_t s = 0; s < COUNT(sizes); s++) {
      FILL(x, MOST, 5);
      FILL(y, N, 6);
      run(sizes[s]);
      // The result is the vector: each row sees what the rows before it have left.
      in_place((int)hidden(sizes[s]), row, col, val, x, x);
      show("in place", x, N);
      // Values are overwritten before later rows read them.
      FILL(x, MOST, 5);
      in_place((int)hidden(sizes[s]), row, col, x + 3, x, x + 5);
      show("over values", x, N + 5);
    }
    FILL(x, MOST, 5);
    x[3] = NAN;
    x[4] = INFINITY;
    x[5] = -INFINITY;
    x[6] = -0.0;
    x[7] = 1e-310;
    run(N);
  }
  for (int i = 0; i < N; i++) {
    x[i] = -2 + 0.05 * i;
    y[i] = -1 + 0.03 * i;
    start[i] = (unsigned)(i * 37 % 101);
  }
  x[2] = NAN;
  y[5] = INFINITY;
  for (size_t s = 0; s < COUNT(sizes); s++) {
    int n = (int)hidden(sizes[s]);
    escapes(n, (int)hidden(N - 3), (int)hidden(90), x, y, out);
    SHOW("escapes", out, MOST);
    for (int i = 0; i < N; i++)
      b[i] = i + 0.25;
    b[4] = NAN;
    b[9] = INFINITY;
    roots(n, b, y + 0);
    show("roots", y, N);
    for (int i = 0; i < N; i++)
      y[i] = -1 + 0.03 * i;
    steps(n, start, length);
    SHOW("steps", length, N);
  }
  return 0;
}
