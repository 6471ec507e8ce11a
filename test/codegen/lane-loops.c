// Loops that end when data say so, executed by neighbouring points of a row: each point is a lane, and the loop runs until no lane is left. The points that fill no vector are lanes of a mask.
//
// RUN: %clang -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -S %t.ll -verify-each \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),poly<machine=haswell>)' \
// RUN:   | %FileCheck %s
// RUN: %opt %loadpoly -S %t.ll -verify-each \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),loop-mssa(licm),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),poly<machine=haswell>)' \
// RUN:   | %FileCheck --check-prefix=LOADS %s
// RUN: %opt %loadpoly -S %t.ll \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),poly<machine=haswell;no-lanes>)' \
// RUN:   | %FileCheck --check-prefix=WITHOUT %s
// RUN: env POLY_LOG=debug %opt %loadpoly -disable-output %t.ll \
// RUN:   -passes='function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars),poly<machine=haswell>)' 2>&1 \
// RUN:   | grep -E 'function=|refusal=' | %FileCheck --check-prefix=REFUSED %s
//
// WITHOUT-NOT: poly.lanes
// REFUSED-NOT: refusal=

// Newton's method: one way out.
// CHECK-LABEL: define {{.*}} @roots(
// CHECK:       poly.c0.vector:
// CHECK:         [[A:%.*]] = load <4 x double>
// CHECK:       poly.lanes:
// CHECK-NEXT:    [[ACTIVE:%.*]] = phi <4 x i1> [ {{(splat \(i1 true\)|<i1 true, i1 true, i1 true, i1 true>)}}, %poly.c0.vector ], [ [[NEXT:%.*]], %poly.lanes ]
// CHECK:         fdiv <4 x double>
// CHECK:         [[GOES:%.*]] = fcmp ogt <4 x double>
// CHECK-NEXT:    [[NEXT]] = select <4 x i1> [[ACTIVE]], <4 x i1> [[GOES]], <4 x i1> zeroinitializer
// CHECK-NEXT:    select <4 x i1> [[ACTIVE]], <4 x double> {{.*}}, <4 x double>
// CHECK:         br i1 {{.*}}, label %poly.lanes{{.*}}, label %poly.lanes
// CHECK:       poly.lanes.left:
// CHECK:         store <4 x double>
// CHECK:       poly.some:
// CHECK:         [[MASK:%.*]] = icmp {{.*}}<4 x i64>
// CHECK:         call <4 x double> @llvm.masked.load{{.*}}<4 x i1> [[MASK]]
// CHECK:       poly.lanes{{[0-9]+}}:
// CHECK-NEXT:    phi <4 x i1> [ [[MASK]], %poly.some ]
// CHECK:         call void @llvm.masked.store{{.*}}<4 x i1> [[MASK]]
void roots(int n, const double *restrict a, double *restrict r) {
  for (int i = 0; i < n; i++) {
    double x = a[i], d, first = x;
    do {
      double y = 0.5 * (x + first / x);
      d = x - y;
      x = y;
    } while (d > 1e-12 || d < -1e-12);
    r[i] = x;
  }
}

// A guard before the loop is a mask of the lanes that come to it; a choice in it is one of vectors.
// CHECK-LABEL: define {{.*}} @steps(
// CHECK:         [[COMES:%.*]] = icmp ugt <8 x i32>
// CHECK:       poly.lanes:
// CHECK:         phi <8 x i1> [ [[COMES]], {{.*}} ]
// CHECK:         select <8 x i1> {{.*}}, <8 x i32>
// CHECK:       poly.lanes.left:
// CHECK:         [[R:%.*]] = select <8 x i1> {{.*}}, <8 x i32>
// CHECK:         store <8 x i32> [[R]]
void steps(int n, const unsigned *restrict a, int *restrict r) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i];
    int c = 0;
    while (x > 1) {
      x = x & 1 ? 3 * x + 1 : x >> 1;
      c++;
    }
    r[i] = c;
  }
}

// Behind a condition, loads are executed once, by the lanes that come there: neighbouring elements
// with a mask, one element for all lanes.
// LOADS-LABEL: define {{.*}} @loads(
// LOADS:       poly.lanes:
// LOADS:         [[HAVE:%.*]] = phi <4 x i1> [ zeroinitializer, {{.*}} ]
// LOADS:         [[NOT:%.*]] = xor <4 x i1> [[HAVE]]
// LOADS:         [[MISSING:%.*]] = and <4 x i1> {{.*}}[[NOT]]
// LOADS:       poly.some:
// LOADS:         call <4 x double> @llvm.masked.load.v4f64.p0({{.*}}<4 x i1> [[MISSING]]
// LOADS:         [[ONE:%.*]] = load double, ptr %scale
// LOADS:       poly.none:
void loads(int n, const double *restrict a, const double *restrict by, const double *restrict scale,
           double *restrict r) {
  for (int i = 0; i < n; i++) {
    double x = a[i];
    while (x > 1.0) {
      x = 0.5 * (x + 1.0 / x);
      if (x > 2.0)
        x -= by[i] * *scale;
    }
    r[i] = x;
  }
}

// What the points of a row have in common is computed in front of it: a scalar, which is repeated once.
// LOADS-LABEL: define {{.*}} @rows(
// LOADS:         [[ROW:%.*]] = shufflevector <4 x double> {{.*}} zeroinitializer
// LOADS:       poly.c1.vector:
// LOADS:         fcmp ogt <4 x double> {{%.*}}, [[ROW]]
// LOADS:       poly.lanes:
// LOADS:         fdiv <4 x double> [[ROW]], {{%.*}}
void rows(int n, int m, const double *restrict a, double *restrict r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = a[j], limit = 1.0 / (i + 1);
      while (x > limit)
        x = 0.5 * (x + limit / x) - 0.25;
      r[i * m + j] = x;
    }
}

// CHECK-LABEL: define {{.*}} @counted(
// CHECK-NOT:   poly.lanes
// REFUSED:     refusal=LLVM knows how often it runs
void counted(int n, const int *restrict a, double *restrict r) {
  for (int i = 0; i < n; i++) {
    double x = i;
    int m = a[i];
    for (int k = 0; k < m; k++)
      x = x * 0.5 + 1;
    r[i] = x;
  }
}

// REFUSED:     refusal=it divides integers by what may be 0 or -1
void remainders(int n, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict r) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], y = b[i];
    while (y) {
      unsigned t = x % y;
      x = y;
      y = t;
    }
    r[i] = x;
  }
}

// REFUSED:     refusal=it loads from addresses that it computes
void probes(int n, const unsigned *restrict key, const unsigned *restrict table, unsigned *restrict where) {
  for (int i = 0; i < n; i++) {
    unsigned k = key[i] & 1023;
    while (table[k] != key[i])
      k = (k + 1) & 1023;
    where[i] = k;
  }
}

// REFUSED:     refusal=it writes to memory
void marks(int n, const unsigned *restrict a, unsigned *restrict last, unsigned *restrict r) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i];
    while (x > 1) {
      last[i] = x;
      x = x & 1 ? 3 * x + 1 : x >> 1;
    }
    r[i] = x;
  }
}
