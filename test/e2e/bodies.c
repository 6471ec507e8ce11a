// All pairs of bodies that are structures: sums over the others, in order, with a body in each lane. Several fields of a structure are written.
// poly: optimizes fields_of_another
// poly: optimizes fields_in_place
// poly: optimizes nearest
// poly: optimizes two_sums
#include <math.h>

#include "check.h"

#define N 75

struct body {
  float p[3], v[3], m;
};

struct point {
  double x, y;
  double fx, fy;
};

// The inner loops are unrolled: that the argument of the root is not negative is known only then.
TEST_FUNCTION fields_of_another(int n, const struct body *b, struct body *restrict a) {
  for (int i = 0; i < n; i++) {
    float f[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
      float d[3], r = 0.01f;
      for (int k = 0; k < 3; k++) {
        d[k] = b[j].p[k] - b[i].p[k];
        r += d[k] * d[k];
      }
      float w = b[j].m / (r * sqrtf(r));
      for (int k = 0; k < 3; k++)
        f[k] += w * d[k];
    }
    for (int k = 0; k < 3; k++)
      a[i].v[k] = f[k];
  }
}

TEST_FUNCTION fields_in_place(int n, struct body *b, float dt) {
  for (int i = 0; i < n; i++) {
    float f[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      float d[3], r = 0.01f;
      for (int k = 0; k < 3; k++) {
        d[k] = b[j].p[k] - b[i].p[k];
        r += d[k] * d[k];
      }
      float w = b[j].m / (r * sqrtf(r));
      for (int k = 0; k < 3; k++)
        f[k] += w * d[k];
    }
    for (int k = 0; k < 3; k++)
      b[i].v[k] += dt * f[k];
  }
}

// Eight bytes, and no fields between: the arrays of results are structures of their own.
TEST_FUNCTION nearest(int n, const struct point *p, struct point *restrict r) {
  for (int i = 0; i < n; i++) {
    double fx = 1e9, fy = 0;
    for (int j = 0; j < n; j++) {
      double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, d = dx * dx + dy * dy + 0.5;
      fx = d < fx ? d : fx;
      fy += sqrt(d);
    }
    r[i].fx = fx;
    r[i].fy = fy;
  }
}

// Sums in fields of structures: each step of the inner loop changes both.
TEST_FUNCTION two_sums(int n, int m, const double *restrict a, struct point *restrict r) {
  for (int i = 0; i < n; i++) {
    r[i].fx = 0;
    r[i].fy = 1;
    for (int j = 0; j < m; j++) {
      double t = a[j] * r[i].x + r[i].y;
      r[i].fx += t / (t * t + 1);
      r[i].fy = r[i].fy * 0.5 + r[i].fx;
    }
  }
}

static struct body from[N], to[N];
static struct point points[N], results[N];
static double numbers[N];

static void start(void) {
  fill_float((float *)from, sizeof from / 4, 1);
  fill_float((float *)to, sizeof to / 4, 2);
  fill_double((double *)points, sizeof points / 8, 3);
  fill_double((double *)results, sizeof results / 8, 4);
  fill_double(numbers, N, 5);
  for (int i = 0; i < N; i++)
    from[i].m = 0.5f + (float)(i % 7);
}

static void run(int n) {
  start();
  fields_of_another(n, from, to);
  SHOW("fields_of_another", (float *)to, sizeof to / 4);
  fields_in_place(n, from, 0.125f);
  SHOW("fields_in_place", (float *)from, sizeof from / 4);
  nearest(n, points, results);
  SHOW("nearest", (double *)results, sizeof results / 8);
  two_sums(n, 3 + n / 2, numbers, results);
  SHOW("two_sums", (double *)results, sizeof results / 8);
}

int main(void) {
  const int sizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 16, 23, 31, 64, N};
  for (size_t s = 0; s < COUNT(sizes); s++)
    run((int)hidden(sizes[s]));
  return 0;
}
