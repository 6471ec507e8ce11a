// The least number of letters to insert, delete or replace that makes a to b.
system distance[N, M] where N >= 1 and M >= 1 {
  in  u8  a : [1..N];
  in  u8  b : [1..M];
  out i64 edits : { [] };
  let i64 D : [0..N, 0..M];
  edits = D[N, M];
  D[i, j] = case {
    i = 0 : j;
    j = 0 and i > 0 : i;
    else : min(D[i-1, j-1] + (if a[i] = b[j] then 0 else 1),
               min(D[i-1, j], D[i, j-1]) + 1);
  };
}
