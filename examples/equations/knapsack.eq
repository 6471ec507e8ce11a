// The most valuable choice of items, each at most once, within every capacity up to C.
const NEVER = 1000000;
system knapsack[N, C] where N >= 1 and C >= 1 {
  in  i64 weight, value : [1..N];
  out i64 best : [0..C];
  let i64 K : [0..N, 0..C];
  K[n, c] = case {
    n = 0 : 0;
    else  : max[w : 0 <= w <= c]
      K[n-1, c - w] + (if weight[n] = w then max(0, value[n]) else (if w = val[0] then 0 else -NEVER));
  };
  best[c] = K[N, c];
}
