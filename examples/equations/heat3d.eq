// The heat equation on a cube.
system heat3d[N, T] where N >= 2 and T >= 0 {
  in  f64 A : [0..N, 0..N, 0..N];
  out f64 B : [0..N, 0..N, 0..N];
  let f64 X : [0..T, 0..N, 0..N, 0..N];
  X[t, i, j, k] = case {
    t = 0 : A[i, j, k];
    t > 0 and (i = 0 or i = N or j = 0 or j = N or k = 0 or k = N) : X[t-1, i, j, k];
    else  : 0.25 * X[t-1, i, j, k] + 0.125 * (X[t-1, i-1, j, k] + X[t-1, i+1, j, k] + X[t-1, i, j-1, k] + X[t-1, i, j+1, k] + X[t-1, i, j, k-1] + X[t-1, i, j, k+1]);
  };
  B[i, j, k] = X[T, i, j, k];
}
