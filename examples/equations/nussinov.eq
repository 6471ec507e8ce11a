// The most pairs of a folded RNA. With k = i, base i has no partner or is one of j's.
system nussinov[N] where N >= 2 {
  in  u8 s : [0..N-1];
  out i64 pairs : { [] };
  let i64 P : { [i, j] : 0 <= i < N and i - 1 <= j < N };
  P[i, j] = case {
    j <= i : 0;
    else   : max[k : i <= k < j] case {
      k = i : max(P[i+1, j], P[i, j-1], P[i+1, j-1] + (if s[i] + s[j] = 3 then 1 else 0));
      else  : P[i, k] + P[k+1, j];
    };
  };
  pairs = P[0, N-1];
}
