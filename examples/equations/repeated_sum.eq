// Sums in which every element is as often as there are rows: `simplify` multiplies by their number.
system repeated_sum[N] where N >= 1 {
  in  i64 x : [0..N-1];
  out i64 Y : [0..N-1];
  Y[i] = sum[j, k : 0 <= j, k <= i] x[k];
}
