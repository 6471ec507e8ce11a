// Interleaved data: points, complex numbers, pixels. Vectors of them have their lanes in another
// order, loops that do the same to each component run over elements; at all lengths of rows, from
// odd addresses, with operands that overlap the results, next to arrays of single numbers.
//
// poly: optimizes add_triples
// poly: optimizes step_points
// poly: optimizes blur_colours
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ALONE __attribute__((noinline))
enum { MOST = 45, ROOM = 8 * MOST + 64 };

static double d[4][ROOM];
static float f[4][ROOM];
static int32_t w[4][ROOM];
static int16_t h[4][ROOM];
static uint8_t b[4][ROOM];
static int64_t l[4][ROOM];

static void fill(unsigned seed) {
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < ROOM; i++) {
      seed = seed * 1664525u + 1013904223u;
      int v = (int)(seed >> 16 & 0xff) - 100;
      d[a][i] = v * 0.37, f[a][i] = (float)v * 0.73f, w[a][i] = v * 1001, l[a][i] = v * 100003ll;
      h[a][i] = (int16_t)(v * 77), b[a][i] = (uint8_t)v;
    }
}

static uint64_t sum;
static void add(const void *p, size_t bytes) {
  const unsigned char *c = p;
  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ c[i]) * 1099511628211u;
}

static void add_all(void) {
  add(d, sizeof d), add(f, sizeof f), add(w, sizeof w), add(h, sizeof h), add(b, sizeof b), add(l, sizeof l);
}

// Two components.
ALONE void rotate(int n, double *p, double c, double s) {
  for (int i = 0; i < n; i++) {
    double x = p[2 * i], y = p[2 * i + 1];
    p[2 * i] = c * x - s * y, p[2 * i + 1] = s * x + c * y;
  }
}
ALONE void products(int n, float *c, const float *a, const float *b2) {
  for (int i = 0; i < n; i++) {
    c[2 * i] = a[2 * i] * b2[2 * i] - a[2 * i + 1] * b2[2 * i + 1];
    c[2 * i + 1] = a[2 * i] * b2[2 * i + 1] + a[2 * i + 1] * b2[2 * i];
  }
}
ALONE void add_multiple(int n, double *y, const double *x, double re, double im) {
  for (int i = 0; i < n; i++) {
    double tr = re * x[2 * i] - im * x[2 * i + 1], ti = re * x[2 * i + 1] + im * x[2 * i];
    y[2 * i] += tr, y[2 * i + 1] += ti;
  }
}
ALONE void butterfly(int n, float *restrict u, float *restrict v, const float *restrict z) {
  for (int i = 0; i < n; i++) {
    float tr = z[2 * i] * v[2 * i] - z[2 * i + 1] * v[2 * i + 1];
    float ti = z[2 * i] * v[2 * i + 1] + z[2 * i + 1] * v[2 * i];
    float ur = u[2 * i], ui = u[2 * i + 1];
    u[2 * i] = ur + tr, u[2 * i + 1] = ui + ti;
    v[2 * i] = ur - tr, v[2 * i + 1] = ui - ti;
  }
}
ALONE void volumes(int n, int16_t *restrict o, const int16_t *restrict in, int left, int right) {
  for (int i = 0; i < n; i++)
    o[2 * i] = (int16_t)(left * in[2 * i] >> 8), o[2 * i + 1] = (int16_t)(right * in[2 * i + 1] >> 8);
}
// Operands in another order, a shift by one point of what is in the same array, and a single array.
ALONE void exchange(int n, int64_t *restrict o, const int64_t *restrict in, const int64_t *restrict one) {
  for (int i = 0; i < n; i++)
    o[2 * i] = in[2 * i + 1] - one[i], o[2 * i + 1] = one[i] - in[2 * i + 2];
}
ALONE void lengths(int n, double *restrict o, const double *restrict p) {
  for (int i = 0; i < n; i++)
    o[i] = p[2 * i] * p[2 * i] + p[2 * i + 1];
}
ALONE void numbered(int n, int *restrict o, const int *restrict p) {
  for (int i = 0; i < n; i++)
    o[2 * i] = p[2 * i] + i, o[2 * i + 1] = p[2 * i + 1] > p[2 * i] ? i : p[2 * i + 1];
}
ALONE int dot(int n, const int *restrict p) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[2 * i] * p[2 * i + 1];
  return s;
}
// Three.
ALONE void transform(int n, float *q, const float *p, const float *m) {
  for (int i = 0; i < n; i++) {
    float x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
    q[3 * i] = m[0] * x + m[1] * y + m[2] * z;
    q[3 * i + 1] = m[3] * x + m[4] * y + m[5] * z;
    q[3 * i + 2] = m[6] * x + m[7] * y + m[8] * z;
  }
}
ALONE void apart(int n, double *restrict x, double *restrict y, double *restrict z, const double *restrict p) {
  for (int i = 0; i < n; i++)
    x[i] = p[3 * i] * 2, y[i] = p[3 * i + 1] + 1, z[i] = p[3 * i + 2] - x[i];
}
ALONE void together(int n, int *restrict p, const int *restrict x, const int *restrict y, const int *restrict z) {
  for (int i = 0; i < n; i++)
    p[3 * i] = x[i] + y[i], p[3 * i + 1] = y[i] - z[i], p[3 * i + 2] = 7;
}
// Four and more.
ALONE void pairs(int n, int *restrict q, const int *restrict p) {
  for (int i = 0; i < n; i++) {
    int x = p[4 * i], y = p[4 * i + 1], z = p[4 * i + 2], v = p[4 * i + 3];
    q[4 * i] = x + y, q[4 * i + 1] = x - y, q[4 * i + 2] = z * v, q[4 * i + 3] = z ^ v;
  }
}
ALONE void fives(int n, float *restrict q, const float *restrict p) {
  for (int i = 0; i < n; i++) {
    float s = p[5 * i] + p[5 * i + 4];
    for (int m = 0; m < 5; m++)
      q[5 * i + m] = p[5 * i + m] * s;
  }
}
ALONE void sixes(int n, double *restrict q, const double *restrict p) {
  for (int i = 0; i < n; i++)
    for (int m = 0; m < 6; m++)
      q[6 * i + m] = p[6 * i + 5 - m] - p[6 * i];
}
ALONE void eights(int n, int *restrict q, const int *restrict p) {
  for (int i = 0; i < n; i++)
    for (int m = 0; m < 8; m++)
      q[8 * i + m] = p[8 * i + (m ^ 1)] * (m + 1) + p[8 * i + 7 - m];
}
ALONE void some_of_four(int n, float *restrict o, const float *restrict p) {
  for (int i = 0; i < n; i++)
    o[4 * i] = p[4 * i + 2], o[4 * i + 1] = p[4 * i] + 1, o[4 * i + 2] = p[4 * i + 2] * 2, o[4 * i + 3] = 0;
}

// The same for each component.
ALONE void add_triples(int n, double *restrict q, const double *restrict p) {
  for (int i = 0; i < n; i++)
    for (int m = 0; m < 3; m++)
      q[3 * i + m] += p[3 * i + m];
}
ALONE void add_fives(int n, float *q, const float *p, float s) {
  for (int i = 0; i < n; i++)
    for (int m = 0; m < 5; m++)
      q[5 * i + m] = q[5 * i + m] * s + p[5 * i + m];
}
ALONE void step_points(int n, float *restrict x, float *restrict v, const float *restrict a, float dt) {
  for (int i = 0; i < n; i++) {
    v[3 * i] += dt * a[3 * i], v[3 * i + 1] += dt * a[3 * i + 1], v[3 * i + 2] += dt * a[3 * i + 2];
    x[3 * i] += dt * v[3 * i], x[3 * i + 1] += dt * v[3 * i + 1], x[3 * i + 2] += dt * v[3 * i + 2];
  }
}
// As above, but what is written may be read: v and x may be the same points, or neighbours.
ALONE void step_overlapping(int n, float *x, float *v, const float *a, float dt) {
  for (int i = 0; i < n; i++) {
    v[3 * i] += dt * a[3 * i], v[3 * i + 1] += dt * a[3 * i + 1], v[3 * i + 2] += dt * a[3 * i + 2];
    x[3 * i] += dt * v[3 * i], x[3 * i + 1] += dt * v[3 * i + 1], x[3 * i + 2] += dt * v[3 * i + 2];
  }
}
ALONE void blur_colours(int n, int rows, uint8_t *restrict o, const uint8_t *restrict in) {
  for (int r = 0; r < rows; r++)
    for (int i = 1; i < n - 1; i++)
      for (int c = 0; c < 3; c++)
        o[(r * n + i) * 3 + c] = (uint8_t)((in[(r * n + i - 1) * 3 + c] + in[(r * n + i + 1) * 3 + c] + 1) >> 1);
}
// Each point is computed from the one before, and from its own other components.
ALONE void carried(int n, double *p) {
  for (int i = 1; i < n; i++)
    for (int m = 0; m < 4; m++)
      p[4 * i + m] = p[4 * i + m - 4] * 0.5 + p[4 * i + m];
}
ALONE void chained_components(int n, int64_t *p) {
  for (int i = 1; i < n; i++)
    p[2 * i] = p[2 * i - 1] + 3, p[2 * i + 1] = p[2 * i] + 3;
}
ALONE void backwards(int n, int *restrict q, const int *restrict p) {
  for (int i = n - 1; i >= 0; i--)
    q[2 * i] = p[2 * i] * 3, q[2 * i + 1] = p[2 * i + 1] * 3;
}
// Components that differ in one operand, in their order, and in what is scaled.
ALONE void nearly(int n, int *restrict q, const int *restrict p, int s) {
  for (int i = 0; i < n; i++)
    q[3 * i] = p[3 * i] * s, q[3 * i + 1] = p[3 * i + 1] * s, q[3 * i + 2] = p[3 * i + 2] * 5;
}
ALONE void weighted(int n, double *restrict q, const double *restrict p, const double *restrict s) {
  for (int i = 0; i < n; i++)
    q[2 * i] = s[i] * p[2 * i], q[2 * i + 1] = p[2 * i + 1] * s[i];
}

static void run(int n, int at) {
  rotate(n, d[0] + at, 0.6, 0.8);
  products(n, f[0] + at, f[1], f[2] + 1);
  products(n, f[0] + at, f[0], f[0] + 3);
  products(n, f[0] + 2, f[0] + 2, f[1]);
  add_multiple(n, d[1], d[2] + at, 0.3, -1.5);
  add_multiple(n, d[1], d[1] + at, 0.3, -1.5);
  butterfly(n, f[1], f[2] + at, f[3]);
  volumes(n, h[0] + at, h[1], 200, -300);
  exchange(n, l[0] + at, l[1], l[2] + 1);
  lengths(n, d[3] + at, d[0]);
  numbered(n, w[0] + at, w[1]);
  w[3][0] += dot(n, w[0] + at);
  transform(n, f[3] + at, f[2], f[0]);
  transform(n, f[3] + at, f[3], f[0]);
  apart(n, d[1], d[1] + MOST, d[1] + 2 * MOST + at, d[2]);
  together(n, w[2] + at, w[0], w[1], w[1] + 5);
  pairs(n, w[1] + at, w[2]);
  fives(n, f[0] + at, f[3]);
  sixes(n, d[2] + at, d[0]);
  eights(n, w[0] + at, w[1]);
  some_of_four(n, f[1] + at, f[0]);
  add_triples(n, d[0] + at, d[1]);
  add_fives(n, f[2] + at, f[0], 0.5f);
  add_fives(n, f[2] + at, f[2], 0.5f);
  add_fives(n, f[2], f[2] + at, 0.5f);
  step_points(n, f[0] + at, f[1], f[2], 0.25f);
  step_overlapping(n, f[0] + at, f[0], f[2], 0.25f);
  step_overlapping(n, f[0], f[0] + at, f[0] + 1, 0.25f);
  blur_colours(n, 2, b[0] + at, b[1]);
  carried(n, d[3] + at);
  chained_components(n, l[3] + at);
  backwards(n, w[3] + at, w[2]);
  nearly(n, w[2] + at, w[3], 9);
  weighted(n, d[3] + at, d[2], d[1]);
}

int main(void) {
  for (int n = 0; n < MOST; n++)
    for (int at = 0; at < 5; at++) {
      fill((unsigned)(n * 5 + at));
      run(n, at);
      add_all();
      if (at == 4)
        printf("%d %016llx\n", n, (unsigned long long)sum);
    }
  return 0;
}
