// Sums of squares of R x R pixels: separable, and each direction a sliding sum.
system blur[N, R] where N >= 1 and R >= 1 {
  in  i64 A : [0..N+R-2, 0..N+R-2];
  out i64 Y : [0..N-1, 0..N-1];
  Y[i, j] = sum[y, x : 0 <= y, x < R] A[i + y, j + x];
}
