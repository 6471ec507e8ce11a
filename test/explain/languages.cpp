// Names of C++ are shown as people know them; loops that are left alone are shown with their bodies, and threads are proposed only where
// they could share work.
// REQUIRES: poly
// RUN: %program-poly explain %s -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 | %FileCheck %s
// RUN: %program-poly explain --json --function count %s -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 | %FileCheck %s --check-prefix=JSON
// RUN: %program-poly explain %s -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 --poly-parallel | %FileCheck %s --check-prefix=ASKED
// RUN: %not %program-poly explain --function nowhere %s -- --poly-plugin=%poly --poly-clang=%clang 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: error: no function with loops has a name that contains 'nowhere'
// ASKED-NOT: and --poly-parallel lets

namespace lib {
template <class T> struct Matrix {
  T *data;
  long n;
  // CHECK: lib::Matrix<double>::scale(double), 2 loops: not optimized
  // CHECK: and --poly-parallel lets threads share the work
  void scale(T by) {
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        data[i * n + j] *= by;
  }
};
template struct Matrix<double>;
} // namespace lib

// Every iteration needs the one before.
// CHECK: chain(double*), 1 loop: not optimized
// CHECK: What helps
// CHECK-NEXT: nothing needs to be changed; --poly-opts=force applies the best order that was found{{$}}
void chain(double *a) {
  for (long i = 1; i < 10000000; i++)
    a[i] = a[i] * 0.5 + a[i - 1];
}

// CHECK: count(int const*, int const*, long), 1 loop: not optimized
// CHECK: for (; a[at] != b[0];) {
// CHECK-NEXT: at = a[at];
// CHECK-NEXT: found++;
// CHECK-NEXT: }
// JSON: "first_line": [[#]],
// JSON: "function": "count(int const*, int const*, long)",
// JSON: "kind": "UnknownTripCount",
// JSON: "outcome": "unchanged",
// JSON: "symbol": "_Z5countPKiS0_l"
long count(const int *a, const int *b, long at) {
  long found = 0;
  for (; a[at] != b[0];) {
    at = a[at];
    found++;
  }
  return found;
}
