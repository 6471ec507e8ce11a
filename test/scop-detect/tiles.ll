; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Loops that are tiled by hand, with tile sizes that are parameters.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   #define MIN(a, b) ((a) < (b) ? (a) : (b))
;   void one_level(int n, int t, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int ii = 0; ii < n; ii += t)
;       for (int i = ii; i < MIN(ii + t, n); i++)
;         for (int j = 0; j < n; j++)
;           A[i][j] += B[j][i];
;   }
;   void product(long n, long t, double C[restrict 500][500], double A[restrict 500][500], double B[restrict 500][500]) {
;     for (long ii = 0; ii < n; ii += t)
;       for (long jj = 0; jj < n; jj += t)
;         for (long kk = 0; kk < n; kk += t)
;           for (long i = ii; i < MIN(ii + t, n); i++)
;             for (long j = jj; j < MIN(jj + t, n); j++)
;               for (long k = kk; k < MIN(kk + t, n); k++)
;                 C[i][j] += A[i][k] * B[k][j];
;   }
;   void whole_tiles(long n, long t, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (long ii = 0; ii < n; ii += t)
;       for (long i = ii; i < ii + t; i++)
;         for (long j = 0; j < n; j++)
;           A[i][j] += B[j][i];
;   }
;   void downwards(long n, long t, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (long ii = n; ii > 0; ii -= t)
;       for (long i = ii; i > (ii - t > 0 ? ii - t : 0); i--)
;         for (long j = 0; j < n; j++)
;           A[i][j] += B[j][i];
;   }
;   void reversed(long n, long t, double A[restrict 500][500]) {
;     for (long ii = 1; ii < n; ii += t)
;       for (long jj = 0; jj < n; jj += t)
;         for (long i = ii; i < MIN(ii + t, n); i++)
;           for (long j = jj; j < MIN(jj + t, n); j++)
;             A[i][j] += A[i - 1][j + 1];
;   }
;   void begins(long n, long t, double A[restrict 500][500]) {
;     for (long ii = 0; ii < n; ii += t)
;       for (long i = ii; i < MIN(ii + t, n); i++)
;         for (long j = 0; j < n; j++)
;           A[i][j] += ii;
;   }
;   void overlapping(long n, long t, double A[restrict 500][500]) {
;     for (long ii = 0; ii < n; ii += t)
;       for (long i = ii; i < MIN(ii + t + 1, n); i++)
;         for (long j = 0; j < n; j++)
;           A[i][j] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'one_level':
; CHECK-NEXT: scop "one_level: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter t: i32 signed
; CHECK-NEXT:   context: [n, t] -> { : 0 < n <= 2147483647 and -2147483648 <= t <= 2147483647 }
; CHECK-NEXT:   assume finite-loop: [n, t] -> { : t > 0 } because the step of the loop leads to its bound
; CHECK-NEXT:   assume no-wrap: [n, t] -> { : t <= 2147483648 - n } because the counter does not leave the integers of 32 bits where the loop ends
; CHECK-NEXT:   assume in-bounds: [n, t] -> { : n <= 500 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, t] -> { S0[i0 = 0, i1, i2] : 0 <= i1 < n and 0 <= i2 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [n, t] -> { S0[i0, i1, i2] -> B[i2, i1] }
; CHECK-NEXT:     %1 = read [n, t] -> { S0[i0, i1, i2] -> A[i1, i2] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, t] -> { S0[i0, i1, i2] -> A[i1, i2] } of %2
define void @one_level(i32 noundef %n, i32 noundef %t, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp43 = icmp sgt i32 %n, 0
  br i1 %cmp43, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %0 = sext i32 %t to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond.loopexit.loopexit:                       ; preds = %for.cond.cleanup9
  br label %for.cond.loopexit

for.cond.loopexit:                                ; preds = %for.cond.loopexit.loopexit, %for.cond1.preheader
  %cmp = icmp slt i32 %indvars, %n
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.loopexit
  %indvars.iv46 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next47, %for.cond.loopexit ]
  %indvars51 = trunc i64 %indvars.iv46 to i32
  %indvars.iv.next47 = add nsw i64 %indvars.iv46, %0
  %indvars = trunc i64 %indvars.iv.next47 to i32
  %cond = tail call i32 @llvm.smin.i32(i32 %indvars, i32 %n)
  %cmp441 = icmp sgt i32 %cond, %indvars51
  br i1 %cmp441, label %for.cond7.preheader.preheader, label %for.cond.loopexit

for.cond7.preheader.preheader:                    ; preds = %for.cond1.preheader
  %1 = sext i32 %cond to i64
  br label %for.body10.lr.ph

for.cond.cleanup.loopexit:                        ; preds = %for.cond.loopexit
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.body10.lr.ph:                                 ; preds = %for.cond.cleanup9, %for.cond7.preheader.preheader
  %indvars.iv48 = phi i64 [ %indvars.iv46, %for.cond7.preheader.preheader ], [ %indvars.iv.next49, %for.cond.cleanup9 ]
  br label %for.body10

for.cond.cleanup9:                                ; preds = %for.body10
  %indvars.iv.next49 = add nsw i64 %indvars.iv48, 1
  %cmp4 = icmp slt i64 %indvars.iv.next49, %1
  br i1 %cmp4, label %for.body10.lr.ph, label %for.cond.loopexit.loopexit

for.body10:                                       ; preds = %for.body10.lr.ph, %for.body10
  %indvars.iv = phi i64 [ 0, %for.body10.lr.ph ], [ %indvars.iv.next, %for.body10 ]
  %arrayidx12 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv48
  %2 = load double, ptr %arrayidx12, align 8
  %arrayidx16 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv48, i64 %indvars.iv
  %3 = load double, ptr %arrayidx16, align 8
  %add17 = fadd double %2, %3
  store double %add17, ptr %arrayidx16, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup9, label %for.body10
}

; CHECK-LABEL: SCoPs of function 'product':
; CHECK-NEXT: scop "product: for.cond5.preheader.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter t: i64 signed
; CHECK-NEXT:   context: [n, t] -> { : n > 0 }
; CHECK-NEXT:   assume range: [n, t] -> { : -1125899906842624 <= t <= 1125899906842624 } because t is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume finite-loop: [n, t] -> { : t > 0 } because the step of the loop leads to its bound
; CHECK-NEXT:   assume in-bounds: [n, t] -> { : n <= 500 } because subscripts of 'C' are inside its inner dimensions
; CHECK-NEXT:   array double C[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   array double B[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   scalar double s0 (phi)
; CHECK-NEXT:   scalar double s1 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, t] -> { S0[i0 = 0, i1 = 0, i2 = 0, i3, i4] : 0 <= i3 < n and 0 <= i4 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0, i3, 0, i4, 0]
; CHECK-NEXT:     %0 = read [n, t] -> { S0[i0, i1, i2, i3, i4] -> C[i3, i4] }
; CHECK-NEXT:     write [n, t] -> { S0[i0, i1, i2, i3, i4] -> s0[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, t] -> { S1[i0 = 0, i1 = 0, i2 = 0, i3, i4, i5] : 0 <= i3 < n and 0 <= i4 < n and 0 <= i5 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0, i3, 0, i4, 1, i5, 0]
; CHECK-NEXT:     %0 = read [n, t] -> { S1[i0, i1, i2, i3, i4, i5] -> s0[] }
; CHECK-NEXT:     %1 = read [n, t] -> { S1[i0, i1, i2, i3, i4, i5] -> A[i3, i5] }
; CHECK-NEXT:     %2 = read [n, t] -> { S1[i0, i1, i2, i3, i4, i5] -> B[i5, i4] }
; CHECK-NEXT:     %3 = llvm.fmuladd.f64 %1, %2, %0
; CHECK-NEXT:     write [n, t] -> { S1[i0, i1, i2, i3, i4, i5] -> s1[] } of %3
; CHECK-NEXT:     write [n, t] -> { S1[i0, i1, i2, i3, i4, i5] -> s0[] } of %3
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n, t] -> { S2[i0 = 0, i1 = 0, i2 = 0, i3, i4] : 0 <= i3 < n and 0 <= i4 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0, i3, 0, i4, 2]
; CHECK-NEXT:     %0 = read [n, t] -> { S2[i0, i1, i2, i3, i4] -> s1[] }
; CHECK-NEXT:     write [n, t] -> { S2[i0, i1, i2, i3, i4] -> C[i3, i4] } of %0
define void @product(i64 noundef %n, i64 noundef %t, ptr noalias nocapture noundef %C, ptr noalias nocapture noundef readonly %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp104 = icmp sgt i64 %n, 0
  br i1 %cmp104, label %for.cond5.preheader.lr.ph.preheader, label %for.cond.cleanup

for.cond5.preheader.lr.ph.preheader:              ; preds = %entry
  br label %for.cond5.preheader.lr.ph

for.cond5.preheader.lr.ph:                        ; preds = %for.cond5.preheader.lr.ph.preheader, %for.cond.cleanup3
  %ii.0105 = phi i64 [ %add, %for.cond.cleanup3 ], [ 0, %for.cond5.preheader.lr.ph.preheader ]
  %add = add nsw i64 %ii.0105, %t
  %cond = tail call i64 @llvm.smin.i64(i64 %add, i64 %n)
  %cmp1298 = icmp slt i64 %ii.0105, %cond
  br label %for.cond5.preheader

for.cond.cleanup.loopexit:                        ; preds = %for.cond.cleanup3
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.cond5.preheader:                              ; preds = %for.cond5.preheader.lr.ph, %for.cond.cleanup7
  %jj.0103 = phi i64 [ 0, %for.cond5.preheader.lr.ph ], [ %add16, %for.cond.cleanup7 ]
  %add16 = add nsw i64 %jj.0103, %t
  %cond22 = tail call i64 @llvm.smin.i64(i64 %add16, i64 %n)
  %cmp2396 = icmp slt i64 %jj.0103, %cond22
  br label %for.cond9.preheader

for.cond.cleanup3:                                ; preds = %for.cond.cleanup7
  %cmp = icmp slt i64 %add, %n
  br i1 %cmp, label %for.cond5.preheader.lr.ph, label %for.cond.cleanup.loopexit

for.cond9.preheader:                              ; preds = %for.cond5.preheader, %for.cond.cleanup13
  %kk.0101 = phi i64 [ 0, %for.cond5.preheader ], [ %add27, %for.cond.cleanup13 ]
  %add27 = add nsw i64 %kk.0101, %t
  br i1 %cmp1298, label %for.cond15.preheader.lr.ph, label %for.cond.cleanup13

for.cond15.preheader.lr.ph:                       ; preds = %for.cond9.preheader
  %cond33 = tail call i64 @llvm.smin.i64(i64 %add27, i64 %n)
  %cmp3494 = icmp slt i64 %kk.0101, %cond33
  br label %for.cond15.preheader

for.cond.cleanup7:                                ; preds = %for.cond.cleanup13
  %cmp2 = icmp slt i64 %add16, %n
  br i1 %cmp2, label %for.cond5.preheader, label %for.cond.cleanup3

for.cond15.preheader:                             ; preds = %for.cond15.preheader.lr.ph, %for.cond.cleanup24
  %i.099 = phi i64 [ %ii.0105, %for.cond15.preheader.lr.ph ], [ %inc46, %for.cond.cleanup24 ]
  br i1 %cmp2396, label %for.cond26.preheader.preheader, label %for.cond.cleanup24

for.cond26.preheader.preheader:                   ; preds = %for.cond15.preheader
  br label %for.cond26.preheader

for.cond.cleanup13.loopexit:                      ; preds = %for.cond.cleanup24
  br label %for.cond.cleanup13

for.cond.cleanup13:                               ; preds = %for.cond.cleanup13.loopexit, %for.cond9.preheader
  %cmp6 = icmp slt i64 %add27, %n
  br i1 %cmp6, label %for.cond9.preheader, label %for.cond.cleanup7

for.cond26.preheader:                             ; preds = %for.cond26.preheader.preheader, %for.cond.cleanup35
  %j.097 = phi i64 [ %inc43, %for.cond.cleanup35 ], [ %jj.0103, %for.cond26.preheader.preheader ]
  br i1 %cmp3494, label %for.body36.lr.ph, label %for.cond.cleanup35

for.body36.lr.ph:                                 ; preds = %for.cond26.preheader
  %arrayidx41 = getelementptr inbounds [500 x double], ptr %C, i64 %i.099, i64 %j.097
  %arrayidx41.promoted = load double, ptr %arrayidx41, align 8
  br label %for.body36

for.cond.cleanup24.loopexit:                      ; preds = %for.cond.cleanup35
  br label %for.cond.cleanup24

for.cond.cleanup24:                               ; preds = %for.cond.cleanup24.loopexit, %for.cond15.preheader
  %inc46 = add nsw i64 %i.099, 1
  %cmp12 = icmp slt i64 %inc46, %cond
  br i1 %cmp12, label %for.cond15.preheader, label %for.cond.cleanup13.loopexit

for.cond26.for.cond.cleanup35_crit_edge:          ; preds = %for.body36
  %.lcssa = phi double [ %3, %for.body36 ]
  store double %.lcssa, ptr %arrayidx41, align 8
  br label %for.cond.cleanup35

for.cond.cleanup35:                               ; preds = %for.cond26.for.cond.cleanup35_crit_edge, %for.cond26.preheader
  %inc43 = add nsw i64 %j.097, 1
  %cmp23 = icmp slt i64 %inc43, %cond22
  br i1 %cmp23, label %for.cond26.preheader, label %for.cond.cleanup24.loopexit

for.body36:                                       ; preds = %for.body36.lr.ph, %for.body36
  %0 = phi double [ %arrayidx41.promoted, %for.body36.lr.ph ], [ %3, %for.body36 ]
  %k.095 = phi i64 [ %kk.0101, %for.body36.lr.ph ], [ %inc, %for.body36 ]
  %arrayidx37 = getelementptr inbounds [500 x double], ptr %A, i64 %i.099, i64 %k.095
  %1 = load double, ptr %arrayidx37, align 8
  %arrayidx39 = getelementptr inbounds [500 x double], ptr %B, i64 %k.095, i64 %j.097
  %2 = load double, ptr %arrayidx39, align 8
  %3 = tail call double @llvm.fmuladd.f64(double %1, double %2, double %0)
  %inc = add nsw i64 %k.095, 1
  %cmp34 = icmp slt i64 %inc, %cond33
  br i1 %cmp34, label %for.body36, label %for.cond26.for.cond.cleanup35_crit_edge
}

; CHECK-LABEL: SCoPs of function 'whole_tiles':
; CHECK-NEXT: scop "whole_tiles: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter t: i64 signed
; CHECK-NEXT:   parameter t_n: i64 signed
; CHECK-NEXT:   context: [n, t, t_n] -> { : n > 0 }
; CHECK-NEXT:   assume finite-loop: [n, t, t_n] -> { : n - t <= t_n < n and t_n >= 0 } because the last tile begins before the bound and ends behind it
; CHECK-NEXT:   assume in-bounds: [n, t, t_n] -> { : t_n <= 500 - t } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{\[\[}}n, t, t_n] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{\[\[}}n, t, t_n] -> { [(500)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, t, t_n] -> { S0[i0 = 0, i1, i2] : 0 <= i1 < t + t_n and 0 <= i2 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [n, t, t_n] -> { S0[i0, i1, i2] -> B[i2, i1] }
; CHECK-NEXT:     %1 = read [n, t, t_n] -> { S0[i0, i1, i2] -> A[i1, i2] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, t, t_n] -> { S0[i0, i1, i2] -> A[i1, i2] } of %2
define void @whole_tiles(i64 noundef %n, i64 noundef %t, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp34 = icmp sgt i64 %n, 0
  br i1 %cmp34, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp232 = icmp sgt i64 %t, 0
  br label %for.cond1.preheader

for.cond.loopexit.loopexit:                       ; preds = %for.cond.cleanup7
  br label %for.cond.loopexit

for.cond.loopexit:                                ; preds = %for.cond.loopexit.loopexit, %for.cond1.preheader
  %cmp = icmp slt i64 %add, %n
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.loopexit
  %ii.035 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %add, %for.cond.loopexit ]
  %add = add nsw i64 %ii.035, %t
  br i1 %cmp232, label %for.body8.preheader.preheader, label %for.cond.loopexit

for.body8.preheader.preheader:                    ; preds = %for.cond1.preheader
  br label %for.body8.preheader

for.cond.cleanup.loopexit:                        ; preds = %for.cond.loopexit
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.body8.preheader:                              ; preds = %for.body8.preheader.preheader, %for.cond.cleanup7
  %i.033 = phi i64 [ %inc14, %for.cond.cleanup7 ], [ %ii.035, %for.body8.preheader.preheader ]
  br label %for.body8

for.cond.cleanup7:                                ; preds = %for.body8
  %inc14 = add nsw i64 %i.033, 1
  %cmp2 = icmp slt i64 %inc14, %add
  br i1 %cmp2, label %for.body8.preheader, label %for.cond.loopexit.loopexit

for.body8:                                        ; preds = %for.body8.preheader, %for.body8
  %j.031 = phi i64 [ %inc, %for.body8 ], [ 0, %for.body8.preheader ]
  %arrayidx9 = getelementptr inbounds [500 x double], ptr %B, i64 %j.031, i64 %i.033
  %0 = load double, ptr %arrayidx9, align 8
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %A, i64 %i.033, i64 %j.031
  %1 = load double, ptr %arrayidx11, align 8
  %add12 = fadd double %0, %1
  store double %add12, ptr %arrayidx11, align 8
  %inc = add nuw nsw i64 %j.031, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8
}

; CHECK-LABEL: SCoPs of function 'downwards':
; CHECK-NEXT: scop "downwards: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter t: i64 signed
; CHECK-NEXT:   context: [n, t] -> { : n > 0 }
; CHECK-NEXT:   assume range: [n, t] -> { : -1125899906842624 <= t <= 1125899906842624 } because t is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume finite-loop: [n, t] -> { : t > 0 } because the step of the loop leads to its bound
; CHECK-NEXT:   assume in-bounds: [n, t] -> { : n <= 499 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{\[\[}}n, t] -> { [(500)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, t] -> { S0[i0 = 0, i1, i2] : 0 <= i1 < n and 0 <= i2 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [n, t] -> { S0[i0, i1, i2] -> B[i2, n - i1] }
; CHECK-NEXT:     %1 = read [n, t] -> { S0[i0, i1, i2] -> A[n - i1, i2] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, t] -> { S0[i0, i1, i2] -> A[n - i1, i2] } of %2
define void @downwards(i64 noundef %n, i64 noundef %t, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp36 = icmp sgt i64 %n, 0
  br i1 %cmp36, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:                    ; preds = %entry
  br label %for.cond1.preheader

for.cond.loopexit.loopexit:                       ; preds = %for.cond.cleanup9
  br label %for.cond.loopexit

for.cond.loopexit:                                ; preds = %for.cond.loopexit.loopexit, %for.cond1.preheader
  %cmp = icmp sgt i64 %sub, 0
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.cond1.preheader:                              ; preds = %for.cond1.preheader.preheader, %for.cond.loopexit
  %ii.037 = phi i64 [ %sub, %for.cond.loopexit ], [ %n, %for.cond1.preheader.preheader ]
  %sub = sub nsw i64 %ii.037, %t
  %cond = tail call i64 @llvm.smax.i64(i64 %sub, i64 0)
  %cmp434 = icmp ugt i64 %ii.037, %cond
  br i1 %cmp434, label %for.body10.preheader.preheader, label %for.cond.loopexit

for.body10.preheader.preheader:                   ; preds = %for.cond1.preheader
  br label %for.body10.preheader

for.cond.cleanup.loopexit:                        ; preds = %for.cond.loopexit
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.body10.preheader:                             ; preds = %for.body10.preheader.preheader, %for.cond.cleanup9
  %i.035 = phi i64 [ %dec, %for.cond.cleanup9 ], [ %ii.037, %for.body10.preheader.preheader ]
  br label %for.body10

for.cond.cleanup9:                                ; preds = %for.body10
  %dec = add nsw i64 %i.035, -1
  %cmp4 = icmp sgt i64 %dec, %cond
  br i1 %cmp4, label %for.body10.preheader, label %for.cond.loopexit.loopexit

for.body10:                                       ; preds = %for.body10.preheader, %for.body10
  %j.033 = phi i64 [ %inc, %for.body10 ], [ 0, %for.body10.preheader ]
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %B, i64 %j.033, i64 %i.035
  %0 = load double, ptr %arrayidx11, align 8
  %arrayidx13 = getelementptr inbounds [500 x double], ptr %A, i64 %i.035, i64 %j.033
  %1 = load double, ptr %arrayidx13, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx13, align 8
  %inc = add nuw nsw i64 %j.033, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup9, label %for.body10
}

; CHECK-LABEL: SCoPs of function 'reversed':
; CHECK: rejected loop nest: structure: the order of tiles made by hand matters, for array A
define void @reversed(i64 noundef %n, i64 noundef %t, ptr noalias nocapture noundef %A) {
entry:
  %cmp67 = icmp sgt i64 %n, 1
  br i1 %cmp67, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %invariant.gep = getelementptr i8, ptr %A, i64 -4000
  br label %for.cond5.preheader.lr.ph

for.cond5.preheader.lr.ph:                        ; preds = %for.cond.cleanup3, %for.cond1.preheader.lr.ph
  %ii.068 = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %add, %for.cond.cleanup3 ]
  %add = add nsw i64 %ii.068, %t
  %cond = tail call i64 @llvm.smin.i64(i64 %add, i64 %n)
  %cmp863 = icmp slt i64 %ii.068, %cond
  br label %for.cond5.preheader

for.cond.cleanup.loopexit:                        ; preds = %for.cond.cleanup3
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.cond5.preheader:                              ; preds = %for.cond5.preheader.lr.ph, %for.cond.cleanup9
  %jj.066 = phi i64 [ 0, %for.cond5.preheader.lr.ph ], [ %add12, %for.cond.cleanup9 ]
  %add12 = add nsw i64 %jj.066, %t
  br i1 %cmp863, label %for.cond11.preheader.lr.ph, label %for.cond.cleanup9

for.cond11.preheader.lr.ph:                       ; preds = %for.cond5.preheader
  %cond18 = tail call i64 @llvm.smin.i64(i64 %add12, i64 %n)
  %cmp1961 = icmp slt i64 %jj.066, %cond18
  br label %for.cond11.preheader

for.cond.cleanup3:                                ; preds = %for.cond.cleanup9
  %cmp = icmp slt i64 %add, %n
  br i1 %cmp, label %for.cond5.preheader.lr.ph, label %for.cond.cleanup.loopexit

for.cond11.preheader:                             ; preds = %for.cond11.preheader.lr.ph, %for.cond.cleanup20
  %i.064 = phi i64 [ %ii.068, %for.cond11.preheader.lr.ph ], [ %inc28, %for.cond.cleanup20 ]
  br i1 %cmp1961, label %for.body21.preheader, label %for.cond.cleanup20

for.body21.preheader:                             ; preds = %for.cond11.preheader
  br label %for.body21

for.cond.cleanup9.loopexit:                       ; preds = %for.cond.cleanup20
  br label %for.cond.cleanup9

for.cond.cleanup9:                                ; preds = %for.cond.cleanup9.loopexit, %for.cond5.preheader
  %cmp2 = icmp slt i64 %add12, %n
  br i1 %cmp2, label %for.cond5.preheader, label %for.cond.cleanup3

for.cond.cleanup20.loopexit:                      ; preds = %for.body21
  br label %for.cond.cleanup20

for.cond.cleanup20:                               ; preds = %for.cond.cleanup20.loopexit, %for.cond11.preheader
  %inc28 = add nsw i64 %i.064, 1
  %cmp8 = icmp slt i64 %inc28, %cond
  br i1 %cmp8, label %for.cond11.preheader, label %for.cond.cleanup9.loopexit

for.body21:                                       ; preds = %for.body21.preheader, %for.body21
  %j.062 = phi i64 [ %add22, %for.body21 ], [ %jj.066, %for.body21.preheader ]
  %add22 = add nsw i64 %j.062, 1
  %arrayidx23 = getelementptr nusw [500 x double], ptr %invariant.gep, i64 %i.064, i64 %add22
  %0 = load double, ptr %arrayidx23, align 8
  %arrayidx25 = getelementptr inbounds [500 x double], ptr %A, i64 %i.064, i64 %j.062
  %1 = load double, ptr %arrayidx25, align 8
  %add26 = fadd double %0, %1
  store double %add26, ptr %arrayidx25, align 8
  %cmp19 = icmp slt i64 %add22, %cond18
  br i1 %cmp19, label %for.body21, label %for.cond.cleanup20.loopexit
}

; CHECK-LABEL: SCoPs of function 'begins':
; CHECK: rejected loop nest: structure: loops over tiles made by hand: a value depends on where a tile begins
define void @begins(i64 noundef %n, i64 noundef %t, ptr noalias nocapture noundef %A) {
entry:
  %cmp37 = icmp sgt i64 %n, 0
  br i1 %cmp37, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:                    ; preds = %entry
  br label %for.cond1.preheader

for.cond.loopexit.loopexit:                       ; preds = %for.cond.cleanup9
  br label %for.cond.loopexit

for.cond.loopexit:                                ; preds = %for.cond.loopexit.loopexit, %for.cond1.preheader
  %cmp = icmp slt i64 %add, %n
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.cond1.preheader:                              ; preds = %for.cond1.preheader.preheader, %for.cond.loopexit
  %ii.038 = phi i64 [ %add, %for.cond.loopexit ], [ 0, %for.cond1.preheader.preheader ]
  %add = add nsw i64 %ii.038, %t
  %cond = tail call i64 @llvm.smin.i64(i64 %add, i64 %n)
  %cmp435 = icmp slt i64 %ii.038, %cond
  br i1 %cmp435, label %for.cond7.preheader.lr.ph, label %for.cond.loopexit

for.cond7.preheader.lr.ph:                        ; preds = %for.cond1.preheader
  %conv = sitofp i64 %ii.038 to double
  br label %for.body10.preheader

for.cond.cleanup.loopexit:                        ; preds = %for.cond.loopexit
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.body10.preheader:                             ; preds = %for.cond.cleanup9, %for.cond7.preheader.lr.ph
  %i.036 = phi i64 [ %ii.038, %for.cond7.preheader.lr.ph ], [ %inc14, %for.cond.cleanup9 ]
  br label %for.body10

for.cond.cleanup9:                                ; preds = %for.body10
  %inc14 = add nsw i64 %i.036, 1
  %cmp4 = icmp slt i64 %inc14, %cond
  br i1 %cmp4, label %for.body10.preheader, label %for.cond.loopexit.loopexit

for.body10:                                       ; preds = %for.body10.preheader, %for.body10
  %j.034 = phi i64 [ %inc, %for.body10 ], [ 0, %for.body10.preheader ]
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %A, i64 %i.036, i64 %j.034
  %0 = load double, ptr %arrayidx11, align 8
  %add12 = fadd double %0, %conv
  store double %add12, ptr %arrayidx11, align 8
  %inc = add nuw nsw i64 %j.034, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup9, label %for.body10
}

; CHECK-LABEL: SCoPs of function 'overlapping':
; CHECK: rejected loop nest: structure: loops over tiles made by hand: what is executed in a tile depends on where the tile begins
define void @overlapping(i64 noundef %n, i64 noundef %t, ptr noalias nocapture noundef %A) {
entry:
  %cmp38 = icmp sgt i64 %n, 0
  br i1 %cmp38, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:                    ; preds = %entry
  br label %for.cond1.preheader

for.cond.loopexit.loopexit:                       ; preds = %for.cond.cleanup11
  br label %for.cond.loopexit

for.cond.loopexit:                                ; preds = %for.cond.loopexit.loopexit, %for.cond1.preheader
  %cmp = icmp slt i64 %add, %n
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.cond1.preheader:                              ; preds = %for.cond1.preheader.preheader, %for.cond.loopexit
  %ii.039 = phi i64 [ %add, %for.cond.loopexit ], [ 0, %for.cond1.preheader.preheader ]
  %add = add nsw i64 %ii.039, %t
  %add2 = add nsw i64 %add, 1
  %add2.n = tail call i64 @llvm.smin.i64(i64 %add2, i64 %n)
  %cmp636 = icmp slt i64 %ii.039, %add2.n
  br i1 %cmp636, label %for.body12.preheader.preheader, label %for.cond.loopexit

for.body12.preheader.preheader:                   ; preds = %for.cond1.preheader
  br label %for.body12.preheader

for.cond.cleanup.loopexit:                        ; preds = %for.cond.loopexit
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %entry
  ret void

for.body12.preheader:                             ; preds = %for.body12.preheader.preheader, %for.cond.cleanup11
  %i.037 = phi i64 [ %inc16, %for.cond.cleanup11 ], [ %ii.039, %for.body12.preheader.preheader ]
  br label %for.body12

for.cond.cleanup11:                               ; preds = %for.body12
  %inc16 = add nsw i64 %i.037, 1
  %cmp6 = icmp slt i64 %inc16, %add2.n
  br i1 %cmp6, label %for.body12.preheader, label %for.cond.loopexit.loopexit

for.body12:                                       ; preds = %for.body12.preheader, %for.body12
  %j.035 = phi i64 [ %inc, %for.body12 ], [ 0, %for.body12.preheader ]
  %arrayidx13 = getelementptr inbounds [500 x double], ptr %A, i64 %i.037, i64 %j.035
  %0 = load double, ptr %arrayidx13, align 8
  %add14 = fadd double %0, 1.000000e+00
  store double %add14, ptr %arrayidx13, align 8
  %inc = add nuw nsw i64 %j.035, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup11, label %for.body12
}

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i32 @llvm.smin.i32(i32, i32)
declare double @llvm.fmuladd.f64(double, double, double)
