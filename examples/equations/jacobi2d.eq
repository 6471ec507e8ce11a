// T steps of a stencil of five points with a fixed border.
system jacobi2d[N, T] where N >= 2 and T >= 0 {
  in  f64 A : [0..N, 0..N];
  out f64 B : [0..N, 0..N];
  let f64 X : [0..T, 0..N, 0..N];
  X[t, i, j] = case {
    t = 0 : A[i, j];
    t > 0 and (i = 0 or i = N or j = 0 or j = N) : X[t-1, i, j];
    else  : 0.2 * (X[t-1, i, j] + X[t-1, i-1, j] + X[t-1, i+1, j] + X[t-1, i, j-1] + X[t-1, i, j+1]);
  };
  B[i, j] = X[T, i, j];
}
