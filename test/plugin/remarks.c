// Every loop nest that was looked at has a remark: what was done, or the first reason why not, at the place that causes it.

// RUN: env POLY_OPTS=force %clang -O2 %withpoly -Rpass=poly -Rpass-missed=poly -Rpass-analysis=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:
// RUN: env POLY_OPTS=force %clang -O2 -g %withpoly -Rpass=poly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=remark:

// Details on demand.
// RUN: env POLY_OPTS='force remark-details' %clang -O2 %withpoly -Rpass-analysis=poly -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=DETAILS %s
// DETAILS: remark: new loops:
// DETAILS: for (int c0 = 0;
// DETAILS: schedule:
// DETAILS: domain: "

// RUN: env POLY_OPTS=force %clang -O2 %withpoly -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=poly -c %s -o %t.o
// RUN: %FileCheck %s --check-prefix=RECORD --input-file=%t.yaml
// RECORD:      --- !Passed
// RECORD-NEXT: Pass:            poly
// RECORD-NEXT: Name:            Optimized
// RECORD-NEXT: DebugLoc:        { File: {{.*}}remarks.c{{.*}}, Line: [[#@LINE+12]],
// RECORD:      Function:        transpose
// RECORD-NEXT: Args:
// RECORD-NEXT:   - String:          'optimized '
// RECORD-NEXT:   - Loops:           '2'
// RECORD-NEXT:   - What:
// RECORD:      --- !Missed
// RECORD-NEXT: Pass:            poly
// RECORD-NEXT: Name:            Call

// CHECK: remarks.c:[[#@LINE+2]]:3: remark: optimized 2 loops, 1 statement
void transpose(double (*restrict a)[300], double (*restrict b)[300]) {
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++)
      a[i][j] = b[j][i];
}

double opaque(double);

// CHECK: remarks.c:[[#@LINE+3]]:12: remark: loops not optimized: {{.*}}opaque
void calls(double *a) {
  for (int i = 0; i < 300; i++)
    a[i] = opaque(a[i]);
}
