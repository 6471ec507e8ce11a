// Shortest paths between all pairs.
system floyd_warshall[N] where N >= 1 {
  in  i64 W : [0..N-1, 0..N-1];
  out i64 D : [0..N-1, 0..N-1];
  let i64 P : [0..N, 0..N-1, 0..N-1];
  P[k, i, j] = case {
    k = 0 : W[i, j];
    else  : min(P[k-1, i, j], P[k-1, i, k-1] + P[k-1, k-1, j]);
  };
  D[i, j] = P[N, i, j];
}
