// LU factorization without pivots, both factors in one array: L has ones on its diagonal.
system lu_packed[N] where N >= 1 {
  in  f64 A : [0..N-1, 0..N-1];
  out f64 F : [0..N-1, 0..N-1];
  F[i, j] = case {
    i <= j : A[i, j] - sum[k : 0 <= k < i] F[i, k] * F[k, j];
    else   : (A[i, j] - (sum[k : 0 <= k < j] F[i, k] * F[k, j])) / F[j, j];
  };
}
