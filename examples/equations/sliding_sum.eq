// Sums of windows. `simplify` adds what comes in and subtracts what goes out.
system sliding_sum[N, W] where N >= 1 and W >= 1 {
  in  i64 A : [0..N+W-2];
  out i64 Y : [0..N-1];
  Y[i] = sum[j : 0 <= j < W] A[i + j];
}
