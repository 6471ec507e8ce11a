; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck %s
;
; Loads that LLVM has moved out of the innermost loop are read where they are used.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void vector_and_vector(int n, double A[restrict n][n], double *restrict x, double *restrict y) {
;     for (int i = 0; i < n; i++) {
;       for (int k = 0; k < n; k++)
;         for (int j = 0; j < n; j++)
;           A[i][j] += x[k] * y[j];
;     }
;   }
;   void vector_and_matrix(int n, double A[restrict n][n], double *restrict x, double B[n][n]) {
;     for (int i = 0; i < n; i++) {
;       for (int k = 0; k < n; k++)
;         for (int j = 0; j < n; j++)
;           A[i][j] += x[k] * B[k][j];
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: Dependences of function 'vector_and_vector':
; CHECK-NEXT: scop "vector_and_vector: for.cond4.preheader.lr.ph => for.end18.loopexit"
; CHECK-NEXT: flow 0.3 -> 0.2: [n] -> { S1[i0, i1, i2] -> S1[i0, 1 + i1, i2] : n <= 2147483647 and 0 <= i0 < n and 0 <= i1 <= -2 + n and 0 <= i2 < n }
; CHECK-NEXT: output 0.3 -> 0.3: [n] -> { S1[i0, i1, i2] -> S1[i0, 1 + i1, i2] : n <= 2147483647 and 0 <= i0 < n and 0 <= i1 <= -2 + n and 0 <= i2 < n }
define void @vector_and_vector(i32 %n, ptr noalias %A, ptr noalias readonly %x, ptr noalias readonly %y) {
entry:
  %0 = zext i32 %n to i64
  %cmp34 = icmp sgt i32 %n, 0
  br i1 %cmp34, label %for.cond4.preheader.lr.ph, label %for.end18

for.cond4.preheader.lr.ph:
  %indvars.iv42 = phi i64 [ %indvars.iv.next43, %for.inc16 ], [ 0, %entry ]
  %1 = mul nuw nsw i64 %indvars.iv42, %0
  %arrayidx10 = getelementptr inbounds double, ptr %A, i64 %1
  br label %for.cond4.preheader

for.cond4.preheader:
  %indvars.iv37 = phi i64 [ 0, %for.cond4.preheader.lr.ph ], [ %indvars.iv.next38, %for.inc13 ]
  %arrayidx = getelementptr inbounds double, ptr %x, i64 %indvars.iv37
  %2 = load double, ptr %arrayidx, align 8
  br label %for.body6

for.body6:
  %indvars.iv = phi i64 [ 0, %for.cond4.preheader ], [ %indvars.iv.next, %for.body6 ]
  %arrayidx8 = getelementptr inbounds double, ptr %y, i64 %indvars.iv
  %3 = load double, ptr %arrayidx8, align 8
  %arrayidx12 = getelementptr inbounds double, ptr %arrayidx10, i64 %indvars.iv
  %4 = load double, ptr %arrayidx12, align 8
  %5 = tail call double @llvm.fmuladd.f64(double %2, double %3, double %4)
  store double %5, ptr %arrayidx12, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.inc13, label %for.body6

for.inc13:
  %indvars.iv.next38 = add nuw nsw i64 %indvars.iv37, 1
  %exitcond41.not = icmp eq i64 %indvars.iv.next38, %0
  br i1 %exitcond41.not, label %for.inc16, label %for.cond4.preheader

for.inc16:
  %indvars.iv.next43 = add nuw nsw i64 %indvars.iv42, 1
  %exitcond46.not = icmp eq i64 %indvars.iv.next43, %0
  br i1 %exitcond46.not, label %for.end18, label %for.cond4.preheader.lr.ph

for.end18:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double) #1

; CHECK-LABEL: Dependences of function 'vector_and_matrix':
; CHECK-NEXT: scop "vector_and_matrix: for.cond4.preheader.lr.ph => for.end20.loopexit"
; CHECK-NEXT: flow 0.3 -> 0.2: [n] -> { S1[i0, i1, i2] -> S1[i0, 1 + i1, i2] : n <= 2147483647 and 0 <= i0 < n and 0 <= i1 <= -2 + n and 0 <= i2 < n }
; CHECK-NEXT: output 0.3 -> 0.3: [n] -> { S1[i0, i1, i2] -> S1[i0, 1 + i1, i2] : n <= 2147483647 and 0 <= i0 < n and 0 <= i1 <= -2 + n and 0 <= i2 < n }
define void @vector_and_matrix(i32 %n, ptr noalias %A, ptr noalias readonly %x, ptr readonly %B) {
entry:
  %0 = zext i32 %n to i64
  %cmp39 = icmp sgt i32 %n, 0
  br i1 %cmp39, label %for.cond4.preheader.lr.ph, label %for.end20

for.cond4.preheader.lr.ph:
  %indvars.iv47 = phi i64 [ %indvars.iv.next48, %for.inc18 ], [ 0, %entry ]
  %1 = mul nuw nsw i64 %indvars.iv47, %0
  %arrayidx12 = getelementptr inbounds double, ptr %A, i64 %1
  br label %for.cond4.preheader

for.cond4.preheader:
  %indvars.iv42 = phi i64 [ 0, %for.cond4.preheader.lr.ph ], [ %indvars.iv.next43, %for.inc15 ]
  %arrayidx = getelementptr inbounds double, ptr %x, i64 %indvars.iv42
  %2 = load double, ptr %arrayidx, align 8
  %3 = mul nuw nsw i64 %indvars.iv42, %0
  %arrayidx8 = getelementptr inbounds double, ptr %B, i64 %3
  br label %for.body6

for.body6:
  %indvars.iv = phi i64 [ 0, %for.cond4.preheader ], [ %indvars.iv.next, %for.body6 ]
  %arrayidx10 = getelementptr inbounds double, ptr %arrayidx8, i64 %indvars.iv
  %4 = load double, ptr %arrayidx10, align 8
  %arrayidx14 = getelementptr inbounds double, ptr %arrayidx12, i64 %indvars.iv
  %5 = load double, ptr %arrayidx14, align 8
  %6 = tail call double @llvm.fmuladd.f64(double %2, double %4, double %5)
  store double %6, ptr %arrayidx14, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.inc15, label %for.body6

for.inc15:
  %indvars.iv.next43 = add nuw nsw i64 %indvars.iv42, 1
  %exitcond46.not = icmp eq i64 %indvars.iv.next43, %0
  br i1 %exitcond46.not, label %for.inc18, label %for.cond4.preheader

for.inc18:
  %indvars.iv.next48 = add nuw nsw i64 %indvars.iv47, 1
  %exitcond51.not = icmp eq i64 %indvars.iv.next48, %0
  br i1 %exitcond51.not, label %for.end20, label %for.cond4.preheader.lr.ph

for.end20:
  ret void
}

attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
