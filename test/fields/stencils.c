// Stencils and sweeps.
// poly: optimizes jacobi_swap nine_points seven_points twenty_seven sor red_black periodic life fdtd_line
// poly: optimizes wave_steps lattice upwind
#include "bench.h"

KERNEL void jacobi_swap(double *a, double *b, int n, int m, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
    double *t2 = a;
    a = b;
    b = t2;
  }
}
BENCH(jacobi_swap, "5 points, pointers swapped every step") {
  int n = size(500), m = size(520);
  double *a = doubles((long)n * m, 0, 1), *b = doubles((long)n * m, 0, 1);
  REPEAT jacobi_swap(a, b, n, m, size(20));
}

KERNEL void nine_points(int n, const float *in, float *out, float c, float e, float d) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      out[i * n + j] = c * in[i * n + j] +
                       e * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]) +
                       d * (in[(i - 1) * n + j - 1] + in[(i - 1) * n + j + 1] + in[(i + 1) * n + j - 1] +
                            in[(i + 1) * n + j + 1]);
}
BENCH(nine_points, "9 points, one sweep, float") {
  int n = size(900);
  float *in = floats((long)n * n, 0, 1), *out = floats((long)n * n, 0, 0);
  REPEAT nine_points(n, in, out, 0.4f, 0.1f, 0.05f);
}

#define AT(a, i, j, k) a[((i)*ny + (j)) * nz + (k)]
KERNEL void seven_points(int nx, int ny, int nz, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < nx - 1; i++)
      for (int j = 1; j < ny - 1; j++)
        for (int k = 1; k < nz - 1; k++)
          AT(v, i, j, k) = AT(u, i, j, k) + 0.1 * (AT(u, i + 1, j, k) + AT(u, i - 1, j, k) + AT(u, i, j + 1, k) +
                                                   AT(u, i, j - 1, k) + AT(u, i, j, k + 1) + AT(u, i, j, k - 1) -
                                                   6.0 * AT(u, i, j, k));
    for (int i = 1; i < nx - 1; i++)
      for (int j = 1; j < ny - 1; j++)
        for (int k = 1; k < nz - 1; k++)
          AT(u, i, j, k) = AT(v, i, j, k);
  }
}
BENCH(seven_points, "7 points in 3-D, copied back") {
  int n = size(100);
  double *u = doubles((long)n * n * n, 0, 1), *v = doubles((long)n * n * n, 0, 1);
  REPEAT seven_points(n, n, n, size(4), u, v);
}

KERNEL void twenty_seven(int n, const double *u, double *r) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        double s = 0;
        for (int a = -1; a <= 1; a++)
          for (int b = -1; b <= 1; b++)
            for (int c = -1; c <= 1; c++)
              s += u[((i + a) * n + j + b) * n + k + c] * (a == 0 && b == 0 && c == 0 ? 26.0 : -1.0);
        r[(i * n + j) * n + k] = s;
      }
}
BENCH(twenty_seven, "27 points by loops") {
  int n = size(90);
  double *u = doubles((long)n * n * n, 0, 1), *r = doubles((long)n * n * n, 0, 0);
  REPEAT twenty_seven(n, u, r);
}

KERNEL void sor(int n, int steps, double omega, double *u, const double *f) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i * n + j] += omega * (0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                         u[i * n + j + 1] - f[i * n + j]) -
                                 u[i * n + j]);
}
BENCH(sor, "successive over-relaxation in place") {
  int n = size(400);
  double *u = doubles((long)n * n, 0, 1), *f = doubles((long)n * n, 0, 1);
  REPEAT sor(n, size(10), 1.2, u, f);
}

KERNEL void red_black(int n, int steps, float *u) {
  for (int t = 0; t < steps; t++)
    for (int colour = 0; colour < 2; colour++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
          u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}
BENCH(red_black, "red-black sweeps") {
  int n = size(600);
  float *u = floats((long)n * n, 0, 1);
  REPEAT red_black(n, size(5), u);
}

KERNEL void periodic(int w, int h, const double *in, double *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int left = x == 0 ? w - 1 : x - 1, right = x == w - 1 ? 0 : x + 1;
      int up = (y + h - 1) % h, down = (y + 1) % h;
      out[y * w + x] = in[y * w + x] - 0.25 * (in[y * w + left] + in[y * w + right] + in[up * w + x] + in[down * w + x]);
    }
}
BENCH(periodic, "neighbours around the border") {
  int w = size(800), h = size(700);
  double *in = doubles((long)w * h, 0, 1), *out = doubles((long)w * h, 0, 0);
  REPEAT periodic(w, h, in, out);
}

KERNEL void life(int w, int h, const unsigned char *now, unsigned char *next) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int alive = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dy != 0 || dx != 0)
            alive += now[(y + dy) * w + x + dx];
      next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
    }
}
BENCH(life, "game of life, bytes") {
  int w = size(1000), h = size(900);
  unsigned char *now = bytes((long)w * h, 0, 1), *next = bytes((long)w * h, 0, 0);
  REPEAT life(w, h, now, next);
}

KERNEL void fdtd_line(int n, int steps, double *e, double *h) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n - 1; i++)
      h[i] += 0.5 * (e[i + 1] - e[i]);
    for (int i = 1; i < n; i++)
      e[i] += 0.5 * (h[i] - h[i - 1]);
  }
}
BENCH(fdtd_line, "1-D FDTD, two fields") {
  int n = size(20000);
  double *e = doubles(n, 0, 1), *h = doubles(n, 0, 1);
  REPEAT fdtd_line(n, size(100), e, h);
}

struct wave {
  int n;
  float *old, *now, *next;
};
KERNEL void wave_steps(struct wave *w, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < w->n - 1; i++)
      for (int j = 1; j < w->n - 1; j++) {
        int p = i * w->n + j;
        w->next[p] = 2 * w->now[p] - w->old[p] +
                     0.2f * (w->now[p - 1] + w->now[p + 1] + w->now[p - w->n] + w->now[p + w->n] - 4 * w->now[p]);
      }
    float *free_one = w->old;
    w->old = w->now;
    w->now = w->next;
    w->next = free_one;
  }
}
BENCH(wave_steps, "wave equation, three arrays in a structure") {
  int n = size(400);
  long all = (long)n * n;
  float *a = floats(all, 0, 1), *b = floats(all, 0, 1), *c = floats(all, 0, 0);
  REPEAT {
    struct wave w = {n, a, b, c};
    wave_steps(&w, size(12));
  }
}

KERNEL void lattice(int w, int h, const double *f, double *g) {
  static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static const double weight[9] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                   1. / 36, 1. / 36, 1. / 36, 1. / 36};
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      double rho = 0, ux = 0, uy = 0;
      for (int q = 0; q < 9; q++) {
        double v = f[(q * h + y - cy[q]) * w + x - cx[q]];
        rho += v;
        ux += v * cx[q];
        uy += v * cy[q];
      }
      ux /= rho;
      uy /= rho;
      for (int q = 0; q < 9; q++) {
        double cu = 3 * (cx[q] * ux + cy[q] * uy);
        double eq = weight[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
        double v = f[(q * h + y - cy[q]) * w + x - cx[q]];
        g[(q * h + y) * w + x] = v - 0.6 * (v - eq);
      }
    }
}
BENCH(lattice, "lattice Boltzmann D2Q9") {
  int w = size(200), h = size(180);
  double *f = doubles(9L * w * h, 0.1, 0.2), *g = doubles(9L * w * h, 0, 0);
  REPEAT lattice(w, h, f, g);
}

KERNEL void upwind(int n, int steps, double c, double *u) {
  for (int t = 0; t < steps; t++) {
    double before = u[0];
    for (int i = 1; i < n; i++) {
      double here = u[i];
      u[i] = here - c * (here - before);
      before = here;
    }
  }
}
BENCH(upwind, "advection in place, old neighbour in a scalar") {
  int n = size(10000);
  double *u = doubles(n, 0, 1);
  REPEAT upwind(n, size(100), 0.3, u);
}
