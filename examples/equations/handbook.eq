// Equation 15.1 of the handbook: cubic as it is written, quadratic after `simplify`.
system handbook[N] where N >= 1 {
  in  i64 A : [0..N-1, 0..2*N-2];
  in  i64 B : [0..N-1, 0..N-1];
  out i64 Y : [0..N-1];
  Y[i] = sum[j, k : 0 <= j, k <= i] A[i, j + k] * B[k, j];
}
