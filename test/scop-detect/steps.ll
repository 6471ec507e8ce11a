; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Counters that run in steps that are parameters.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void matrix(int n, int s, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i += s)
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i];
;   }
;   void unsigned_counter(unsigned n, unsigned s, double *restrict A) {
;     for (unsigned i = 0; i < n; i += s)
;       A[i] += 1;
;   }
;   void downwards(int n, int s, double *restrict A) {
;     for (int i = n; i > 0; i -= s)
;       A[i] += 1;
;   }
;   void inclusive(long n, long s, double *restrict A) {
;     if (s < 1)
;       return;
;     for (long i = 1; i <= n; i += s)
;       A[i] += 1;
;   }
;   void inner(int n, int s, double A[restrict 500][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = i; j < n; j += s)
;         A[i][j] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'matrix':
; CHECK-NEXT: scop "matrix: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter s: i32 signed
; CHECK-NEXT:   parameter s_n: i64 unsigned
; CHECK-NEXT:   context: [n, s, s_n] -> { : 0 < n <= 2147483647 and -2147483648 <= s <= 2147483647 and s_n >= 0 }
; CHECK-NEXT:   assume range: [n, s, s_n] -> { : s_n <= 1125899906842624 } because s_n is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume in-bounds: [n, s, s_n] -> { : 500s >= n } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]{{\[\[}}n, s, s_n] -> { [(500s)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, s, s_n] -> { S0[i0, i1] : 0 <= i0 <= s_n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, s, s_n] -> { S0[i0, i1] -> B[o0] } at affine
; CHECK-NEXT:     %1 = read [n, s, s_n] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, s, s_n] -> { S0[i0, i1] -> A[i0, i1] } of %2
define void @matrix(i32 noundef %n, i32 noundef %s, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) #0 {
entry:
  %cmp10 = icmp sgt i32 %n, 0
  br i1 %cmp10, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %0 = sext i32 %s to i64
  %1 = zext nneg i32 %n to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond.cleanup3, %for.cond1.preheader.lr.ph
  %indvars.iv13 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next14, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %for.body4
  %indvars.iv.next14 = add nsw i64 %indvars.iv13, %0
  %cmp = icmp slt i64 %indvars.iv.next14, %1
  br i1 %cmp, label %for.body4.lr.ph, label %for.cond.cleanup

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv13
  %2 = load double, ptr %arrayidx6, align 8
  %arrayidx10 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv13, i64 %indvars.iv
  %3 = load double, ptr %arrayidx10, align 8
  %add = fadd double %2, %3
  store double %add, ptr %arrayidx10, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'unsigned_counter':
; CHECK-NEXT: scop "unsigned_counter: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 unsigned
; CHECK-NEXT:   parameter s: i32 signed
; CHECK-NEXT:   parameter s_n: i64 unsigned
; CHECK-NEXT:   context: [n, s, s_n] -> { : 0 < n <= 4294967295 and -2147483648 <= s <= 2147483647 and s_n >= 0 }
; CHECK-NEXT:   assume finite-loop: [n, s, s_n] -> { : s > 0 } because the step of the loop leads to its bound
; CHECK-NEXT:   assume no-wrap: [n, s, s_n] -> { : s <= 4294967296 - n } because the counter does not leave the integers of 32 bits where the loop ends
; CHECK-NEXT:   assume range: [n, s, s_n] -> { : s_n <= 1125899906842624 } because s_n is small enough for loop counters of 64 bits
; CHECK-NEXT:   array double A[*]{{\[\[}}n, s, s_n] -> { [(s)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, s, s_n] -> { S0[i0] : 0 <= i0 <= s_n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, s, s_n] -> { S0[i0] -> A[i0, 0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, s, s_n] -> { S0[i0] -> A[i0, 0] } of %1
define void @unsigned_counter(i32 noundef %n, i32 noundef %s, ptr noalias nocapture noundef %A) #0 {
entry:
  %cmp3.not = icmp eq i32 %n, 0
  br i1 %cmp3.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret void

for.body:                                         ; preds = %entry, %for.body
  %i.04 = phi i32 [ %add1, %for.body ], [ 0, %entry ]
  %idxprom = zext i32 %i.04 to i64
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %idxprom
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %add1 = add i32 %i.04, %s
  %cmp = icmp ult i32 %add1, %n
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'downwards':
; CHECK-NEXT: scop "downwards: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter s: i32 signed
; CHECK-NEXT:   parameter s_n: i64 unsigned
; CHECK-NEXT:   context: [n, s, s_n] -> { : 0 < n <= 2147483647 and -2147483648 <= s <= 2147483647 and s_n >= 0 }
; CHECK-NEXT:   assume range: [n, s, s_n] -> { : s_n <= 1125899906842624 } because s_n is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume in-bounds: [n, s, s_n] -> { : s > n } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*]{{\[\[}}n, s, s_n] -> { [(s)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, s, s_n] -> { S0[i0] : 0 <= i0 <= s_n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, s, s_n] -> { S0[i0] -> A[-i0, n] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, s, s_n] -> { S0[i0] -> A[-i0, n] } of %1
define void @downwards(i32 noundef %n, i32 noundef %s, ptr noalias nocapture noundef %A) #0 {
entry:
  %cmp3 = icmp sgt i32 %n, 0
  br i1 %cmp3, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret void

for.body:                                         ; preds = %entry, %for.body
  %i.04 = phi i32 [ %sub, %for.body ], [ %n, %entry ]
  %idxprom = zext nneg i32 %i.04 to i64
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %idxprom
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %sub = sub nsw i32 %i.04, %s
  %cmp = icmp sgt i32 %sub, 0
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'inclusive':
; CHECK-NEXT: scop "inclusive: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter s: i64 signed
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter s_n: i64 unsigned
; CHECK-NEXT:   context: [s, n, s_n] -> { : s > 0 and n > 0 and s_n >= 0 }
; CHECK-NEXT:   assume range: [s, n, s_n] -> { : -1125899906842624 <= s <= 1125899906842624 } because s is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume range: [s, n, s_n] -> { : -1125899906842624 <= n <= 1125899906842624 } because n is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume range: [s, n, s_n] -> { : s_n <= 1125899906842624 } because s_n is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume in-bounds: [s, n, s_n] -> { : s >= 2 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*]{{\[\[}}s, n, s_n] -> { [(s)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [s, n, s_n] -> { S0[i0] : 0 <= i0 <= s_n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [s, n, s_n] -> { S0[i0] -> A[i0, 1] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [s, n, s_n] -> { S0[i0] -> A[i0, 1] } of %1
define void @inclusive(i64 noundef %n, i64 noundef %s, ptr noalias nocapture noundef %A) #0 {
entry:
  %cmp = icmp slt i64 %s, 1
  %cmp1.not4 = icmp slt i64 %n, 1
  %or.cond = or i1 %cmp, %cmp1.not4
  br i1 %or.cond, label %for.end, label %for.body

for.body:                                         ; preds = %entry, %for.body
  %i.05 = phi i64 [ %add2, %for.body ], [ 1, %entry ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.05
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %add2 = add nuw nsw i64 %i.05, %s
  %cmp1.not = icmp sgt i64 %add2, %n
  br i1 %cmp1.not, label %for.end, label %for.body

for.end:                                          ; preds = %for.body, %entry
  ret void
}

; CHECK-LABEL: SCoPs of function 'inner':
; CHECK-NEXT: scop "inner: for.body4 => for.cond.cleanup3"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter indvars_iv: i64 signed
; CHECK-NEXT:   parameter s: i32 signed
; CHECK-NEXT:   parameter indvars_iv_s_n: i64 unsigned
; CHECK-NEXT:   context: [n, indvars_iv, s, indvars_iv_s_n] -> { : 0 < n <= 2147483647 and 0 <= indvars_iv <= 2147483646 and -2147483648 <= s <= 2147483647 and indvars_iv_s_n >= 0 }
; CHECK-NEXT:   assume finite-loop: [n, indvars_iv, s, indvars_iv_s_n] -> { : s > 0 } because the step of the loop leads to its bound
; CHECK-NEXT:   assume range: [n, indvars_iv, s, indvars_iv_s_n] -> { : indvars_iv_s_n <= 1125899906842624 } because indvars_iv_s_n is small enough for loop counters of 64 bits
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, indvars_iv, s, indvars_iv_s_n] -> { S0[i0] : 0 <= i0 <= indvars_iv_s_n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, indvars_iv, s, indvars_iv_s_n] -> { S0[i0] -> A[o0] } at affine
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     may write [n, indvars_iv, s, indvars_iv_s_n] -> { S0[i0] -> A[o0] } of %1 at affine
; CHECK-NEXT: rejected loop nest: unknown-trip-count: it is not known how often the loop runs
define void @inner(i32 noundef %n, i32 noundef %s, ptr noalias nocapture noundef %A) #0 {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:                    ; preds = %entry
  %0 = sext i32 %s to i64
  %1 = zext nneg i32 %n to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.preheader, %for.cond.cleanup3
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %for.body4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %indvars.iv10 = phi i64 [ %indvars.iv, %for.cond1.preheader ], [ %indvars.iv.next11, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv, i64 %indvars.iv10
  %2 = load double, ptr %arrayidx6, align 8
  %add = fadd double %2, 1.000000e+00
  store double %add, ptr %arrayidx6, align 8
  %indvars.iv.next11 = add nsw i64 %indvars.iv10, %0
  %cmp2 = icmp slt i64 %indvars.iv.next11, %1
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3
}


attributes #0 = { "target-cpu"="x86-64" }
