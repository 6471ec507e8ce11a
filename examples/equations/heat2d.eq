// The heat equation on a ring of plates: the second direction is periodic.
system heat2d[N, T] where N >= 2 and T >= 0 {
  in  f64 A : [0..N, 0..N];
  out f64 B : [0..N, 0..N];
  let f64 X : [0..T, 0..N, 0..N];
  X[t, i, j] = case {
    t = 0                               : A[i, j];
    t > 0 and (i = 0 or i = N)          : X[t-1, i, j];
    t > 0 and 0 < i < N and j = 0       : 0.25 * (X[t-1, i-1, j] + X[t-1, i+1, j] + X[t-1, i, N] + X[t-1, i, 1]);
    t > 0 and 0 < i < N and j = N       : 0.25 * (X[t-1, i-1, j] + X[t-1, i+1, j] + X[t-1, i, N-1] + X[t-1, i, 0]);
    else : 0.25 * (X[t-1, i-1, j] + X[t-1, i+1, j] + X[t-1, i, j-1] + X[t-1, i, j+1]);
  };
  B[i, j] = X[T, i, j];
}
