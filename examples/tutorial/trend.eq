// By how much the sum of a window grows, with the system of another file.
use "sums.eq";

system trend[N, W] where 1 <= W < N {
  in  i64 A : [0..N-1];
  out i64 D : [1..N-W];
  let i64 S : [0..N-W];
  (S) = window[N, W](A);
  D[i] = S[i] - S[i-1];
}
