// T products of a matrix with a vector, without scaling.
system power_iteration[N, T] where N >= 1 and T >= 0 {
  in  i64 A : [0..N-1, 0..N-1];
  in  i64 x : [0..N-1];
  out i64 y : [0..N-1];
  let i64 V : [0..T, 0..N-1];
  V[t, i] = case { t = 0 : x[i]; else : sum[j : 0 <= j < N] A[i, j] * V[t-1, j]; };
  y[i] = V[T, i];
}
