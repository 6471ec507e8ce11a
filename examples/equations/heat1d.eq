// The heat equation on a rod with fixed ends.
system heat1d[N, T] where N >= 2 and T >= 0 {
  in  f64 A : [0..N];
  out f64 B : [0..N];
  let f64 X : [0..T, 0..N];
  X[t, i] = case {
    t = 0                      : A[i];
    t > 0 and (i = 0 or i = N) : X[t-1, i];
    else                       : X[t-1, i] + 0.125 * (X[t-1, i-1] - 2.0 * X[t-1, i] + X[t-1, i+1]);
  };
  B[i] = X[T, i];
}
