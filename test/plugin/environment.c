// POLY_OPTS works in every tool, wherever it comes from in clang.

// RUN: env POLY_OPTS='no-tile; debug-panic=detect' %clang -O2 %withpoly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=READ %s
// READ: remark: internal error

// The command line wins over it, and the command line of clang needs the plugin early.
// RUN: env POLY_OPTS=debug-panic=detect %clang -O2 -fplugin=%poly %withpoly -mllvm -poly-enable=false -Rpass-missed=poly -c %s -o %t.o 2>&1 | count 0

// RUN: %not env POLY_OPTS='tile nonsense' %clang -O2 %withpoly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=WRONG %s
// WRONG: error: poly: unknown option 'nonsense'; there are: enable, {{.*}}(in POLY_OPTS)
// WRONG-NOT: error:

// RUN: %clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: %not env POLY_OPTS=nonsense %opt %loadpoly -passes=poly -disable-output %t.ll 2>&1 | %FileCheck --check-prefix=OPT %s
// OPT: error: poly: unknown option 'nonsense'

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}

void move(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}
