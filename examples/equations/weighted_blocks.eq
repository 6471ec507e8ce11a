// Sums over growing blocks with weights that change: the inner sums are shared.
system weighted_blocks[N] where N >= 1 {
  in  i64 A, B : [0..N-1, 0..N-1];
  out i64 Y : [0..N-1];
  Y[i] = sum[j, k : 0 <= j, k <= i] A[i, k] * B[k, j];
}
