// Local alignment of two sequences with linear gaps.
const GAP = 2;
system smith_waterman[N, M] where N >= 1 and M >= 1 {
  in  u8 a : [1..N];
  in  u8 b : [1..M];
  out i64 best : { [] };
  out i64 total : { [] };
  let i64 H : [0..N, 0..M];
  H[i, j] = case {
    i = 0 or j = 0 : 0;
    else : max(0, H[i-1, j-1] + (if a[i] = b[j] then 3 else -3), H[i-1, j] - GAP, H[i, j-1] - GAP);
  };
  best = max[i, j : 0 <= i <= N and 0 <= j <= M] H[i, j];
  total = sum[i, j : 0 <= i <= N and 0 <= j <= M] H[i, j];
}
