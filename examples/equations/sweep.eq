// A Gibbs sweep: each value is computed from all others, new ones before it and old ones behind.
system sweep[N] where N >= 2 {
  in  i64 x : [0..N-1];
  out i64 y : [0..N-1];
  y[i] = x[i] + ((sum[j : 0 <= j < i] y[j]) + (sum[j : i < j < N] x[j])) / 2;
}
