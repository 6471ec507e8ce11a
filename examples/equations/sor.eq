// Red-black relaxation: points with even i + j first, then the others with the new values around them.
system sor[N, T] where N >= 2 and T >= 0 {
  in  i64 A : [0..N, 0..N];
  out i64 B : [0..N, 0..N];
  let i64 X : [0..T, 0..N, 0..N];
  X[t, i, j] = case {
    t = 0 : A[i, j];
    t > 0 and (i = 0 or i = N or j = 0 or j = N) : X[t-1, i, j];
    t > 0 and 0 < i < N and 0 < j < N and (i + j) mod 2 = 0 : X[t-1, i-1, j] + X[t-1, i+1, j] + X[t-1, i, j-1] + X[t-1, i, j+1];
    else  : X[t, i-1, j] + X[t, i+1, j] + X[t, i, j-1] + X[t, i, j+1];
  };
  B[i, j] = X[T, i, j];
}
