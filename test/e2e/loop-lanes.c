// Inner loops that end when data say so, for many points at once: lanes of vectors that leave at different times, by different ways, and some never enter.
// poly: optimizes computed
// poly: optimizes loaded
// poly: optimizes roots
// poly: optimizes steps
// poly: optimizes two_ways
// poly: optimizes unordered
// poly: optimizes digits
// poly: optimizes in_place
// poly: optimizes one_after_the_other
// poly: optimizes branches
// poly: optimizes bits
// poly: optimizes halved
// poly: optimizes short_rows
// poly: optimizes only_there
// poly: optimizes other_ways
// poly: optimizes of_rows
// poly: optimizes of_rows_or_none
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define N 67

// How long a point of the plane stays near; the plane's points are computed from the counters.
TEST_FUNCTION computed(int n, int m, int most, double from, double step, unsigned char *restrict out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double re = from + j * step, im = from / 2 + i * step, x = 0, y = 0;
      int k = 0;
      while (k < most && x * x + y * y <= 4.0) {
        double next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        k++;
      }
      out[i * m + j] = (unsigned char)k;
    }
}

// What a row has in common is divided in front of it: a scalar that all lanes read. The results are bytes.
TEST_FUNCTION of_rows(int n, int m, int most, float by, unsigned char *restrict out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float x = 3.0f * j / m - 1.5f, y = 3.0f * i / n - 1.5f;
      int k;
      for (k = 0; k < most; k++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
          break;
        y = 2 * x * y + by;
        x = xx - yy - by;
      }
      out[i * m + j] = (unsigned char)k;
    }
}

// The same, read by the lanes only that come to the loop; numbers of eight bytes and results of two.
TEST_FUNCTION of_rows_or_none(int n, int m, const double *restrict from, double *restrict last, short *restrict out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = from[j], limit = 1.0 / (i + 1);
      short k = 0;
      while (x > limit) {
        x *= 0.625;
        k += 3;
      }
      last[i * m + j] = x;
      out[i * m + j] = k;
    }
}

// The same, where they are loaded behind the first condition.
TEST_FUNCTION loaded(int n, int m, int most, const float *restrict re, const float *restrict im, float *restrict out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float x = 0, y = 0;
      int k;
      for (k = 0; k < most; k++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
          break;
        y = 2 * x * y + im[i];
        x = xx - yy + re[j];
      }
      out[i * m + j] = k + x;
    }
}

// A lane that begins with what is no number leaves at once; one with infinity, too.
TEST_FUNCTION roots(int n, const double *restrict a, double *restrict r, int *restrict steps) {
  for (int i = 0; i < n; i++) {
    double x = a[i], d;
    int k = 0;
    do {
      double y = 0.5 * (x + a[i] / x);
      d = x - y;
      x = y;
      k++;
    } while (d > 1e-12 || d < -1e-12);
    r[i] = x;
    steps[i] = k;
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

// Three ways out, each with a result of its own.
TEST_FUNCTION two_ways(int n, int most, const double *restrict a, double *restrict r, int *restrict how) {
  for (int i = 0; i < n; i++) {
    double x = a[i], result = -1;
    int way = 0;
    for (int k = 0; k < most; k++) {
      double next = x * x - 0.75;
      if (next > 100) {
        result = k;
        way = 1;
        break;
      }
      if (next - x < 1e-3 && x - next < 1e-3) {
        result = next * 2;
        way = 2;
        break;
      }
      x = next;
      way -= 1;
    }
    r[i] = result;
    how[i] = way;
  }
}

// What is no number goes on where the others stop.
TEST_FUNCTION unordered(int n, int most, const double *restrict a, int *restrict r) {
  for (int i = 0; i < n; i++) {
    double x = a[i];
    int k = 0;
    while (!(x > 3.5) && k != most) {
      x = x * 1.25 + 0.125;
      k++;
    }
    r[i] = k;
  }
}

// The sum of the digits, and their number.
TEST_FUNCTION digits(int n, const unsigned *restrict a, unsigned *restrict sum, short *restrict count) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], s = 0;
    short c = 0;
    while (x != 0) {
      s += x % 10;
      x /= 10;
      c++;
    }
    sum[i] = s;
    count[i] = c;
  }
}

TEST_FUNCTION in_place(int n, double limit, double *a) {
  for (int i = 0; i < n; i++) {
    double x = a[i];
    while (x > limit)
      x *= 0.75;
    a[i] = x + 1;
  }
}

// The second loop begins with what the first one leaves, if that is large.
TEST_FUNCTION one_after_the_other(int n, const float *restrict a, float *restrict r) {
  for (int i = 0; i < n; i++) {
    float x = a[i], y = 1;
    while (x > 2.0f) {
      x *= 0.5f;
      y += x;
    }
    if (y > 3.0f)
      while (y > x) {
        y -= 0.25f * y;
        x += 0.125f;
      }
    r[i] = x + y;
  }
}

// Branches in the loop that meet again, with values of both.
TEST_FUNCTION branches(int n, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict r) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], y = b[i], swaps = 0;
    while (x != 0 && y != 0 && x != y) {
      if (x > y) {
        x -= y;
      } else {
        unsigned t = y - x;
        if (t & 4)
          swaps += t;
        y = t;
      }
    }
    r[i] = x * 1000 + swaps;
  }
}

// Numbers of 64 bits.
TEST_FUNCTION bits(int n, const uint64_t *restrict a, int64_t *restrict r) {
  for (int i = 0; i < n; i++) {
    uint64_t x = a[i];
    int64_t c = 0;
    while (x) {
      x &= x - 1;
      c += (int64_t)((x & 12) == 4) + 1;
    }
    r[i] = c;
  }
}

// Some run far longer than those beside them: lanes stop to pay, and pay again.
TEST_FUNCTION halved(int n, const double *restrict a, double *restrict r, int *restrict steps) {
  for (int i = 0; i < n; i++) {
    double x = a[i];
    int k = 0;
    while (x > 1.0) {
      x *= 0.96875;
      k++;
    }
    r[i] = x;
    steps[i] = k;
  }
}

// Rows that are shorter than a vector share what has been found.
TEST_FUNCTION short_rows(int n, int m, const double *restrict a, double *restrict r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = a[i * m + j];
      while (x > 1.0)
        x *= 0.96875;
      r[i * m + j] = x;
    }
}

// What is not needed is not loaded: behind the end of `factor` there is nothing, and `shift` may be nowhere.
TEST_FUNCTION only_there(int n, const double *restrict a, const double *restrict factor, const double *restrict shift,
                         double *restrict r) {
  for (int i = 0; i < n; i++) {
    double x = a[i];
    while (x > 1.0) {
      x *= factor[i];
      if (x > 50.0)
        x -= *shift;
    }
    r[i] = x;
  }
}

// Loads from two elements on, from the other end, from the second row of pairs, and before the first condition.
TEST_FUNCTION other_ways(int n, const float *restrict a, const float *restrict even, const float *restrict back,
                         float (*restrict pairs)[2], const float *restrict first, float *restrict r) {
  for (int i = 0; i < n; i++) {
    float x = a[i];
    do {
      x = x * 0.5f + first[i];
      if (x > 3.0f)
        x -= even[2 * i];
      else if (x < -3.0f)
        x += back[n - 1 - i];
      else
        x *= pairs[i][1];
    } while (x > 0.75f || x < -0.75f);
    r[i] = x;
  }
}

static unsigned char near[N * N];
static float re[N], im[N], small[N * N];
static double a[N], positive[N], r[N];
static unsigned start[N], other[N], sums[N];
static int counts[N];
static short lengths[N];
static uint64_t wide[N];
static int64_t results[N];

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

static void fill(void) {
  unsigned state = 1;
  for (int i = 0; i < N; i++) {
    state = state * 1664525u + 1013904223u;
    re[i] = -2 + (float)i / 16;
    im[i] = -1 + (float)i / 32;
    a[i] = (double)(state >> 16) / 4096 - 2;
    start[i] = i % 9 == 4 ? 0 : state >> 14;
    other[i] = i % 7 == 3 ? 0 : state >> 22;
    wide[i] = (uint64_t)state * state;
  }
  a[2] = NAN;
  a[11] = INFINITY;
  a[12] = -INFINITY;
  a[20] = 0;
  a[21] = -0.0;
  a[30] = 1e-310;
  re[3] = NAN;
}

static void run(int n, int most) {
  fill();
  computed(n, (int)hidden(N - 2), most, -2, 0.05, near);
  SHOW("computed", near, N * N);
  loaded(n, (int)hidden(N - 2), most, re, im, small);
  for (int i = 0; i < N * N; i++)
    printf(small[i] != small[i] ? " nan" : " %a", (double)small[i]);
  printf("\n");
  for (int i = 0; i < N; i++)
    positive[i] = a[i] < 0 && i != 12 ? -a[i] : a[i];
  roots(n, positive, r, counts);
  show("roots", r, N);
  SHOW("roots", counts, N);
  steps(n, start, counts);
  SHOW("steps", counts, N);
  two_ways(n, most, a, r, counts);
  show("two_ways", r, N);
  SHOW("two_ways", counts, N);
  unordered(n, most, a, counts);
  SHOW("unordered", counts, N);
  digits(n, start, sums, lengths);
  SHOW("digits", sums, N);
  SHOW("digits", lengths, N);
  for (int i = 0; i < N; i++)
    small[N + i] = re[i] * 4 + 7;
  one_after_the_other(n, small + N, small);
  SHOW("one_after_the_other", small, N);
  for (int i = 0; i < N; i++)
    start[i] %= 1000;
  branches(n, start, other, sums);
  SHOW("branches", sums, N);
  bits(n, wide, results);
  SHOW("bits", results, N);
  a[11] = 5;
  in_place(n, 1.5, a);
  show("in_place", a, N);
}

#define LONG 6007

static double heights[LONG], lows[LONG];
static int halvings[LONG];

// One lane in 64 is long; long ones come, go and come again; all are.
static void run_uneven(int n) {
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < LONG; i++) {
      int comes = kind == 0 || (kind == 1 && i / 1500 % 2 == 0) || (kind == 2 && i < 40);
      heights[i] = kind == 3 || (comes && i % 64 == 13) ? 1e8 + i : i % 5 == 2 ? 0.5 : 1.01 + i % 3;
      lows[i] = 0;
      halvings[i] = 0;
    }
    heights[LONG / 2] = NAN;
    halved(n, heights, lows, halvings);
    show("halved", lows, LONG);
    SHOW("halved", halvings, LONG);
    for (int m = 1; m <= 131; m = m * 5 + 1) {
      short_rows(n / m, m, heights, lows);
      show("short_rows", lows, LONG);
    }
  }
}

// Elements of which so many come before the end of what may be accessed.
static double *before_end(int count) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 2 * page;
  char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || mprotect(area + page, page, PROT_NONE) != 0)
    return NULL;
  return (double *)(area + page) - count;
}

static void run_only_there(int n) {
  for (int there = 0; there <= n; there += 1 + n / 5) {
    double *factor = before_end(there), none = 0.5;
    if (!factor)
      return;
    for (int i = 0; i < n; i++)
      a[i] = i < there && i % 3 != 1 ? 2.0 + i % 40 : 0.25;
    for (int i = 0; i < there; i++)
      factor[i] = 0.5 + i % 7 * 0.0625;
    only_there(n, a, factor, NULL, r);
    show("only_there", r, N);
    if (there > 4)
      a[3] = 75;
    only_there(n, a, factor, &none, r);
    show("only_there", r, N);
  }
}

static void run_other_ways(int n) {
  static float from[N], even[2 * N], back[N], pairs[N][2], first[N];
  for (int i = 0; i < N; i++) {
    from[i] = (float)(i * 37 % 41) - 20;
    even[2 * i] = 0.25f + (float)(i % 5);
    back[i] = 0.5f + (float)(i % 3);
    pairs[i][1] = 0.5f - (float)(i % 4) / 16;
    first[i] = (float)(i % 9) / 64;
  }
  other_ways(n, from, even, back, pairs, first, small);
  SHOW("other_ways", small, N);
}

static void run_of_rows(int n, int most) {
  static unsigned char bytes[N * N];
  static short counts[N * N];
  static double from[N], last[N * N];
  for (int m = n; m <= N; m += 29) {
    memset(bytes, 0, sizeof bytes);
    of_rows(n, m, most, 0.156f, bytes);
    SHOW("of_rows", bytes, N * N);
    for (int j = 0; j < N; j++)
      from[j] = (double)(j * 37 % 41) / 8;
    memset(counts, 0, sizeof counts);
    of_rows_or_none(n, m, from, last, counts);
    SHOW("of_rows_or_none", counts, N * N);
    show("of_rows_or_none", last, n * m);
  }
}

int main(void) {
  const int sizes[] = {0, 1, 7, 8, 9, 16, 17, 33, N};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (int most = 0; most <= 40; most += 20)
      run((int)hidden(sizes[s]), (int)hidden(most));
  for (size_t s = 0; s < COUNT(sizes); s++)
    run_of_rows((int)hidden(sizes[s]), (int)hidden(60));
  for (int n = 0; n <= N; n += n < 20 ? 1 : 9) {
    run_only_there((int)hidden(n));
    run_other_ways((int)hidden(n));
  }
  run_uneven((int)hidden(LONG));
  run_uneven((int)hidden(LONG / 3));
  return 0;
}
