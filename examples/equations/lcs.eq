// The length of the longest common subsequence.
system lcs[N, M] where N >= 1 and M >= 1 {
  in  u8 a : [1..N];
  in  u8 b : [1..M];
  out i32 length : { [] };
  let i32 L : [0..N, 0..M];
  L[i, j] = case {
    i = 0 or j = 0 : 0;
    else : if a[i] = b[j] then L[i-1, j-1] + 1 else max(L[i-1, j], L[i, j-1]);
  };
  length = L[N, M];
}
