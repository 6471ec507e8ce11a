// An unbounded knapsack: the best price of a rod that may be cut anywhere.
system rod_cutting[N] where N >= 1 {
  in  i64 price : [1..N];
  out i64 best : [0..N];
  best[n] = case { n = 0 : 0; else : max[k : 1 <= k <= n] price[k] + best[n - k]; };
}
