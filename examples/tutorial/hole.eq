system window[N, W] where 1 <= W <= N {
  in  i64 A : [0..N-1];
  out i64 S : [0..N-1];
  S[i] = sum[j : i <= j < i + W] A[j];
}
