system circle[N] where N >= 1 {
  in  i64 A : [0..N];
  out i64 X : [0..N];
  X[i] = A[i] + X[N - i];
}
