// Solvers and iterations.
// poly: optimizes tridiagonal_batch thomas_rows conjugate_step jacobi_dense gram_schmidt restrict_grid prolong_grid
// poly: optimizes banded line_sweeps
#include "bench.h"

KERNEL void tridiagonal_batch(int n, int batch, const double *a, const double *b, const double *c, double *d, double *w) {
  for (int s = 0; s < batch; s++) {
    w[s] = c[s] / b[s];
    d[s] /= b[s];
  }
  for (int i = 1; i < n; i++)
    for (int s = 0; s < batch; s++) {
      double m = b[i * batch + s] - a[i * batch + s] * w[(i - 1) * batch + s];
      w[i * batch + s] = c[i * batch + s] / m;
      d[i * batch + s] = (d[i * batch + s] - a[i * batch + s] * d[(i - 1) * batch + s]) / m;
    }
  for (int i = n - 2; i >= 0; i--)
    for (int s = 0; s < batch; s++)
      d[i * batch + s] -= w[i * batch + s] * d[(i + 1) * batch + s];
}
BENCH(tridiagonal_batch, "many tridiagonal systems, interleaved") {
  int n = size(300), batch = size(400);
  long all = (long)n * batch;
  double *a = doubles(all, 0, 0.3), *b = doubles(all, 1, 2), *c = doubles(all, 0, 0.3), *d = doubles(all, -1, 1);
  double *w = doubles(all, 0, 0);
  REPEAT tridiagonal_batch(n, batch, a, b, c, d, w);
}

KERNEL void thomas_rows(int rows, int n, double a, double b, double c, double *x, double *w) {
  for (int r = 0; r < rows; r++) {
    w[0] = c / b;
    x[r * n] /= b;
    for (int i = 1; i < n; i++) {
      double m = 1.0 / (b - a * w[i - 1]);
      w[i] = c * m;
      x[r * n + i] = (x[r * n + i] - a * x[r * n + i - 1]) * m;
    }
    for (int i = n - 2; i >= 0; i--)
      x[r * n + i] -= w[i] * x[r * n + i + 1];
  }
}
BENCH(thomas_rows, "tridiagonal systems by rows, shared work array") {
  int rows = size(400), n = size(500);
  double *x = doubles((long)rows * n, -1, 1), *w = doubles(n, 0, 0);
  REPEAT thomas_rows(rows, n, -1, 4, -1, x, w);
}

KERNEL double conjugate_step(int n, const double *a, double *x, double *r, double *p, double *q) {
  double rr = 0, pq = 0, next = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < n; j++)
      q[i] += a[i * n + j] * p[j];
  }
  for (int i = 0; i < n; i++)
    rr += r[i] * r[i];
  for (int i = 0; i < n; i++)
    pq += p[i] * q[i];
  double alpha = rr / pq;
  for (int i = 0; i < n; i++)
    x[i] += alpha * p[i];
  for (int i = 0; i < n; i++)
    r[i] -= alpha * q[i];
  for (int i = 0; i < n; i++)
    next += r[i] * r[i];
  double beta = next / rr;
  for (int i = 0; i < n; i++)
    p[i] = r[i] + beta * p[i];
  return next;
}
BENCH(conjugate_step, "step of conjugate gradients, dense") {
  int n = size(700);
  double *a = doubles((long)n * n, 0, 1), *x = doubles(n, 0, 0), *r = doubles(n, -1, 1), *p = doubles(n, -1, 1);
  double *q = doubles(n, 0, 0);
  REPEAT result(conjugate_step(n, a, x, r, p, q));
}

KERNEL void jacobi_dense(int n, int steps, const double *a, const double *b, double *x, double *y) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double s = b[i];
      for (int j = 0; j < n; j++)
        if (j != i)
          s -= a[i * n + j] * x[j];
      y[i] = s / a[i * n + i];
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  }
}
BENCH(jacobi_dense, "Jacobi iteration, diagonal left out") {
  int n = size(500);
  double *a = doubles((long)n * n, 0.5, 1), *b = doubles(n, 0, 1), *x = doubles(n, 0, 1), *y = doubles(n, 0, 0);
  REPEAT jacobi_dense(n, size(5), a, b, x, y);
}

KERNEL void gram_schmidt(int m, int n, double *a, double *r) {
  for (int k = 0; k < n; k++) {
    double s = 0;
    for (int i = 0; i < m; i++)
      s += a[i * n + k] * a[i * n + k];
    r[k * n + k] = sqrt(s);
    for (int i = 0; i < m; i++)
      a[i * n + k] /= r[k * n + k];
    for (int j = k + 1; j < n; j++) {
      double d = 0;
      for (int i = 0; i < m; i++)
        d += a[i * n + k] * a[i * n + j];
      r[k * n + j] = d;
      for (int i = 0; i < m; i++)
        a[i * n + j] -= d * a[i * n + k];
    }
  }
}
BENCH(gram_schmidt, "orthogonal columns, flat") {
  int m = size(300), n = size(160);
  double *a = doubles((long)m * n, -1, 1), *r = doubles((long)n * n, 0, 0);
  REPEAT gram_schmidt(m, n, a, r);
}

KERNEL void restrict_grid(int n, const double *fine, double *coarse) {
  int f = 2 * n;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      coarse[i * n + j] = 0.25 * fine[2 * i * f + 2 * j] +
                          0.125 * (fine[2 * i * f + 2 * j - 1] + fine[2 * i * f + 2 * j + 1] +
                                   fine[(2 * i - 1) * f + 2 * j] + fine[(2 * i + 1) * f + 2 * j]);
}
BENCH(restrict_grid, "multigrid restriction") {
  int n = size(400);
  double *fine = doubles(4L * n * n, -1, 1), *coarse = doubles((long)n * n, 0, 0);
  REPEAT restrict_grid(n, fine, coarse);
}

KERNEL void prolong_grid(int n, const double *coarse, double *fine) {
  int f = 2 * n;
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1; j++) {
      double a = coarse[i * n + j], b = coarse[i * n + j + 1], c = coarse[(i + 1) * n + j],
             d = coarse[(i + 1) * n + j + 1];
      fine[2 * i * f + 2 * j] += a;
      fine[2 * i * f + 2 * j + 1] += 0.5 * (a + b);
      fine[(2 * i + 1) * f + 2 * j] += 0.5 * (a + c);
      fine[(2 * i + 1) * f + 2 * j + 1] += 0.25 * (a + b + c + d);
    }
}
BENCH(prolong_grid, "multigrid prolongation") {
  int n = size(400);
  double *fine = doubles(4L * n * n, -1, 1), *coarse = doubles((long)n * n, -1, 1);
  REPEAT prolong_grid(n, coarse, fine);
}

KERNEL void banded(int n, int width, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    int from = i - width > 0 ? i - width : 0, to = i + width < n - 1 ? i + width : n - 1;
    for (int j = from; j <= to; j++)
      s += a[i * (2 * width + 1) + j - i + width] * x[j];
    y[i] = s;
  }
}
BENCH(banded, "banded matrix times vector") {
  int n = size(8000), w = size(20);
  double *a = doubles((long)n * (2 * w + 1), -1, 1), *x = doubles(n, -1, 1), *y = doubles(n, 0, 0);
  REPEAT banded(n, w, a, x, y);
}

KERNEL void line_sweeps(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        v[i * n + j] = 0.5 * v[i * n + j - 1] + u[i * n + j];
    for (int j = 0; j < n; j++)
      for (int i = 1; i < n; i++)
        u[i * n + j] = 0.5 * u[(i - 1) * n + j] + v[i * n + j];
  }
}
BENCH(line_sweeps, "recurrences along rows, then along columns") {
  int n = size(500);
  double *u = doubles((long)n * n, -1, 1), *v = doubles((long)n * n, -1, 1);
  REPEAT line_sweeps(n, size(3), u, v);
}
