// A recursive filter of order two.
system iir[N] where N >= 1 {
  in  f64 x : [0..N-1];
  out f64 y : [0..N-1];
  y[i] = case {
    i = 0 : x[0];
    i = 1 : x[1] + 0.5 * y[0];
    else  : x[i] + 0.5 * y[i-1] - 0.25 * y[i-2];
  };
}
