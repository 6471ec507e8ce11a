// The part of an array that the check compares ends behind the last element that is accessed, not with its row.
// RUN: %clang -O2 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -poly-force -poly-only-func=diagonal,slices,upper,words -passes='loop-simplify,lcssa,poly' -S %t.ll -o %t.new.ll
// RUN: %FileCheck %s < %t.new.ll

// Which code runs: what reaches the new one says so.
// RUN: sed 's/^poly\.opt:.*/poly.opt:\n  call void @new_code()/' %t.new.ll > %t.marked.ll
// RUN: %clang -O1 %t.marked.ll -o %t.program
// RUN: %t.program | %FileCheck --check-prefix=PLACES %s

#include <stdio.h>

static const char *found;

__attribute__((noinline, used)) void new_code(void) { found = "new"; }

// Rows of 2601 elements; the last one has one, so 2600 * 2600 elements.
// CHECK-LABEL: define {{.*}}@diagonal(
// CHECK:       [[ADDRESS:%.*]] = ptrtoint ptr %R to i64
// CHECK-NEXT:  [[R:%.*]] = zext i64 [[ADDRESS]] to i128
// CHECK:       add {{.*}}i128 [[R]], 54080000
__attribute__((noinline)) void diagonal(double R[2600][2600], double *x) {
  for (int k = 0; k < 2600; k++) {
    R[k][k] = x[k];
    for (int j = k + 1; j < 2600; j++)
      R[k][j] = x[j];
  }
}

// Behind row n - 1 come m elements.
// CHECK-LABEL: define {{.*}}@slices(
// CHECK-DAG:   [[BYTES:%.*]] = shl i64 %l, 3
// CHECK-DAG:   [[ROW:%.*]] = add {{.*}}i64 %n, -1
// CHECK:       call { i64, i1 } @llvm.smul.with.overflow.i64(i64 [[ROW]], i64 [[BYTES]])
// CHECK:       [[COLUMN:%.*]] = call i64 @llvm.smin.i64(
// CHECK:       call i64 @llvm.smax.i64(i64 [[COLUMN]], i64
__attribute__((noinline)) void slices(long n, long m, long l, double *A, double *B) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i * l + j] += B[i * l + j];
}

// The first element is the second one of row 0, the last one is the last one of row 18.
// CHECK-LABEL: define {{.*}}@upper(
// CHECK:       [[ADDRESS:%.*]] = ptrtoint ptr %U to i64
// CHECK-NEXT:  [[U:%.*]] = zext i64 [[ADDRESS]] to i128
// CHECK:       add {{.*}}i128 [[U]], 8
// CHECK:       add {{.*}}i128 [[U]], 3040
__attribute__((noinline)) void upper(double *x, double U[20][20]) {
  for (int i = 0; i < 20; i++)
    for (int j = i + 1; j < 20; j++)
      U[i][j] = x[j - i];
}

// An element has four bytes; the last access has eight.
// CHECK-LABEL: define {{.*}}@words(
// CHECK:       add {{.*}}i128 %{{.*}}, 1160
__attribute__((noinline)) void words(int *x, int a[10][30]) {
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 20; j += 2) {
      long both;
      __builtin_memcpy(&both, &a[i][j], 8);
      both += x[j];
      __builtin_memcpy(&a[i][j], &both, 8);
    }
}

static double memory[2600 * 2600 + 5200];

#define PLACE(text, call)                                                                                                          \
  found = "original";                                                                                                              \
  call;                                                                                                                            \
  printf("%s %s\n", text, found);

__attribute__((optnone, noinline)) int main(void) {
  double *m = memory + 2600;
  // PLACES: diagonal, x directly behind: new
  // PLACES-NEXT: one element in common: original
  // PLACES-NEXT: x directly before: new
  // PLACES-NEXT: one element in common: original
  PLACE("diagonal, x directly behind:", diagonal((double(*)[2600])m, m + 2600 * 2600))
  PLACE("one element in common:", diagonal((double(*)[2600])m, m + 2600 * 2600 - 1))
  PLACE("x directly before:", diagonal((double(*)[2600])m, m - 2600))
  PLACE("one element in common:", diagonal((double(*)[2600])m, m - 2599))
  // PLACES-NEXT: slices, B directly behind: new
  // PLACES-NEXT: one element in common: original
  // PLACES-NEXT: B directly before: new
  // PLACES-NEXT: one element in common: original
  PLACE("slices, B directly behind:", slices(7, 5, 11, m, m + 6 * 11 + 5))
  PLACE("one element in common:", slices(7, 5, 11, m, m + 6 * 11 + 4))
  PLACE("B directly before:", slices(7, 5, 11, m, m - 6 * 11 - 5))
  PLACE("one element in common:", slices(7, 5, 11, m, m - 6 * 11 - 4))
  // PLACES-NEXT: upper, x directly behind: new
  // PLACES-NEXT: one element in common: original
  // PLACES-NEXT: x directly before: new
  // PLACES-NEXT: one element in common: original
  PLACE("upper, x directly behind:", upper(m + 18 * 20 + 19, (double(*)[20])m))
  PLACE("one element in common:", upper(m + 18 * 20 + 18, (double(*)[20])m))
  PLACE("x directly before:", upper(m - 19, (double(*)[20])m))
  PLACE("one element in common:", upper(m - 18, (double(*)[20])m))
  // PLACES-NEXT: words, x directly behind: new
  // PLACES-NEXT: one element in common: original
  PLACE("words, x directly behind:", words((int *)m + 9 * 30 + 20, (int(*)[30])m))
  PLACE("one element in common:", words((int *)m + 9 * 30 + 19, (int(*)[30])m))
  return 0;
}
