// A step of expectation maximization for K normal distributions of variance one.
extern f64 exp(f64);
system mixture[N, K] where N >= 1 and K >= 1 {
  in  f64 x : [0..N-1];
  in  f64 weight, mean : [0..K-1];
  out f64 weight1, mean1 : [0..K-1];
  let f64 density : [0..N-1, 0..K-1];
  let f64 total : [0..N-1];
  let f64 share : [0..K-1];
  density[n, k] = weight[k] * exp(-0.5 * (x[n] - mean[k]) * (x[n] - mean[k]));
  total[n] = sum[k : 0 <= k < K] density[n, k];
  share[k] = sum[n : 0 <= n < N] density[n, k] / total[n];
  weight1[k] = share[k] / val[N];
  mean1[k] = (sum[n : 0 <= n < N] x[n] * density[n, k] / total[n]) / share[k];
}
