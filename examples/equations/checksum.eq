// The sum of all elements of a product of matrices: `simplify` never makes the product (ABFT).
system checksum[N] where N >= 1 {
  in  i64 A, B : [0..N-1, 0..N-1];
  out i64 total : { [] };
  total = sum[i, j, k : 0 <= i, j, k < N] A[i, k] * B[k, j];
}
