// Electric and magnetic field in one dimension.
system fdtd[N, T] where N >= 2 and T >= 0 {
  in  f64 e0 : [0..N];
  in  f64 h0 : [0..N-1];
  out f64 e1 : [0..N];
  let f64 E : [0..T, 0..N];
  let f64 H : [0..T, 0..N-1];
  E[t, i] = case {
    t = 0                      : e0[i];
    t > 0 and (i = 0 or i = N) : E[t-1, i];
    else                       : E[t-1, i] - 0.5 * (H[t-1, i] - H[t-1, i-1]);
  };
  H[t, i] = case { t = 0 : h0[i]; else : H[t-1, i] - 0.7 * (E[t, i+1] - E[t, i]); };
  e1[i] = E[T, i];
}
