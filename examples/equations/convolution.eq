// Products of polynomials.
system convolution[N] where N >= 1 {
  in  i64 p, q : [0..N-1];
  out i64 r : [0..2*N-2];
  r[n] = reduce(+, [i, j] -> [i + j], p[i] * q[j]);
}
