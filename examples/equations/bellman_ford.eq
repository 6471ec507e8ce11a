// Shortest paths from one node over at most T edges.
system bellman_ford[N, T] where N >= 1 and T >= 0 {
  in  i64 W : [0..N-1, 0..N-1];
  out i64 D : [0..N-1];
  let i64 P : [0..T, 0..N-1];
  P[t, v] = case {
    t = 0 and v = 0 : 0;
    t = 0 and v > 0 : 1000000;
    else : min(P[t-1, v], min[u : 0 <= u < N] P[t-1, u] + W[u, v]);
  };
  D[v] = P[T, v];
}
