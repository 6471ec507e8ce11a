// Extremes and where they are, looked for in lanes: the first or the last of equal ones,
// not-a-numbers and zeros of both signs, several
// at once, from both ends, beside other values that are kept, and where the best one is found by
// its place only.
// poly: optimizes by_place by_place_from_behind by_pointer next_place equal_rows
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

enum { N = 300 };

#define EXTREME(name, type, index, start, compare)                                                                                 \
  TEST_FUNCTION name(index n, const type *a, type *value, long *place) {                                                           \
    type best = start;                                                                                                             \
    index at = 0;                                                                                                                  \
    for (index i = 0; i < n; i++)                                                                                                  \
      if (compare) {                                                                                                               \
        best = a[i];                                                                                                               \
        at = i + 1;                                                                                                                \
      }                                                                                                                            \
    *value = best;                                                                                                                 \
    *place = (long)at;                                                                                                             \
  }

EXTREME(first_least, float, int, a[0], a[i] < best)
EXTREME(last_least, double, long, a[0], a[i] <= best)
EXTREME(first_largest, double, unsigned, 0.0, best < a[i])
EXTREME(last_largest, float, size_t, -100.0f, best <= a[i])
EXTREME(least_of_integers, int32_t, int, 40, a[i] < best)
EXTREME(last_of_unsigned, uint32_t, int, 7u, a[i] >= best)
EXTREME(largest_of_long, int64_t, int, a[0], a[i] > best)
EXTREME(least_of_bytes, uint8_t, int, 255, a[i] < best)
EXTREME(largest_of_shorts, int16_t, int, -32768, a[i] >= best)
// What is no number is taken here: lanes would not find the same.
EXTREME(not_larger, float, int, 1.0f, !(a[i] >= best))

TEST_VALUE(int) by_place(int n, const float *a) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[at])
      at = i;
  return at;
}

TEST_VALUE(size_t) by_place_from_behind(size_t n, const double *a) {
  size_t at = n - 1;
  for (size_t i = n - 1; i-- > 0;)
    if (a[i] <= a[at])
      at = i;
  return at;
}

TEST_VALUE(const int32_t *) by_pointer(const int32_t *first, const int32_t *last) {
  const int32_t *best = first;
  while (++first < last)
    if (*first < *best)
      best = first;
  return best;
}

// The least and the largest one, with their places and the sum of both places of each.
TEST_FUNCTION both_ends(int n, const float *a, float *values, int *places) {
  float least = a[0], largest = a[0];
  int at = 0, other = 0, twice = 0;
  for (int i = 0; i < n; i++) {
    float value = a[i];
    if (value < least) {
      least = value;
      at = i;
    }
    if (value >= largest) {
      largest = value;
      other = i;
      twice = 2 * i + 1;
    }
  }
  values[0] = least;
  values[1] = largest;
  places[0] = at;
  places[1] = other;
  places[2] = twice;
}

// What is kept is loaded, and what is compared is computed from two arrays and the place.
TEST_FUNCTION nearest(int n, const double *x, const double *y, const int32_t *names, double *value, int32_t *name) {
  double best = 1e9;
  int32_t found = -1;
  for (int i = 0; i < n; i++) {
    double dx = x[i] - 3.25, dy = y[i] * 0.5 - i;
    double distance = dx * dx + dy * dy;
    if (distance < best) {
      best = distance;
      found = names[i];
    }
  }
  *value = best;
  *name = found;
}

// The last element is used behind the loop, and so is the counter.
TEST_VALUE(float) last_one(int n, const float *a, int *place) {
  float best = -1e9f, last = 0;
  int at = -1, i = 0;
  do {
    last = a[i];
    if (last > best) {
      best = last;
      at = i;
    }
  } while (++i < n);
  *place = at + 1000 * i;
  return last + best;
}

// Rows of a matrix, each shorter than the one before.
TEST_FUNCTION rows(int n, int m, const float *a, int *places) {
  for (int i = 0; i < n; i++) {
    float best = a[i * m];
    int at = 0;
    for (int j = 1; j < m - i; j++)
      if (a[i * m + j] > best) {
        best = a[i * m + j];
        at = j;
      }
    places[i] = at;
  }
}

// Rows of equal length in several matrices; what was found last is used behind the loops.
TEST_VALUE(float) equal_rows(int k, int n, int m, const float *a, int *places, int *last) {
  float best = 0;
  int at = -1;
  for (int q = 0; q < k; q++)
    for (int i = 0; i < n; i++) {
      best = a[q + i];
      at = -1;
      for (int j = 0; j < m; j++)
        if (a[q + i + j] > best) {
          best = a[q + i + j];
          at = j;
        }
      places[q * n + i] += at;
    }
  *last = at;
  return best;
}

// Only some are looked at, by one condition or two, from both ends; what is loaded behind a
// condition is no memory of
// the program where that does not hold.
TEST_VALUE(int) next_place(int n, const float *distance, const int32_t *done) {
  int at = -1;
  float best = 1e9f;
  for (int i = 0; i < n; i++)
    if (!done[i] && distance[i] < best) {
      best = distance[i];
      at = i;
    }
  return at;
}

TEST_VALUE(int) last_place(int n, const int32_t *done, const double *from, const double *x, double *value) {
  int at = n;
  double best = -3;
  for (int i = n - 1; i >= 0; i--)
    if (done[i] != 1)
      if (from[i] > -1.5 && x[i] - from[i] >= best) {
        best = x[i] - from[i];
        at = i;
      }
  *value = best;
  return at;
}

TEST_VALUE(int) up_to_guard(int n, int known, const int32_t *values) {
  int at = -1;
  int32_t best = INT32_MAX;
  for (int i = 0; i < n; i++)
    if (i < known && values[i] <= best) {
      best = values[i];
      at = i;
    }
  return at;
}

TEST_VALUE(double) three(int n, const double *a, const double *b, int *place) {
  double best = 1e9, beside = 0;
  int at = -1;
  for (int i = 0; i < n; i++)
    if (a[i] < best) {
      best = a[i];
      beside = b[i];
      at = i;
    }
  *place = at;
  return best * 1000 + beside;
}

// Counters of the width that the place has.
TEST_VALUE(uint8_t) wraps(uint8_t n, const float *a) {
  float best = 1e9f;
  uint8_t at = 0;
  for (uint8_t i = 250; i != n; i++)
    if (a[i] < best) {
      best = a[i];
      at = i;
    }
  return at;
}

#define TRY(name, type, format, shown, array)                                                                                      \
  for (size_t k = 0; k < COUNT(sizes); k++) {                                                                                      \
    type value;                                                                                                                    \
    long place;                                                                                                                    \
    name((int)hidden(sizes[k]), array, &value, &place);                                                                            \
    printf(#name " %d: " format " %ld\n", sizes[k], (shown)value, place);                                                          \
  }

int main(void) {
  static const int sizes[] = {1, 2, 5, 8, 9, 17, 31, 32, 33, 47, 64, 65, 100, 129, 255, 300};
  static float f[N];
  static double d[N], e[N];
  static int32_t w[N];
  static int64_t l[N];
  static uint32_t u[N];
  static uint8_t b[N];
  static int16_t h[N];
  for (int round = 0; round < 6; round++) {
    // Few values in the later rounds: many are equal.
    int range = round < 2 ? 1000 : round < 4 ? 5 : 2;
    for (int i = 0; i < N; i++) {
      int value = (start_value(i * (round + 3)) + 50) * 997 % range;
      f[i] = (float)(value - range / 2);
      d[i] = value - range / 2;
      e[i] = value * 0.25;
      w[i] = value - range / 2;
      l[i] = (int64_t)value << 33;
      u[i] = (uint32_t)value * 0x1000003u;
      b[i] = (uint8_t)value;
      h[i] = (int16_t)(value - range / 2);
      if (round % 2 && i % 7 == 3) {
        f[i] = i % 2 ? __builtin_nanf("") : -0.0f;
        d[i] = i % 2 ? -0.0 : __builtin_nan("");
      }
    }
    if (round == 3)
      f[0] = __builtin_nanf("");
    if (round == 5)
      d[0] = __builtin_nan("");
    TRY(first_least, float, "%a", double, f)
    TRY(last_least, double, "%a", double, d)
    TRY(first_largest, double, "%a", double, d)
    TRY(last_largest, float, "%a", double, f)
    TRY(least_of_integers, int32_t, "%d", int, w)
    TRY(last_of_unsigned, uint32_t, "%u", unsigned, u)
    TRY(largest_of_long, int64_t, "%lld", long long, l)
    TRY(least_of_bytes, uint8_t, "%d", int, b)
    TRY(largest_of_shorts, int16_t, "%d", int, h)
    TRY(not_larger, float, "%a", double, f)
    for (size_t k = 0; k < COUNT(sizes); k++) {
      int n = (int)hidden(sizes[k]), places[3], place;
      float values[2];
      double value;
      int32_t name;
      both_ends(n, f, values, places);
      nearest(n, d, e, w, &value, &name);
      float last = last_one(n, f, &place);
      printf("%d: %d %zu %td %a %a %d %d %d %a %d %a %d\n", n, by_place(n, f), by_place_from_behind((size_t)n, d),
             by_pointer(w, w + n) - w, (double)values[0], (double)values[1], places[0], places[1], places[2], value, name,
             (double)last, place);
    }
    // Behind the last value that may be loaded is a page that may not.
    long page = sysconf(_SC_PAGESIZE);
    char *pages = mmap(0, (size_t)(2 * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, (size_t)page, PROT_NONE) != 0)
      return 1;
    for (size_t k = 0; k < COUNT(sizes); k++) {
      int n = (int)hidden(sizes[k]), known = n - n / 3, place;
      int32_t *end = (int32_t *)(pages + page);
      for (int i = 0; i < known; i++)
        end[i - known] = w[i];
      double value;
      double sum = three(n, d, e, &place);
      printf("%d: %d %d %a %d %a %d\n", n, next_place(n, f, w), last_place(n, w, e, d, &value), value,
             up_to_guard(n, known, end - known), sum, place);
    }
    munmap(pages, (size_t)(2 * page));
    int places[10];
    rows(10, 30, f, places);
    show_i32("rows", places, 10);
    for (size_t k = 0; k < COUNT(sizes); k++) {
      static int found[12];
      int m = (int)hidden(sizes[k]) - 1, last;
      float best = equal_rows(3, 4, m > 290 ? 290 : m, f, found, &last);
      printf("equal rows of %d: %a %d\n", m, (double)best, last);
      show_i32("places", found, 12);
    }
    for (int n = 0; n < 250; n += 31)
      printf("wraps %d: %d\n", n, wraps((uint8_t)hidden(n), f));
  }
}
