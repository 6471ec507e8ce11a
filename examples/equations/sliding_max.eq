// The greatest value of every window. Nothing can be taken out of a maximum again.
system sliding_max[N, W] where N >= 1 and W >= 1 {
  in  i64 A : [0..N+W-2];
  out i64 Y : [0..N-1];
  Y[i] = max[j : 0 <= j < W] A[i + j];
}
