// One level of the Haar wavelet: sums on even places of the result, differences on odd ones.
system haar[N] where N >= 1 {
  in  i64 x : [0..2*N-1];
  out i64 y : [0..2*N-1];
  y[i] = case { i mod 2 = 0 : x[i] + x[i+1]; else : x[i-1] - x[i]; };
}
