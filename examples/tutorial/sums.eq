// Sums of everything before, and of windows.
system before[N] where N >= 1 {
  in  i64 A : [0..N-1];
  out i64 S : [0..N-1];
  S[i] = sum[j : 0 <= j <= i] A[j];
}

system window[N, W] where 1 <= W <= N {
  in  i64 A : [0..N-1];
  out i64 S : [0..N-W];
  S[i] = sum[j : i <= j < i + W] A[j];
}
