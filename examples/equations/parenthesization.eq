// The cheapest order of a chain of matrix products. There is nothing to simplify.
system parenthesization[N] where N >= 1 {
  in  i64 d : [0..N];
  out i64 M : { [i, j] : 1 <= i <= j <= N };
  M[i, j] = case {
    i = j : 0;
    else  : min[k : i <= k < j] M[i, k] + M[k+1, j] + d[i-1] * d[k] * d[j];
  };
}
