// Cholesky factorization: A = L L^T.
extern f64 sqrt(f64);
system cholesky[N] where N >= 1 {
  in  f64 A : { [i, j] : 0 <= j <= i < N };
  out f64 L : { [i, j] : 0 <= j <= i < N };
  L[i, j] = case {
    i = j : sqrt(A[i, i] - sum[k : 0 <= k < i] L[i, k] * L[i, k]);
    else  : (A[i, j] - (sum[k : 0 <= k < j] L[i, k] * L[j, k])) / L[j, j];
  };
}
