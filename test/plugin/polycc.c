// A compiler driver that has Poly switched on: flags, exit status, and objects that link as ever.
// REQUIRES: polycc
// RUN: %polycc --poly-explain -O3 -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: polycc.c:[[@LINE+10]]:{{.*}} remark: optimized
// RUN: %polycc --poly-off=scale -O3 -c %s -o %t.off.o -Rpass=poly 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: optimized
// RUN: %polycc -O3 -Werror %t.o -o %t && %t
// RUN: %not %polycc --poly-tiles=8 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: polycc: error: there is no option --poly-tiles=8; --poly-help lists those that there are
// RUN: %not %polycc -c %t.missing.c 2>&1 | %FileCheck %s --check-prefix=MISSING
// MISSING: error: no such file or directory

void scale(int n, double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = 2 * b[j][i];
}

int main(void) { return 0; }
