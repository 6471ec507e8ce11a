// Binomial coefficients.
system pascal[N] where N >= 0 {
  out i64 C : { [n, k] : 0 <= k <= n <= N };
  C[n, k] = case { k = 0 or k = n : 1; else : C[n-1, k-1] + C[n-1, k]; };
}
