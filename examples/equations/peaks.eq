// The greatest value of every window of 16: `simplify` cuts answers into blocks, each a scan from both ends.
const W = 16;
system peaks[N] where N >= 1 {
  in  i64 A : [0..N+W-2];
  out i64 Y : [0..N-1];
  Y[i] = max[j : 0 <= j < W] A[i + j];
}
