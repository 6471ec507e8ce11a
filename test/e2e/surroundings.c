// What stands around a nest: loops that are not affine, several ways in, several ways on, bounds that are merged just before.
// poly: optimizes list_of_rows
// poly: optimizes merged_bounds
// poly: optimizes base_changes
#include "check.h"

struct node {
  double weight;
  const struct node *next;
};

// The nest is inside a loop over a list: the block behind it is the latch of that loop.
TEST_FUNCTION list_of_rows(const struct node *list, int n, int m, double a[20][30], double b[30][20]) {
  for (; list; list = list->next)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] += list->weight * b[j][i];
}

// The bounds are PHI nodes of the block that the nest begins with.
TEST_FUNCTION merged_bounds(int which, int n, int m, double a[20][30]) {
  int rows, columns;
  if (which == 1) {
    rows = n;
    columns = m;
  } else if (which == 2) {
    rows = 3;
    columns = n + m;
  } else {
    rows = m - n;
    columns = 7;
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a[i][j] = a[i][j] * 0.5 + rows + 100 * columns;
}

// Base pointers differ from one execution of the nest to the next, and what was written by one is read by another.
TEST_FUNCTION base_changes(int steps, int n, double *pool) {
  for (int t = 0; t < steps; t++) {
    double *from = pool + 40 * (t % 3), *to = pool + 40 * ((t + 1) % 3);
    for (int i = 1; i < n - 1; i++)
      to[i] = from[i - 1] + from[i + 1] * 0.25 + t;
  }
}

// The counter of a loop around that is not affine takes part in subscripts.
TEST_FUNCTION doubling(int n, double a[20][30]) {
  for (int width = 1; width < n; width *= 2)
    for (int i = 0; i < 20; i++)
      for (int j = width; j < n; j++)
        a[i][j] += a[i][j - width];
}

// The search ends the outer loop at once; the result of the inner loop decides.
TEST_VALUE(int) first_row_above(double limit, int n, int m, double a[20][30], double sums[20]) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += a[i][j];
    sums[i] = sum;
    if (sum > limit)
      return i;
  }
  return -1;
}

// The same nest is reached by jumps from several places, and left to several.
TEST_VALUE(double) jumps(int way, int n, double a[20][30]) {
  double s = way;
  switch (way) {
  case 0:
    s = 5;
    goto nest;
  case 1:
    a[0][0] = 9;
    break;
  case 2:
    return -1;
  default:
    n -= way;
    break;
  }
  s *= 2;
nest:
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] += s;
      s = s * 0.5 + a[i][j];
    }
  if (way == 3)
    return s + a[1][1];
  for (int i = 0; i < n; i++)
    a[i][i] = s;
  return s;
}

// What one nest leaves behind is the bound of the next.
TEST_VALUE(int) chained(int n, int counts[20], double a[20][30]) {
  int total = 0, last = 0;
  for (int i = 0; i < n; i++) {
    total += counts[i];
    last = counts[i] + i;
  }
  for (int i = 0; i < last; i++)
    for (int j = 0; j < total; j++)
      a[i][j] = 10 * i + j + a[i][j];
  return total * 100 + last;
}

// Nothing comes behind the nest but an endless loop's exit in the middle.
TEST_FUNCTION middle_exit(int n, int m, double a[20][30], volatile int *budget) {
  for (;;) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i][j] = a[i][j] * 0.5 + i;
    if (--*budget <= 0)
      break;
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++)
        a[i][j] += j;
  }
}

static double a[20][30], b[30][20], pool[120], sums[20];
static int counts[20];

static void start(int seed) {
  FILL(&a[0][0], 20 * 30, seed);
  FILL(&b[0][0], 20 * 30, seed + 1);
  FILL(pool, 120, seed + 2);
}

int main(void) {
  struct node third = {0.5, NULL}, second = {-2, &third}, first = {3, &second};
  for (int n = 0; n <= 20; n += 5) {
    start(n);
    list_of_rows(&first, hidden(n), hidden(n + 10 > 30 ? 30 : n + 10), a, b);
    list_of_rows(NULL, hidden(n), 30, a, b);
    SHOW("list", &a[0][0], 20 * 30);
    for (int which = 0; which < 3; which++) {
      merged_bounds(hidden(which), hidden(n < 8 ? n : 8), hidden(20), a);
      SHOW("merged", &a[0][0], 20 * 30);
    }
    base_changes(hidden(n), hidden(40), pool);
    SHOW("pool", pool, 120);
    doubling(hidden(n), a);
    SHOW("doubling", &a[0][0], 20 * 30);
    printf("%d\n", first_row_above(hidden(n), hidden(n), 30, a, sums));
    SHOW("sums", sums, 20);
    for (int way = 0; way < 6; way++)
      printf("%a\n", jumps(hidden(way), hidden(n), a));
    SHOW("jumps", &a[0][0], 20 * 30);
    for (int i = 0; i < 20; i++)
      counts[i] = (i * 7 + n) % 3 == 0;
    printf("%d\n", chained(hidden(n), counts, a));
    volatile int budget = n / 5;
    middle_exit(hidden(n), 30, a, &budget);
    SHOW("middle", &a[0][0], 20 * 30);
  }
  return 0;
}
