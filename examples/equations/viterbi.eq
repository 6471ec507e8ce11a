// The most likely path through a hidden Markov model, with logarithms of probabilities as integers.
system viterbi[S, T] where S >= 1 and T >= 1 {
  in  i64 start : [0..S-1];
  in  i64 move : [0..S-1, 0..S-1];
  in  i64 emit : [0..T-1, 0..S-1];
  out i64 best : { [] };
  let i64 V : [0..T-1, 0..S-1];
  V[t, s] = emit[t, s] + case {
    t = 0 : start[s];
    else  : max[p : 0 <= p < S] V[t-1, p] + move[p, s];
  };
  best = max[s : 0 <= s < S] V[T-1, s];
}
