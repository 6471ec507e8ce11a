// Particles and fields.
// poly: optimizes gravity bodies_step push_particles ising shallow_water springs pair_energy five_components
// poly: optimizes gradient
#include "bench.h"

KERNEL void gravity(int n, const double *x, const double *y, const double *z, const double *m, double *fx, double *fy,
             double *fz) {
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double r2 = dx * dx + dy * dy + dz * dz + 1e-4;
      double inv = m[j] / (r2 * sqrt(r2));
      ax += dx * inv;
      ay += dy * inv;
      az += dz * inv;
    }
    fx[i] = ax;
    fy[i] = ay;
    fz[i] = az;
  }
}
BENCH(gravity, "all pairs, structure of arrays") {
  int n = size(700);
  double *a[7];
  for (int i = 0; i < 7; i++)
    a[i] = doubles(n, 0, 1);
  REPEAT gravity(n, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
}

struct body {
  float x, y, z, vx, vy, vz, mass, pad;
};
KERNEL void bodies_step(int n, float dt, struct body *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float f = b[j].mass * inv * inv * inv * dt;
      b[i].vx += f * dx;
      b[i].vy += f * dy;
      b[i].vz += f * dz;
    }
  for (int i = 0; i < n; i++) {
    b[i].x += b[i].vx * dt;
    b[i].y += b[i].vy * dt;
    b[i].z += b[i].vz * dt;
  }
}
BENCH(bodies_step, "all pairs, array of structures") {
  int n = size(600);
  float *b = floats(8L * n, 0, 1);
  REPEAT bodies_step(n, 0.01f, (struct body *)b);
}

KERNEL void push_particles(int n, int steps, double dt, double *x, double *v, const double *q) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) {
      double e = -x[i] * q[i];
      v[i] += e * dt;
      x[i] += v[i] * dt;
    }
}
BENCH(push_particles, "independent particles in time") {
  int n = size(20000);
  double *x = doubles(n, -1, 1), *v = doubles(n, -1, 1), *q = doubles(n, 0, 1);
  REPEAT push_particles(n, size(30), 0.01, x, v, q);
}

KERNEL void ising(int n, const float *random, signed char *s, float beta) {
  for (int colour = 0; colour < 2; colour++)
    for (int i = 0; i < n; i++)
      for (int j = (i + colour) & 1; j < n; j += 2) {
        int sum = s[((i + 1) % n) * n + j] + s[((i + n - 1) % n) * n + j] + s[i * n + (j + 1) % n] +
                  s[i * n + (j + n - 1) % n];
        float gain = 2.0f * (float)(s[i * n + j] * sum) * beta;
        if (gain < random[i * n + j])
          s[i * n + j] = (signed char)-s[i * n + j];
      }
}
BENCH(ising, "spins on a torus") {
  int n = size(500);
  float *random = floats((long)n * n, 0, 1);
  unsigned char *s = bytes((long)n * n, 0, 1);
  for (int i = 0; i < n * n; i++)
    s[i] = s[i] ? 1 : 255;
  memcpy(bench_arrays[1].pristine, s, (size_t)n * (size_t)n);
  REPEAT ising(n, random, (signed char *)s, 0.4f);
}

KERNEL void shallow_water(int n, int m, double *h, double *u, double *v, double *hn, double *un, double *vn, double c) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int p = i * m + j;
      hn[p] = h[p] - c * (u[p + 1] - u[p - 1] + v[p + m] - v[p - m]);
      un[p] = u[p] - c * (h[p + 1] - h[p - 1]) - c * u[p] * (u[p + 1] - u[p - 1]);
      vn[p] = v[p] - c * (h[p + m] - h[p - m]) - c * v[p] * (v[p + m] - v[p - m]);
    }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int p = i * m + j;
      h[p] = hn[p];
      u[p] = un[p];
      v[p] = vn[p];
    }
}
BENCH(shallow_water, "three fields, copied back") {
  int n = size(500), m = size(450);
  double *f[6];
  for (int i = 0; i < 6; i++)
    f[i] = doubles((long)n * m, 0, 1);
  REPEAT shallow_water(n, m, f[0], f[1], f[2], f[3], f[4], f[5], 0.01);
}

KERNEL void springs(int n, int steps, float k, float dt, float *x, float *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] += dt * k * (x[i - 1] - 2 * x[i] + x[i + 1]);
    for (int i = 1; i < n - 1; i++)
      x[i] += dt * v[i];
  }
}
BENCH(springs, "chain of springs in time") {
  int n = size(10000);
  float *x = floats(n, -1, 1), *v = floats(n, -1, 1);
  REPEAT springs(n, size(100), 1.0f, 0.01f, x, v);
}

KERNEL double pair_energy(int n, const float *x, const float *y, const float *z, float cut) {
  double e = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cut) {
        float s = 1.0f / (r2 + 0.1f);
        float s3 = s * s * s;
        e += s3 * (s3 - 1.0f);
      }
    }
  return e;
}
BENCH(pair_energy, "triangle of pairs with a cut-off, ordered sum") {
  int n = size(800);
  float *x = floats(n, 0, 3), *y = floats(n, 0, 3), *z = floats(n, 0, 3);
  REPEAT result(pair_energy(n, x, y, z, 1.0f));
}

KERNEL void five_components(int n, double dt, double (*u)[5], const double (*r)[5]) {
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        for (int m = 0; m < 5; m++)
          u[(k * n + j) * n + i][m] += dt * r[(k * n + j) * n + i][m];
}
BENCH(five_components, "five components in the innermost dimension") {
  int n = size(60);
  double *u = doubles(5L * n * n * n, 0, 1), *r = doubles(5L * n * n * n, 0, 1);
  REPEAT five_components(n, 0.1, (double (*)[5])u, (const double (*)[5])r);
}

KERNEL void gradient(int n, const double *p, double *gx, double *gy, double *gz, double h) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        gx[(i * n + j) * n + k] = (p[((i + 1) * n + j) * n + k] - p[((i - 1) * n + j) * n + k]) / (2 * h);
        gy[(i * n + j) * n + k] = (p[(i * n + j + 1) * n + k] - p[(i * n + j - 1) * n + k]) / (2 * h);
        gz[(i * n + j) * n + k] = (p[(i * n + j) * n + k + 1] - p[(i * n + j) * n + k - 1]) / (2 * h);
      }
}
BENCH(gradient, "gradient of a field") {
  int n = size(90);
  long all = (long)n * n * n;
  double *p = doubles(all, 0, 1), *gx = doubles(all, 0, 0), *gy = doubles(all, 0, 0), *gz = doubles(all, 0, 0);
  REPEAT gradient(n, p, gx, gy, gz, 0.1);
}
