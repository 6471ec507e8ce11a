// Remarks are in the optimization record.

// RUN: env POLY_OPTS=debug-panic=detect %clang -O2 %withpoly -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=poly -c %s -o %t.o
// RUN: %FileCheck %s --input-file=%t.yaml
// CHECK: --- !Missed
// CHECK: Pass:            poly
// CHECK: Name:            InternalError
// CHECK: Function:        scale
// CHECK: - String:

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
