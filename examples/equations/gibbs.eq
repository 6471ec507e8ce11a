// A Gibbs sweep over classes: each point gets a new class from the sums of all others in every class.
system gibbs[N, K] where N >= 2 and K >= 1 {
  in  i64 x, before : [0..N-1];
  out i64 after : [0..N-1];
  let i64 S : [0..N-1, 0..K-1];
  S[i, k] = (sum[j : 0 <= j < i] (if after[j] = val[k] then x[j] else 0))
          + (sum[j : i < j < N] (if before[j] = val[k] then x[j] else 0));
  after[i] = (sum[k : 0 <= k < K] (k + 1) * S[i, k]) % val[K];
}
