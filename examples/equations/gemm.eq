// Product of two matrices.
system gemm[N, M, K] where N >= 1 and M >= 1 and K >= 1 {
  in  f64 A : [0..N-1, 0..K-1];
  in  f64 B : [0..K-1, 0..M-1];
  out f64 C : [0..N-1, 0..M-1];
  C[i, j] = sum[k : 0 <= k < K] A[i, k] * B[k, j];
}
