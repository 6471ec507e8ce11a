// A filter with W coefficients.
system fir[N, W] where N >= 1 and W >= 1 {
  in  f64 x : [0..N+W-2];
  in  f64 c : [0..W-1];
  out f64 y : [0..N-1];
  y[i] = sum[k : 0 <= k < W] c[k] * x[i + k];
}
