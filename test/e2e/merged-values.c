// Bounds, conditions and addresses that are merged where several ways meet.
// poly: optimizes two_products
// poly: optimizes chosen_bound
// poly: optimizes chosen_condition
// poly: optimizes chosen_start
// poly: optimizes projected
#include "check.h"

// Both products are taken apart by whether there are columns.
TEST_FUNCTION two_products(int n, int m, int l, double a[restrict n][m], double b[restrict m][l], double c[restrict n][l],
                           double d[restrict n][l]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < l; j++) {
      c[i][j] = 0.0;
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < l; j++) {
      d[i][j] = 2.0;
      for (int k = 0; k < m; k++)
        d[i][j] += c[i][j] * b[k][j];
    }
}

// The bound of the second nest depends on which of two loops has run.
TEST_FUNCTION chosen_bound(int n, int m, int which, double a[restrict 60][60], double b[restrict 60][60]) {
  int end;
  if (which > 3) {
    for (int i = 0; i < n; i++)
      a[i][0] += 1;
    end = n;
  } else {
    for (int i = 0; i < m; i++)
      a[0][i] += 2;
    end = m - which;
  }
  for (int i = 0; i < end; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += b[j][i];
}

TEST_FUNCTION chosen_condition(int n, int m, int which, double a[restrict 60][60], double b[restrict 60][60]) {
  _Bool go_on;
  if (which > 3) {
    for (int i = 0; i < n; i++)
      a[i][0] += 1;
    go_on = m > 7;
  } else {
    for (int i = 0; i < m; i++)
      a[0][i] += 2;
    go_on = m < n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (go_on)
        a[i][j] += b[j][i];
      else
        a[i][j] -= b[i][j];
}

// The place where the second nest begins depends on which of two loops has run.
TEST_FUNCTION chosen_start(int n, int m, int which, double *restrict a, double *restrict b) {
  double *start;
  if (which > 3) {
    for (int i = 0; i < n; i++)
      a[i] += 1;
    start = a + n;
  } else {
    for (int i = 0; i < m; i++)
      a[2 * i] += 2;
    start = a + 3 * which;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      start[i] += b[i * 60 + j];
}

// As in the method of Gram and Schmidt: the address of r[k] is computed on two ways.
TEST_FUNCTION projected(int n, int m, double a[restrict m][n], double r[restrict n][n]) {
  for (int k = 0; k < n; k++) {
    double norm = 1;
    for (int i = 0; i < m; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = norm;
    for (int i = 0; i < m; i++)
      a[i][k] /= r[k][k];
    for (int j = k + 1; j < n; j++) {
      r[k][j] = 0;
      for (int i = 0; i < m; i++)
        r[k][j] += a[i][k] * a[i][j];
    }
  }
}

static double a[60][60], b[60][60], c[60][60], d[60][60];

static void reset(void) {
  FILL(&a[0][0], 3600, 1);
  FILL(&b[0][0], 3600, 2);
  FILL(&c[0][0], 3600, 3);
  FILL(&d[0][0], 3600, 4);
}

int main(void) {
  static const int sizes[][3] = {{0, 0, 0}, {0, 5, 3}, {5, 0, 3}, {5, 3, 0}, {1, 1, 1}, {7, 9, 11}, {40, 50, 60}, {60, 3, 60}, {-1, 4, 4}};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    int n = (int)hidden(sizes[k][0]), m = (int)hidden(sizes[k][1]), l = (int)hidden(sizes[k][2]);
    if (n >= 0) {
      reset();
      two_products(n, m, l, (void *)a, (void *)b, (void *)c, (void *)d);
      SHOW("two_products", &d[0][0], 3600);
      reset();
      projected(n, m, (void *)a, (void *)b);
      SHOW("projected", &b[0][0], 3600);
    }
    reset();
    for (int which = 0; which < 6; which += 2) {
      chosen_bound(n, m, (int)hidden(which), a, b);
      chosen_condition(n, m, (int)hidden(which), a, b);
      chosen_start(n, m, (int)hidden(which), &a[0][0], &b[0][0]);
    }
    chosen_start(n, m / 2, 5, &c[0][0], &d[0][0]);
    SHOW("chosen", &a[0][0], 3600);
    SHOW("chosen", &c[0][0], 3600);
  }
  return 0;
}
