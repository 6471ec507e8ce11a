// How often two divides i: even numbers depend on their halves.
system halves[N] where N >= 1 {
  out i64 X : [1..N];
  X[i] = case { i mod 2 = 0 : X[i/2] + 1; else : 0; };
}
