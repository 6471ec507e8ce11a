// A compiler driver that has Poly switched on: flags, exit status, and objects that link as ever.
// REQUIRES: polycc
// RUN: %polycc --poly-explain -O3 -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: polycc.c:[[@LINE+16]]:{{.*}} remark: optimized
// RUN: %polycc --poly-off=scale -O3 -c %s -o %t.off.o -Rpass=poly 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: optimized
// RUN: %polycc -O3 -Werror %t.o -o %t && %t
// RUN: %not %polycc --poly-tiles=8 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: polycc: error: there is no option --poly-tiles=8; --poly-help lists those that there are
// RUN: %not %polycc -c %t.missing.c 2>&1 | %FileCheck %s --check-prefix=MISSING
// MISSING: error: no such file or directory

// A page about the loops beside the object; a program that does not compile has the compiler's message only.
// REQUIRES: poly
// RUN: rm -f %t.html && %polycc --poly-report=%t.html -O3 -c %s -o %t.o && grep -q 'What Poly did with' %t.html
// RUN: %not %polycc --poly-report=%t.none/a.html -O3 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FOLDER
// FOLDER: polycc: error: --poly-report: there is no folder

void scale(int n, double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = 2 * b[j][i];
}

int main(void) { return 0; }
