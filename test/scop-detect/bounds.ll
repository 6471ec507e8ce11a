; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Bounds that depend on outer counters and parameters.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void triangle(int n, double A[restrict][128]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j <= i; j++)
;         A[i][j] += 1;
;   }
;   void trapezoid(int n, int m, double *restrict A, double B[restrict][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = i; j < n + m - i; j++)
;         B[i][j] = 2 * A[j];
;   }
;   void band(int n, double A[restrict][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = i > 3 ? i - 3 : 0; j < (i + 4 < n ? i + 4 : n); j++)
;         A[i][j] = 0.5 * A[i][j];
;   }
;   void three_deep(int n, double A[restrict][300]) {
;     for (int k = 0; k < n; k++)
;       for (int i = k + 1; i < n; i++)
;         for (int j = k + 1; j < n; j++)
;           A[i][j] -= A[i][k] * A[k][j];
;   }
;   void min_of_two(int n, int m, int k, double *restrict A, double *restrict B) {
;     for (int i = 0 > k ? 0 : k; i < (n < m ? n : m); i++)
;       A[i] = B[i] * 2;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'triangle':
; CHECK-NEXT: scop "triangle: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 128 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}128{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : i0 < n and 0 <= i1 <= i0 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %1
define void @triangle(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp16 = icmp sgt i32 %n, 0
  br i1 %cmp16, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  %wide.trip.count28 = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv23 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next24, %for.cond.cleanup3 ]
  %indvars.iv21 = phi i64 [ 1, %for.cond1.preheader.preheader ], [ %indvars.iv.next22, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next24 = add nuw nsw i64 %indvars.iv23, 1
  %indvars.iv.next22 = add nuw nsw i64 %indvars.iv21, 1
  %exitcond29.not = icmp eq i64 %indvars.iv.next24, %wide.trip.count28
  br i1 %exitcond29.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [128 x double], ptr %A, i64 %indvars.iv23, i64 %indvars.iv
  %0 = load double, ptr %arrayidx6, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx6, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %indvars.iv21
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'trapezoid':
; CHECK-NEXT: scop "trapezoid: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n, m] -> { : m <= 501 - n } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*][{{.*}}501{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n + m - 2i0 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0, i1] -> A[i0 + i1] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n, m] -> { S0[i0, i1] -> B[i0, i1] } of %1
define void @trapezoid(i32 %n, i32 %m, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp22 = icmp sgt i32 %n, 0
  br i1 %cmp22, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %add = add nsw i32 %m, %n
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  %sub = sub i32 %add, %0
  %1 = sext i32 %sub to i64
  %cmp220 = icmp slt i64 %indvars.iv, %1
  br i1 %cmp220, label %for.body4, label %for.cond.cleanup3

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %indvars.iv24 = phi i64 [ %indvars.iv.next25, %for.body4 ], [ %indvars.iv, %for.cond1.preheader ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv24
  %2 = load double, ptr %arrayidx, align 8
  %mul = fmul double %2, 2.000000e+00
  %arrayidx8 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv24
  store double %mul, ptr %arrayidx8, align 8
  %indvars.iv.next25 = add nuw nsw i64 %indvars.iv24, 1
  %cmp2 = icmp slt i64 %indvars.iv.next25, %1
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3
}

; CHECK-LABEL: SCoPs of function 'band':
; CHECK-NEXT: scop "band: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 500 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}500{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n and i1 <= 2 + n - i0 and i1 <= 3 + i0 and i1 <= 6 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> A[i0, -3 + i0 + i1] : i0 >= 3; S0[i0, i1] -> A[i0, i1] : i0 <= 2 }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, -3 + i0 + i1] : i0 >= 3; S0[i0, i1] -> A[i0, i1] : i0 <= 2 } of %1
define void @band(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp36 = icmp sgt i32 %n, 0
  br i1 %cmp36, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv39 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next40, %for.cond.cleanup10 ]
  %0 = trunc nuw nsw i64 %indvars.iv39 to i32
  %cond = tail call i32 @llvm.usub.sat.i32(i32 %0, i32 3)
  %1 = trunc i64 %indvars.iv39 to i32
  %2 = add i32 %1, 4
  %cond8 = tail call i32 @llvm.smin.i32(i32 %2, i32 %n)
  %cmp934 = icmp slt i32 %cond, %cond8
  br i1 %cmp934, label %for.body11.lr.ph, label %for.cond.cleanup10

for.body11.lr.ph:
  %3 = call i32 @llvm.usub.sat.i32(i32 %0, i32 3)
  %4 = zext i32 %3 to i64
  br label %for.body11

for.cond.cleanup10:
  %indvars.iv.next40 = add nuw nsw i64 %indvars.iv39, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next40, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.body11:
  %indvars.iv = phi i64 [ %4, %for.body11.lr.ph ], [ %indvars.iv.next, %for.body11 ]
  %arrayidx13 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv39, i64 %indvars.iv
  %5 = load double, ptr %arrayidx13, align 8
  %mul = fmul double %5, 5.000000e-01
  store double %mul, ptr %arrayidx13, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %6 = trunc nuw i64 %indvars.iv.next to i32
  %cmp9 = icmp sgt i32 %cond8, %6
  br i1 %cmp9, label %for.body11, label %for.cond.cleanup10
}

declare i32 @llvm.usub.sat.i32(i32, i32) #1

declare i32 @llvm.smin.i32(i32, i32) #1

; CHECK-LABEL: SCoPs of function 'three_deep':
; CHECK-NEXT: scop "three_deep: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 300 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}300{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1, i2] : i0 >= 0 and 0 <= i1 <= -2 + n - i0 and 0 <= i2 <= -2 + n - i0 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1, i2] -> A[1 + i0 + i1, i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0, i1, i2] -> A[i0, 1 + i0 + i2] }
; CHECK-NEXT:     %2 = read [n] -> { S0[i0, i1, i2] -> A[1 + i0 + i1, 1 + i0 + i2] }
; CHECK-NEXT:     %3 = fneg %0
; CHECK-NEXT:     %4 = llvm.fmuladd.f64 %3, %1, %2
; CHECK-NEXT:     write [n] -> { S0[i0, i1, i2] -> A[1 + i0 + i1, 1 + i0 + i2] } of %4
define void @three_deep(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp45 = icmp sgt i32 %n, 0
  br i1 %cmp45, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %n to i64
  %wide.trip.count58 = zext nneg i32 %n to i64
  br label %for.body

for.cond.loopexit:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond59.not = icmp eq i64 %indvars.iv.next56, %wide.trip.count58
  br i1 %exitcond59.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv55 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next56, %for.cond.loopexit ]
  %indvars.iv = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next, %for.cond.loopexit ]
  %indvars.iv.next56 = add nuw nsw i64 %indvars.iv55, 1
  %cmp243 = icmp ult i64 %indvars.iv.next56, %0
  br i1 %cmp243, label %for.cond6.preheader, label %for.cond.loopexit

for.cond6.preheader:
  %indvars.iv50 = phi i64 [ %indvars.iv.next51, %for.cond.cleanup8 ], [ %indvars.iv, %for.body ]
  %arrayidx11 = getelementptr inbounds [300 x double], ptr %A, i64 %indvars.iv50, i64 %indvars.iv55
  br label %for.body9

for.cond.cleanup8:
  %indvars.iv.next51 = add nuw nsw i64 %indvars.iv50, 1
  %exitcond54.not = icmp eq i64 %indvars.iv.next51, %wide.trip.count58
  br i1 %exitcond54.not, label %for.cond.loopexit, label %for.cond6.preheader

for.body9:
  %indvars.iv47 = phi i64 [ %indvars.iv, %for.cond6.preheader ], [ %indvars.iv.next48, %for.body9 ]
  %1 = load double, ptr %arrayidx11, align 8
  %arrayidx15 = getelementptr inbounds [300 x double], ptr %A, i64 %indvars.iv55, i64 %indvars.iv47
  %2 = load double, ptr %arrayidx15, align 8
  %arrayidx19 = getelementptr inbounds [300 x double], ptr %A, i64 %indvars.iv50, i64 %indvars.iv47
  %3 = load double, ptr %arrayidx19, align 8
  %neg = fneg double %1
  %4 = tail call double @llvm.fmuladd.f64(double %neg, double %2, double %3)
  store double %4, ptr %arrayidx19, align 8
  %indvars.iv.next48 = add nuw nsw i64 %indvars.iv47, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next48, %wide.trip.count58
  br i1 %exitcond.not, label %for.cond.cleanup8, label %for.body9
}

declare double @llvm.fmuladd.f64(double, double, double) #1

; CHECK-LABEL: SCoPs of function 'min_of_two':
; CHECK-NEXT: scop "min_of_two: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [k, n, m] -> { : -2147483648 <= k <= 2147483647 and k < n <= 2147483647 and n > 0 and k < m <= 2147483647 and m > 0 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [k, n, m] -> { S0[i0] : 0 <= i0 < -k + m and i0 < -k + n and i0 < m and i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [k, n, m] -> { S0[i0] -> B[i0] : k <= 0; S0[i0] -> B[k + i0] : k > 0 }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [k, n, m] -> { S0[i0] -> A[i0] : k <= 0; S0[i0] -> A[k + i0] : k > 0 } of %1
define void @min_of_two(i32 %n, i32 %m, i32 %k, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cond = tail call i32 @llvm.smax.i32(i32 %k, i32 0)
  %cond5 = tail call i32 @llvm.smin.i32(i32 %n, i32 %m)
  %cmp615 = icmp slt i32 %cond, %cond5
  br i1 %cmp615, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %cond to i64
  %wide.trip.count = zext nneg i32 %cond5 to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ %0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %mul = fmul double %1, 2.000000e+00
  %arrayidx8 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  store double %mul, ptr %arrayidx8, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare i32 @llvm.smax.i32(i32, i32) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
