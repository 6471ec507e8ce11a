// Defined at multiples of two and of three; chains have three values at most, so three steps do (Z-polyhedra).
system thirds[N] where N >= 1 {
  out i64 X : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
  X[i] = case { i mod 6 = 3 : X[i-1] + 1; i mod 6 = 4 : X[i-1] * 2; else : i; };
}
