// Catalan numbers: how many binary trees there are.
system catalan[N] where N >= 0 {
  out i64 C : [0..N];
  C[n] = case { n = 0 : 1; else : sum[k : 0 <= k < n] C[k] * C[n - 1 - k]; };
}
