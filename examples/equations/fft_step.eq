// One step of the fast Fourier transform of real numbers: two transforms of half the length.
system half[N] where N >= 1 {
  in  f64 x : [0..N-1];
  in  f64 c, s : [0..N-1, 0..N-1];
  out f64 re, im : [0..N-1];
  re[k] = sum[n : 0 <= n < N] x[n] * c[k, n];
  im[k] = 0.0 - (sum[n : 0 <= n < N] x[n] * s[k, n]);
}
system fft_step[N] where N >= 1 {
  in  f64 x : [0..2*N-1];
  in  f64 c, s : [0..N-1, 0..N-1];
  in  f64 wc, ws : [0..N-1];
  out f64 re, im : [0..2*N-1];
  let f64 er, ei, or_, oi, tr, ti : [0..N-1];
  (er, ei) = half[N](x[2*i0], c, s);
  (or_, oi) = half[N](x[2*i0 + 1], c, s);
  tr[k] = wc[k] * or_[k] + ws[k] * oi[k];
  ti[k] = wc[k] * oi[k] - ws[k] * or_[k];
  re[k] = case { k < N : er[k] + tr[k]; else : er[k - N] - tr[k - N]; };
  im[k] = case { k < N : ei[k] + ti[k]; else : ei[k - N] - ti[k - N]; };
}
