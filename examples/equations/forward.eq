// The probability of an observation in a hidden Markov model.
system forward[S, T] where S >= 1 and T >= 1 {
  in  f64 start : [0..S-1];
  in  f64 move : [0..S-1, 0..S-1];
  in  f64 emit : [0..T-1, 0..S-1];
  out f64 p : { [] };
  let f64 a : [0..T-1, 0..S-1];
  a[t, s] = case { t = 0 : start[s]; else : sum[r : 0 <= r < S] a[t-1, r] * move[r, s]; } * emit[t, s];
  p = sum[s : 0 <= s < S] a[T-1, s];
}
