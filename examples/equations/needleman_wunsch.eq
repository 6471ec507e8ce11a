// Global alignment.
system needleman_wunsch[N, M] where N >= 1 and M >= 1 {
  in  u8 a : [1..N];
  in  u8 b : [1..M];
  out i64 score : { [] };
  let i64 F : [0..N, 0..M];
  F[i, j] = case {
    i = 0           : -val[j];
    i > 0 and j = 0 : -val[i];
    else : max(F[i-1, j-1] + (if a[i] = b[j] then 1 else -1), F[i-1, j] - 1, F[i, j-1] - 1);
  };
  score = F[N, M];
}
