// A clang configuration file stands beside the library: it is all that a user names, and options work with it.

// RUN: %clang --config=%poly-dir/poly.cfg -O2 -c %s -o %t.o 2>&1 | count 0
// RUN: %clang --config=%poly-dir/poly.cfg -O2 -mllvm -poly-debug-panic=detect -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: remark: internal error

// It does no harm where nothing is compiled.
// RUN: %clang --config=%poly-dir/poly.cfg -Werror -O2 -fsyntax-only %s 2>&1 | count 0
// RUN: %clang --config=%poly-dir/poly.cfg -Werror -O2 -E %s -o %t.i 2>&1 | count 0

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
