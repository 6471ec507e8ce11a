// A maximum of doubles is one instruction in scalar code, which on some processors is there a cycle
// later. Two lanes without blends gain nothing over that; four lanes do, and so do places of
// extremes of floats.
//
// RUN: %clang -O3 -march=x86-64 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=TWO --implicit-check-not=remark:
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FOUR --implicit-check-not=remark:

// TWO: [[#@LINE+4]]:3: remark: 1 loop not optimized: no profitable transformation
// FOUR: [[#@LINE+3]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
double largest(int n, const double *a) {
  double best = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > best)
      best = a[i];
  return best;
}

// TWO: [[#@LINE+5]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
// FOUR: [[#@LINE+4]]:3: remark: optimized 1 loop: 1 extreme is looked for in lanes
int place(int n, const float *a) {
  float best = a[0];
  int at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
  return at;
}
