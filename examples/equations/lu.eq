// LU factorization without pivots.
system lu[N] where N >= 1 {
  in  f64 A : [0..N-1, 0..N-1];
  out f64 L : { [i, j] : 0 <= j <= i < N };
  out f64 U : { [i, j] : 0 <= i <= j < N };
  U[i, j] = A[i, j] - sum[k : 0 <= k < i] L[i, k] * U[k, j];
  L[i, j] = case {
    i = j : 1.0;
    else  : (A[i, j] - (sum[k : 0 <= k < j] L[i, k] * U[k, j])) / U[j, j];
  };
}
