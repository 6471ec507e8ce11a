// The greatest element of a growing block of rows and a shrinking one of columns.
system rows_and_columns[N] where N >= 1 {
  in  i64 A : [0..N-1, 0..N-1];
  out i64 Y : [0..N-1];
  Y[i] = max[j, k : 0 <= j <= i and 0 <= k < N - i] A[j, k];
}
