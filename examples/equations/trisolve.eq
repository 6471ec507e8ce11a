// Forward substitution: L x = b with a lower triangle L.
system trisolve[N] where N >= 1 {
  in  f64 L : { [i, j] : 0 <= j <= i < N };
  in  f64 b : [0..N-1];
  out f64 x : [0..N-1];
  x[i] = (b[i] - (sum[j : 0 <= j < i] L[i, j] * x[j])) / L[i, i];
}
