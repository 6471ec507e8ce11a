// Values that loops leave behind: the last element computed, the counter, an accumulator, a value of one of two exits.
// poly: optimizes last_row
#include "check.h"

TEST_VALUE(double) last_row(int n, int m, double a[20][30]) {
  double last = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] = a[i][j] * 2 + i - j;
      last = a[i][j];
    }
  return last;
}

TEST_VALUE(int) counters(int n, int m, double a[20][30]) {
  int i, j = -7;
  for (i = 0; i < n; i++)
    for (j = i; j < m; j++)
      a[i][j] += j;
  return 100 * i + j;
}

TEST_VALUE(double) result_then_used(int n, double a[20][30], double *sums) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < 30; j++)
      sum += a[i][j];
    sums[i] = sum;
  }
  return sums[0] + a[0][0] + (n > 0 ? sums[n - 1] : 0);
}

TEST_VALUE(double) either(int n, int take, double a[20][30]) {
  double value;
  if (take) {
    value = 0;
    for (int i = 0; i < n; i++)
      value = value * 0.5 + a[i][i];
  } else {
    value = 1;
    for (int i = 0; i < n; i++)
      value = value * 0.25 - a[i][0];
  }
  return value;
}

TEST_VALUE(int) found(int n, const int *a, int what) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (a[i] == what)
      at = i;
  return at;
}

static double a[20][30], sums[20];
static int keys[50];

int main(void) {
  FILL(&a[0][0], 600, 3);
  FILL(keys, 50, 2);
  FILL(sums, 20, 1);
  for (int n = -1; n <= 20; n += 3)
    for (int m = -1; m <= 30; m += 7) {
      double last = last_row((int)hidden(n), (int)hidden(m), a);
      SHOW("last_row", &last, 1);
      printf("counters %d\n", counters((int)hidden(n), (int)hidden(m), a));
      double used = result_then_used((int)hidden(n), a, sums);
      SHOW("result_then_used", &used, 1);
      double value = either((int)hidden(n), (int)hidden(m & 1), a);
      SHOW("either", &value, 1);
      printf("found %d\n", found((int)hidden(n), keys, (int)hidden(m)));
      for (int i = 0; i < 600; i++)
        (&a[0][0])[i] *= 0.125;
    }
  SHOW("a", &a[0][0], 600);
  SHOW("sums", sums, 20);
  return 0;
}
