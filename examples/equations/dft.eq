// The discrete Fourier transform, with the table of the roots of unity.
system dft[N] where N >= 1 {
  in  f64 x, y : [0..N-1];
  in  f64 c, s : [0..N-1, 0..N-1];
  out f64 re, im : [0..N-1];
  re[k] = sum[n : 0 <= n < N] (x[n] * c[k, n] + y[n] * s[k, n]);
  im[k] = sum[n : 0 <= n < N] (y[n] * c[k, n] - x[n] * s[k, n]);
}
