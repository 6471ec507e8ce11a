// A filter whose weights are products: `simplify` filters columns first, then rows.
system separable[N, R] where N >= 1 and R >= 1 {
  in  i64 A : [0..N+R-2, 0..N+R-2];
  in  i64 u, v : [0..R-1];
  out i64 Y : [0..N-1, 0..N-1];
  Y[i, j] = sum[y, x : 0 <= y, x < R] u[y] * v[x] * A[i + y, j + x];
}
