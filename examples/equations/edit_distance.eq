// How many letters are inserted, removed or replaced to make one word of another.
system edit_distance[N, M] where N >= 1 and M >= 1 {
  in  u8 a : [1..N];
  in  u8 b : [1..M];
  out i32 distance : { [] };
  let i32 D : [0..N, 0..M];
  D[i, j] = case {
    i = 0           : val[j];
    i > 0 and j = 0 : val[i];
    else : min(D[i-1, j-1] + (if a[i] = b[j] then 0 else 1), D[i-1, j] + 1, D[i, j-1] + 1);
  };
  distance = D[N, M];
}
