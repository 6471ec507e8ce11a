; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Offsets that are products and depend on the way: 0 for the first row and i * n for all others is i * n; else there is one subscript on each way.
; Products of 32 bits, which may wrap around where the program says nothing about it.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void solve(long n, double L[restrict n][n], double *restrict x) {
;     for (long i = 0; i < n; i++) {
;       x[i] = 1;
;       for (long j = 0; j < i; j++)
;         x[i] -= L[i][j] * x[j];
;       x[i] /= L[i][i];
;     }
;   }
;   void two_places(int n, int m, double *restrict x, double *restrict y) {
;     for (long i = 0; i < n; i++) {
;       long row;
;       if (i < 7) {
;         row = i * m;
;         x[i] = 1;
;       } else {
;         row = (2 * i + n) * m;
;         x[i] = 2;
;       }
;       for (long j = 0; j < m; j++)
;         x[n + i] += y[row + j];
;     }
;   }
;   void wrapping(unsigned n, unsigned step, int *restrict x, int *restrict y) {
;     for (unsigned i = 0; i < n; i++)
;       for (unsigned j = i; j < n; j++)
;         x[i * step + j] += y[j];
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'solve':
; CHECK-NEXT: scop "solve: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   context: [n] -> { : n > 0 }
; CHECK-NEXT:   assume range: [n] -> { : -134217728 <= n <= 134217728 } because n is small enough for subscripts of 'L'
; CHECK-NEXT:   array double x[*]
; CHECK-NEXT:   array double L[*]{{\[\[}}n] -> { [(n)] }]
; CHECK-NEXT:   scalar double s0 (phi)
; CHECK-NEXT:   scalar double s1 (phi)
; CHECK-NEXT:   scalar double s2 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> x[i0] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     write [n] -> { S1[i0] -> s0[] } of invariant
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0] : 0 < i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     write [n] -> { S2[i0] -> s1[] } of invariant
; CHECK-NEXT:   statement S3
; CHECK-NEXT:     domain: [n] -> { S3[i0, i1] : i0 < n and 0 <= i1 < i0 }
; CHECK-NEXT:     order: [0, i0, 3, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S3[i0, i1] -> s1[] }
; CHECK-NEXT:     %1 = read [n] -> { S3[i0, i1] -> L[i0, i1] }
; CHECK-NEXT:     %2 = read [n] -> { S3[i0, i1] -> x[i1] }
; CHECK-NEXT:     %3 = fneg %1
; CHECK-NEXT:     %4 = llvm.fmuladd.f64 %3, %2, %0
; CHECK-NEXT:     write [n] -> { S3[i0, i1] -> x[i0] } of %4
; CHECK-NEXT:     write [n] -> { S3[i0, i1] -> s2[] } of %4
; CHECK-NEXT:     write [n] -> { S3[i0, i1] -> s1[] } of %4
; CHECK-NEXT:   statement S4
; CHECK-NEXT:     domain: [n] -> { S4[i0] : 0 < i0 < n }
; CHECK-NEXT:     order: [0, i0, 4]
; CHECK-NEXT:     %0 = read [n] -> { S4[i0] -> s2[] }
; CHECK-NEXT:     write [n] -> { S4[i0] -> s0[] } of %0
; CHECK-NEXT:   statement S5
; CHECK-NEXT:     domain: [n] -> { S5[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 5]
; CHECK-NEXT:     %0 = read [n] -> { S5[i0] -> s0[] }
; CHECK-NEXT:     %1 = read [n] -> { S5[i0] -> L[i0, i0] }
; CHECK-NEXT:     %2 = fdiv %0, %1
; CHECK-NEXT:     write [n] -> { S5[i0] -> x[i0] } of %2
define void @solve(i64 %n, ptr noalias readonly %L, ptr noalias %x) {
entry:
  %cmp34 = icmp sgt i64 %n, 0
  br i1 %cmp34, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.035 = phi i64 [ %inc13, %for.cond.cleanup3 ], [ 0, %for.body.preheader ]
  %arrayidx = getelementptr inbounds double, ptr %x, i64 %i.035
  store double 1.000000e+00, ptr %arrayidx, align 8
  %cmp232.not = icmp eq i64 %i.035, 0
  br i1 %cmp232.not, label %for.cond.cleanup3, label %for.body4.lr.ph

for.body4.lr.ph:
  %0 = mul nuw nsw i64 %i.035, %n
  %arrayidx5 = getelementptr inbounds double, ptr %L, i64 %0
  br label %for.body4

for.cond.cleanup3.loopexit:
  %.lcssa = phi double [ %6, %for.body4 ]
  br label %for.cond.cleanup3

for.cond.cleanup3:
  %.pre-phi = phi i64 [ 0, %for.body ], [ %0, %for.cond.cleanup3.loopexit ]
  %1 = phi double [ 1.000000e+00, %for.body ], [ %.lcssa, %for.cond.cleanup3.loopexit ]
  %arrayidx9 = getelementptr inbounds double, ptr %L, i64 %.pre-phi
  %arrayidx10 = getelementptr inbounds double, ptr %arrayidx9, i64 %i.035
  %2 = load double, ptr %arrayidx10, align 8
  %div = fdiv double %1, %2
  store double %div, ptr %arrayidx, align 8
  %inc13 = add nuw nsw i64 %i.035, 1
  %exitcond36.not = icmp eq i64 %inc13, %n
  br i1 %exitcond36.not, label %for.cond.cleanup.loopexit, label %for.body

for.body4:
  %3 = phi double [ 1.000000e+00, %for.body4.lr.ph ], [ %6, %for.body4 ]
  %j.033 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %arrayidx6 = getelementptr inbounds double, ptr %arrayidx5, i64 %j.033
  %4 = load double, ptr %arrayidx6, align 8
  %arrayidx7 = getelementptr inbounds double, ptr %x, i64 %j.033
  %5 = load double, ptr %arrayidx7, align 8
  %neg = fneg double %4
  %6 = tail call double @llvm.fmuladd.f64(double %neg, double %5, double %3)
  store double %6, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.033, 1
  %exitcond.not = icmp eq i64 %inc, %i.035
  br i1 %exitcond.not, label %for.cond.cleanup3.loopexit, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'two_places':
; CHECK-NEXT: scop "two_places: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   assume range: [n, m] -> { : -134217728 <= m <= 134217728 } because m is small enough for subscripts of 'y'
; CHECK-NEXT:   assume range: [n, m] -> { : -33554432 <= n <= 33554432 } because n is small enough for subscripts of 'y'
; CHECK-NEXT:   array double x[*]
; CHECK-NEXT:   array double y[*]{{\[\[}}n, m] -> { [(m)] }]
; CHECK-NEXT:   scalar double s0 (phi)
; CHECK-NEXT:   scalar double add21 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = icmp affine, invariant
; CHECK-NEXT:     %1 = select %0, invariant, invariant
; CHECK-NEXT:     write [n, m] -> { S0[i0] -> x[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m] -> { S1[i0] : m > 0 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n, m] -> { S1[i0] -> x[n + i0] }
; CHECK-NEXT:     write [n, m] -> { S1[i0] -> s0[] } of %0
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n, m] -> { S2[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 2, i1, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S2[i0, i1] -> s0[] }
; CHECK-NEXT:     %1 = read [n, m] -> { S2[i0, i1] -> y[i0, i1] : i0 <= 6; S2[i0, i1] -> y[n + 2i0, i1] : i0 >= 7 }
; CHECK-NEXT:     %2 = fadd %1, %0
; CHECK-NEXT:     write [n, m] -> { S2[i0, i1] -> add21[] } of %2
; CHECK-NEXT:     write [n, m] -> { S2[i0, i1] -> s0[] } of %2
; CHECK-NEXT:   statement S3
; CHECK-NEXT:     domain: [n, m] -> { S3[i0] : m > 0 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 3]
; CHECK-NEXT:     %0 = read [n, m] -> { S3[i0] -> add21[] }
; CHECK-NEXT:     write [n, m] -> { S3[i0] -> x[n + i0] } of %0
define void @two_places(i32 %n, i32 %m, ptr noalias %x, ptr noalias readonly %y) {
entry:
  %conv = sext i32 %n to i64
  %invariant.gep = getelementptr double, ptr %x, i64 %conv
  %cmp42 = icmp sgt i32 %n, 0
  br i1 %cmp42, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %conv7 = sext i32 %m to i64
  %cmp1240 = icmp sgt i32 %m, 0
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.043 = phi i64 [ 0, %for.body.lr.ph ], [ %inc23, %for.cond.cleanup14 ]
  %cmp2 = icmp ult i64 %i.043, 7
  %.sink = select i1 %cmp2, double 1.000000e+00, double 2.000000e+00
  %0 = getelementptr inbounds double, ptr %x, i64 %i.043
  store double %.sink, ptr %0, align 8
  br i1 %cmp1240, label %for.body15.lr.ph, label %for.cond.cleanup14

for.body15.lr.ph:
  %mul5 = shl nuw nsw i64 %i.043, 1
  %add = add nuw nsw i64 %mul5, %conv
  %i.043.pn = select i1 %cmp2, i64 %i.043, i64 %add
  %row.0 = mul nuw nsw i64 %i.043.pn, %conv7
  %1 = getelementptr double, ptr %y, i64 %row.0
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.043
  %arrayidx20.promoted = load double, ptr %gep, align 8
  br label %for.body15

for.cond10.for.cond.cleanup14_crit_edge:
  %add21.lcssa = phi double [ %add21, %for.body15 ]
  store double %add21.lcssa, ptr %gep, align 8
  br label %for.cond.cleanup14

for.cond.cleanup14:
  %inc23 = add nuw nsw i64 %i.043, 1
  %exitcond44.not = icmp eq i64 %inc23, %conv
  br i1 %exitcond44.not, label %for.cond.cleanup.loopexit, label %for.body

for.body15:
  %2 = phi double [ %arrayidx20.promoted, %for.body15.lr.ph ], [ %add21, %for.body15 ]
  %j.041 = phi i64 [ 0, %for.body15.lr.ph ], [ %inc, %for.body15 ]
  %arrayidx17 = getelementptr double, ptr %1, i64 %j.041
  %3 = load double, ptr %arrayidx17, align 8
  %add21 = fadd double %3, %2
  %inc = add nuw nsw i64 %j.041, 1
  %exitcond.not = icmp eq i64 %inc, %conv7
  br i1 %exitcond.not, label %for.cond10.for.cond.cleanup14_crit_edge, label %for.body15
}

; CHECK-LABEL: SCoPs of function 'wrapping':
; CHECK-NEXT: scop "wrapping: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 unsigned
; CHECK-NEXT:   parameter step: i32 signed
; CHECK-NEXT:   parameter n_step: i64 signed
; CHECK-NEXT:   context: [n, step, n_step] -> { : 0 < n <= 4294967295 and -2147483648 <= step <= 2147483647 }
; CHECK-NEXT:   assume range: [n, step, n_step] -> { : n <= 1073741824 } because n is small enough for a subscript of 'x'
; CHECK-NEXT:   assume range: [n, step, n_step] -> { : -1073741824 <= step <= 1073741824 } because step is small enough for a subscript of 'x'
; CHECK-NEXT:   assume range: [n, step, n_step] -> { : -1125899906842624 <= n_step <= 1125899906842624 } because n_step is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume no-wrap: [n, step, n_step] -> { : n_step <= 4294967296 - n + step } because a subscript of 'x' is in the range of the integers of 32 bits
; CHECK-NEXT:   assume in-bounds: [n, step, n_step] -> { : step >= -1 + n } because subscripts of 'x' are inside its inner dimensions
; CHECK-NEXT:   array i32 y[*]
; CHECK-NEXT:   array i32 x[*]{{\[\[}}n, step, n_step] -> { [(1 + step)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, step, n_step] -> { S0[i0, i1] : i0 >= 0 and 0 <= i1 < n - i0 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, step, n_step] -> { S0[i0, i1] -> y[i0 + i1] }
; CHECK-NEXT:     %1 = read [n, step, n_step] -> { S0[i0, i1] -> x[i0, i1] }
; CHECK-NEXT:     %2 = add %1, %0
; CHECK-NEXT:     write [n, step, n_step] -> { S0[i0, i1] -> x[i0, i1] } of %2
define void @wrapping(i32 %n, i32 %step, ptr noalias %x, ptr noalias readonly %y) {
entry:
  %cmp19.not = icmp eq i32 %n, 0
  br i1 %cmp19.not, label %for.cond.cleanup, label %for.cond1.preheader.preheader

for.cond1.preheader.preheader:
  %wide.trip.count25 = zext i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  %indvars24 = trunc i64 %indvars.iv to i32
  %mul = mul i32 %indvars24, %step
  br label %for.body4

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond26.not = icmp eq i64 %indvars.iv.next, %wide.trip.count25
  br i1 %exitcond26.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader

for.body4:
  %indvars.iv21 = phi i64 [ %indvars.iv, %for.cond1.preheader ], [ %indvars.iv.next22, %for.body4 ]
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %indvars.iv21
  %0 = load i32, ptr %arrayidx, align 4
  %1 = trunc nuw i64 %indvars.iv21 to i32
  %add = add i32 %mul, %1
  %idxprom5 = zext i32 %add to i64
  %arrayidx6 = getelementptr inbounds i32, ptr %x, i64 %idxprom5
  %2 = load i32, ptr %arrayidx6, align 4
  %add7 = add nsw i32 %2, %0
  store i32 %add7, ptr %arrayidx6, align 4
  %indvars.iv.next22 = add nuw nsw i64 %indvars.iv21, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next22, %wide.trip.count25
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

declare double @llvm.fmuladd.f64(double, double, double)
