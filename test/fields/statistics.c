// Statistics and finance.
// poly: optimizes binomial early_exercise covariances moving_average smoothing paths histogram standardize prefix_rows extremes
#include "bench.h"

KERNEL void binomial(int options, int steps, const double *spot, double up, double down, double p, double k, double *v,
              double *price) {
  for (int o = 0; o < options; o++) {
    for (int i = 0; i <= steps; i++) {
      double s = spot[o];
      s += up * (double)i - down * (double)(steps - i);
      v[i] = s > k ? s - k : 0;
    }
    for (int t = steps - 1; t >= 0; t--)
      for (int i = 0; i <= t; i++)
        v[i] = 0.999 * (p * v[i + 1] + (1 - p) * v[i]);
    price[o] = v[0];
  }
}
BENCH(binomial, "binomial trees in place") {
  int options = size(10), steps = size(500);
  double *spot = doubles(options, 50, 150), *v = doubles(steps + 1, 0, 0), *price = doubles(options, 0, 0);
  REPEAT binomial(options, steps, spot, 0.3, 0.28, 0.5, 100, v, price);
}

KERNEL double early_exercise(int n, double spot, double up, double down, double p, double discount, double strike, double *v) {
  for (int j = 0; j <= n; j++) {
    double s = spot + up * j - down * (n - j);
    v[j] = strike > s ? strike - s : 0;
  }
  for (int i = n - 1; i >= 0; i--) {
    double s = spot / (i + 1);
    for (int j = 0; j <= i; j++) {
      double later = discount * (p * v[j + 1] + (1 - p) * v[j]), now = strike - s;
      v[j] = later > now ? later : now;
      s *= up / down;
    }
  }
  return v[0];
}
BENCH(early_exercise, "recurrence in place beside another one") {
  int n = size(1500);
  double *v = doubles(n + 1, 0, 0), price = 0;
  REPEAT price = early_exercise(n, 100, 1.01, 0.99, 0.51, 0.9999, 100, v);
  result(price);
}

KERNEL void covariances(int n, int m, const double *data, double *mean, double *cov) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int a = 0; a < m; a++)
    for (int b = a; b < m; b++) {
      double s = 0;
      for (int i = 0; i < n; i++)
        s += (data[i * m + a] - mean[a]) * (data[i * m + b] - mean[b]);
      cov[a * m + b] = cov[b * m + a] = s / (n - 1);
    }
}
BENCH(covariances, "covariance matrix of columns") {
  int n = size(600), m = size(150);
  double *data = doubles((long)n * m, 0, 1), *mean = doubles(m, 0, 0), *cov = doubles((long)m * m, 0, 0);
  REPEAT covariances(n, m, data, mean, cov);
}

KERNEL void moving_average(int n, int w, const double *x, double *y) {
  for (int i = w - 1; i < n; i++) {
    double s = 0;
    for (int k = 0; k < w; k++)
      s += x[i - k];
    y[i] = s / w;
  }
}
BENCH(moving_average, "moving average") {
  int n = size(50000), w = size(50);
  double *x = doubles(n, 0, 1), *y = doubles(n, 0, 0);
  REPEAT moving_average(n, w, x, y);
}

KERNEL void smoothing(int series, int n, double alpha, const double *x, double *y) {
  for (int s = 0; s < series; s++) {
    double level = x[s * n];
    for (int t = 0; t < n; t++) {
      level = alpha * x[s * n + t] + (1 - alpha) * level;
      y[s * n + t] = level;
    }
  }
}
BENCH(smoothing, "exponential smoothing of many series") {
  int series = size(200), n = size(2000);
  double *x = doubles((long)series * n, 0, 1), *y = doubles((long)series * n, 0, 0);
  REPEAT smoothing(series, n, 0.3, x, y);
}

KERNEL void paths(int n, int steps, const float *noise, float mu, float sigma, float *payoff) {
  for (int i = 0; i < n; i++) {
    float s = 100, sum = 0;
    for (int t = 0; t < steps; t++) {
      s += s * (mu + sigma * noise[t * n + i]);
      sum += s;
    }
    float mean = sum / (float)steps;
    payoff[i] = mean > 100 ? mean - 100 : 0;
  }
}
BENCH(paths, "average of paths, noise by columns") {
  int n = size(4000), steps = size(250);
  float *noise = floats((long)n * steps, -1, 1), *payoff = floats(n, 0, 0);
  REPEAT paths(n, steps, noise, 0.0001f, 0.01f, payoff);
}

KERNEL void histogram(int n, int bins, const float *x, int *count) {
  for (int i = 0; i < n; i++) {
    int b = (int)(x[i] * (float)bins);
    if (b >= 0 && b < bins)
      count[b]++;
  }
}
BENCH(histogram, "histogram") {
  int n = size(500000), bins = size(64);
  float *x = floats(n, 0, 1);
  int *count = ints(bins, 0, 0);
  REPEAT histogram(n, bins, x, count);
}

KERNEL void standardize(int n, int m, double *x) {
  for (int j = 0; j < m; j++) {
    double mean = 0, dev = 0;
    for (int i = 0; i < n; i++)
      mean += x[i * m + j];
    mean /= n;
    for (int i = 0; i < n; i++)
      dev += (x[i * m + j] - mean) * (x[i * m + j] - mean);
    dev = sqrt(dev / n);
    if (dev < 1e-9)
      dev = 1;
    for (int i = 0; i < n; i++)
      x[i * m + j] = (x[i * m + j] - mean) / dev;
  }
}
BENCH(standardize, "columns to mean 0, deviation 1") {
  int n = size(1000), m = size(300);
  double *x = doubles((long)n * m, 0, 1);
  REPEAT standardize(n, m, x);
}

KERNEL void prefix_rows(int n, int m, const int *x, int *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int s = 0;
      for (int k = 0; k <= j; k++)
        s += x[i * m + k];
      y[i * m + j] = s;
    }
}
BENCH(prefix_rows, "prefix sums written as sums") {
  int n = size(20), m = size(800);
  int *x = ints((long)n * m, -9, 9), *y = ints((long)n * m, 0, 0);
  REPEAT prefix_rows(n, m, x, y);
}

KERNEL void extremes(int n, int m, const double *x, double *low, double *high, int *at) {
  for (int i = 0; i < n; i++) {
    double l = x[i * m], h = x[i * m];
    int a = 0;
    for (int j = 1; j < m; j++) {
      if (x[i * m + j] < l)
        l = x[i * m + j];
      if (x[i * m + j] > h) {
        h = x[i * m + j];
        a = j;
      }
    }
    low[i] = l;
    high[i] = h;
    at[i] = a;
  }
}
BENCH(extremes, "minimum, maximum and its place in rows") {
  int n = size(500), m = size(600);
  double *x = doubles((long)n * m, 0, 1), *low = doubles(n, 0, 0), *high = doubles(n, 0, 0);
  int *at = ints(n, 0, 0);
  REPEAT extremes(n, m, x, low, high, at);
}
