; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Blocks of memory with a product of parameters as length.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void repeated(int t, int n, int m, double a[restrict n][m], double *restrict sum) {
;     for (int k = 0; k < t; k++) {
;       __builtin_memset(a, 0, sizeof(double) * n * m);
;       for (int i = 0; i < n; i++)
;         for (int j = 0; j < m; j++)
;           sum[j] += a[i][j] + k;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'repeated':
; CHECK-NEXT: scop "repeated: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter t: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [t, n, m] -> { : 0 < t <= 2147483647 and -2147483648 <= n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   assume range: [t, n, m] -> { : -536870912 <= n <= 536870912 } because n is small enough for the length of a block of memory
; CHECK-NEXT:   assume range: [t, n, m] -> { : -536870912 <= m <= 536870912 } because m is small enough for the length of a block of memory
; CHECK-NEXT:   assume in-bounds: [t, n, m] -> { : m > 0 } because subscripts of 'a' are inside its inner dimensions
; CHECK-NEXT:   array double a[*]{{\[\[}}t, n, m] -> { [(m)] }]
; CHECK-NEXT:   array double sum[*]
; CHECK-NEXT:   scalar double conv15 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [t, n, m] -> { S0[i0] : 0 <= i0 < t }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [t, n, m] -> { S0[i0] -> a[o0, o1] : 0 <= o0 < n and 0 <= o1 < m } of invariant at invariant, invariant, invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [t, n, m] -> { S1[i0] : n > 0 and 0 <= i0 < t }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = uitofp affine
; CHECK-NEXT:     write [t, n, m] -> { S1[i0] -> conv15[] } of %0
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [t, n, m] -> { S2[i0, i1, i2] : 0 <= i0 < t and 0 <= i1 < n and 0 <= i2 < m }
; CHECK-NEXT:     order: [0, i0, 2, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [t, n, m] -> { S2[i0, i1, i2] -> conv15[] }
; CHECK-NEXT:     %1 = read [t, n, m] -> { S2[i0, i1, i2] -> a[i1, i2] }
; CHECK-NEXT:     %2 = fadd %1, %0
; CHECK-NEXT:     %3 = read [t, n, m] -> { S2[i0, i1, i2] -> sum[i2] }
; CHECK-NEXT:     %4 = fadd %3, %2
; CHECK-NEXT:     write [t, n, m] -> { S2[i0, i1, i2] -> sum[i2] } of %4
define void @repeated(i32 noundef %t, i32 noundef %n, i32 noundef %m, ptr noalias nocapture noundef %a, ptr noalias nocapture noundef %sum) #0 {
entry:
  %0 = zext i32 %m to i64
  %cmp17 = icmp sgt i32 %t, 0
  br i1 %cmp17, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %conv = sext i32 %n to i64
  %mul = shl nsw i64 %conv, 3
  %conv1 = sext i32 %m to i64
  %mul2 = mul i64 %mul, %conv1
  %cmp415 = icmp sgt i32 %n, 0
  %cmp913 = icmp sgt i32 %m, 0
  %wide.trip.count23 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup6, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup6
  %k.018 = phi i32 [ 0, %for.body.lr.ph ], [ %inc23, %for.cond.cleanup6 ]
  tail call void @llvm.memset.p0.i64(ptr align 8 %a, i8 0, i64 %mul2, i1 false)
  br i1 %cmp415, label %for.cond8.preheader.lr.ph, label %for.cond.cleanup6

for.cond8.preheader.lr.ph:                        ; preds = %for.body
  %conv15 = uitofp nneg i32 %k.018 to double
  br label %for.cond8.preheader

for.cond8.preheader:                              ; preds = %for.cond8.preheader.lr.ph, %for.cond.cleanup11
  %indvars.iv20 = phi i64 [ 0, %for.cond8.preheader.lr.ph ], [ %indvars.iv.next21, %for.cond.cleanup11 ]
  br i1 %cmp913, label %for.body12.lr.ph, label %for.cond.cleanup11

for.body12.lr.ph:                                 ; preds = %for.cond8.preheader
  %1 = mul nuw nsw i64 %indvars.iv20, %0
  %arrayidx = getelementptr inbounds double, ptr %a, i64 %1
  br label %for.body12

for.cond.cleanup6:                                ; preds = %for.cond.cleanup11, %for.body
  %inc23 = add nuw nsw i32 %k.018, 1
  %exitcond25.not = icmp eq i32 %inc23, %t
  br i1 %exitcond25.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup11:                               ; preds = %for.body12, %for.cond8.preheader
  %indvars.iv.next21 = add nuw nsw i64 %indvars.iv20, 1
  %exitcond24.not = icmp eq i64 %indvars.iv.next21, %wide.trip.count23
  br i1 %exitcond24.not, label %for.cond.cleanup6, label %for.cond8.preheader

for.body12:                                       ; preds = %for.body12.lr.ph, %for.body12
  %indvars.iv = phi i64 [ 0, %for.body12.lr.ph ], [ %indvars.iv.next, %for.body12 ]
  %arrayidx14 = getelementptr inbounds double, ptr %arrayidx, i64 %indvars.iv
  %2 = load double, ptr %arrayidx14, align 8
  %add = fadd double %2, %conv15
  %arrayidx17 = getelementptr inbounds double, ptr %sum, i64 %indvars.iv
  %3 = load double, ptr %arrayidx17, align 8
  %add18 = fadd double %3, %add
  store double %add18, ptr %arrayidx17, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup11, label %for.body12
}

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

attributes #0 = { "target-cpu"="x86-64" }
