// An exercise of the handbook: the greatest of x[i .. 2i].
system growing_window[N] where N >= 1 {
  in  i64 x : [1..2*N];
  out i64 Y : [1..N];
  Y[i] = max[j : i <= j <= 2i] x[j];
}
