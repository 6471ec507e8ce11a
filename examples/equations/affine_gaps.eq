// Local alignment where opening a gap costs more than going on with it.
const OPEN = 5;
const EXTEND = 1;
system affine_gaps[N, M] where N >= 1 and M >= 1 {
  in  u8 a : [1..N];
  in  u8 b : [1..M];
  out i64 best : { [] };
  let i64 H, E, F : [0..N, 0..M];
  E[i, j] = case { j = 0 : -1000000; else : max(E[i, j-1] - EXTEND, H[i, j-1] - OPEN); };
  F[i, j] = case { i = 0 : -1000000; else : max(F[i-1, j] - EXTEND, H[i-1, j] - OPEN); };
  H[i, j] = case {
    i = 0 or j = 0 : 0;
    else : max(0, H[i-1, j-1] + (if a[i] = b[j] then 3 else -3), E[i, j], F[i, j]);
  };
  best = max[i, j : 0 <= i <= N and 0 <= j <= M] H[i, j];
}
