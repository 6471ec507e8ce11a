// Internal loops of folded RNA: what closes them, what they close, their size and their asymmetry.
// Of degree four as it is written, of degree three after `simplify`.
system internal_loops[N] where N >= 4 {
  in  i32 outer, inner : { [i, j] : 1 <= i < j <= N };
  in  i32 size : [0..N];
  in  i32 asym : [-N..N];
  out i64 V : { [i, j] : 1 <= i and i + 3 <= j <= N };
  V[i, j] = min[p, q : i < p < q < j]
    outer[i, j] + inner[p, q] + size[p - i + j - q - 2] + asym[p - i + q - j];
}
