// T steps of a stencil of three points with fixed ends.
system jacobi1d[N, T] where N >= 2 and T >= 0 {
  in  i64 A : [0..N];
  out i64 B : [0..N];
  let i64 X : [0..T, 0..N];
  X[t, i] = case {
    t = 0                    : A[i];
    t > 0 and (i = 0 or i = N) : X[t-1, i];
    else                     : X[t-1, i-1] + X[t-1, i] + X[t-1, i+1];
  };
  B[i] = X[T, i];
}
