// At the end of the pipeline the new code of a nest becomes a function of its own, behind its last
// check; so does a long check.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -fno-discard-value-names -g -S -emit-llvm %s -o - | %FileCheck --check-prefixes=CHECK,DEBUG %s
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %opt -passes=verify -disable-output
// RUN: env POLY_OPTS=no-outline %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck --check-prefix=INLINE %s

// CHECK-LABEL: define {{.*}} @product(
// CHECK:         br i1 {{.*}}, !poly.new
// CHECK:         call void @product.poly(
// CHECK-NOT:     <{{[0-9]+}} x double>
// CHECK:         ret void
// INLINE-LABEL: define {{.*}} @product(
// INLINE:         @llvm.fmuladd.v4f64
// INLINE-NOT:   define {{.*}}.poly(
void product(int n, double *c, const double *a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// What is used behind the loops comes back.
// CHECK-LABEL: define {{.*}} @last(
// CHECK:         call void @last.poly({{.*}}ptr
// CHECK:         ret i32
int last(int n, int *restrict a, const int *restrict b) {
  int least = 1000;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[j * n + i] = b[j * n + i] * 2;
      if (a[j * n + i] < least)
        least = a[j * n + i];
    }
  return least;
}

// What is said about inlining the original is not said of its new code.
// CHECK-LABEL: define {{.*}} @always(
// CHECK:         call void @always.poly(
__attribute__((always_inline)) void always(int n, double *c, const double *a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[k * n + i] * b[k * n + j];
}

// A check with loops is a function, too, but for its first condition. It keeps all registers.
// CHECK-LABEL: define {{.*}} @elimination(
// CHECK:         br i1 {{.*}}, !poly.new
// CHECK:         call preserve_mostcc {{.*}}i1 @elimination.poly.check(
// CHECK-NOT:     !poly.new
// CHECK:         ret void
void elimination(int n, double **a) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// What is in front of the loops of a check, as the condition on sizes behind that of a load, stays.
// CHECK-LABEL: define {{.*}} @behind_load(
// CHECK:         br i1 {{.*}}, !poly.new
// CHECK:         br i1 {{.*}}, !poly.new
// CHECK:         call preserve_mostcc {{.*}}i1 @behind_load.poly.check(
// CHECK-NOT:     !poly.new
// CHECK:         ret void
struct rows {
  long n;
  double **row;
};
void behind_load(struct rows *a, struct rows *q, struct rows *r) {
  long n = a->n;
  for (long k = 0; k < n; k++)
    for (long j = k + 1; j < n; j++) {
      double d = 0;
      for (long i = 0; i < n; i++)
        d += q->row[i][k] * a->row[i][j];
      r->row[k][j] = d;
      for (long i = 0; i < n; i++)
        a->row[i][j] -= d * q->row[i][k];
    }
}

// CHECK:       define internal void @product.poly({{.*}} #[[NEW:[0-9]+]]
// CHECK:         @llvm.fmuladd.v4f64
// CHECK:       define internal void @last.poly(
// CHECK:       define internal void @always.poly({{.*}} #[[NEW]]
// CHECK:       define internal void @elimination.poly({{.*}} #[[NEW]]
// CHECK:       define internal preserve_mostcc {{.*}}i1 @elimination.poly.check({{.*}} #[[NEW]]
// CHECK:         !poly.new
// CHECK:         call {{.*}}void @elimination.poly(
// CHECK:       define internal preserve_mostcc {{.*}}i1 @behind_load.poly.check(
// CHECK:       attributes #[[NEW]] = { {{.*}}noinline{{.*}}"target-cpu"="x86-64-v3"
// DEBUG:       linkageName: "product.poly"
