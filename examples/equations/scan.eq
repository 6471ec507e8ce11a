// Prefix sums: every answer from scratch. `poly eq simplify` makes it a recurrence.
system scan[N] where N >= 1 {
  in  i64 A : [0..N-1];
  out i64 C : [0..N-1];
  C[i] = sum[j : 0 <= j <= i] A[j];
}
