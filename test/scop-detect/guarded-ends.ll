; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Ends of the program in branches that data decide about: where the condition is affine it must not hold in any iteration, where it is not, nothing is read that is guarded.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void abort(void) __attribute__((noreturn, nothrow));
;   void within_size(int n, int size, const double *restrict v, double *restrict b) {
;     for (int i = 0; i < n; i++)
;       if (v[i] > 0) {
;         if (i >= size)
;           abort();
;         b[i] += v[i];
;       }
;   }
;   void decided_twice(int n, int size, const double *restrict v, const int *restrict r, const int *restrict s, double *restrict b) {
;     for (int i = 0; i < n; i++)
;       if (v[i] > 0) {
;         int k = r[i];
;         if (k > 4 || v[i] < 3) {
;           if (s[k] >= size)
;             abort();
;           b[i] += v[i];
;         } else
;           b[i] -= k;
;       }
;   }
;   void written(int n, const int *restrict s, double *restrict b) {
;     for (int i = 0; i < n; i++)
;       if (b[i] > 1) {
;         if (s[i] == 77)
;           abort();
;         b[i] -= 1;
;       }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: SCoPs of function 'within_size':
; CHECK-NEXT: scop "within_size: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter size: i32 signed
; CHECK-NEXT:   context: [n, size] -> { : 0 < n <= 2147483647 and -2147483648 <= size <= 2147483647 }
; CHECK-NEXT:   assume not-taken: [n, size] -> { : size >= n } because the program does not end inside
; CHECK-NEXT:   array double v[*]
; CHECK-NEXT:   array double b[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, size] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, size] -> { S0[i0] -> v[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %2 = read [n, size] -> { S0[i0] -> b[i0] }
; CHECK-NEXT:     if %1: %3 = fadd %0, %2
; CHECK-NEXT:     if %1: may write [n, size] -> { S0[i0] -> b[i0] } of %3
define void @within_size(i32 noundef %n, i32 noundef %size, ptr noalias nocapture noundef readonly %v, ptr noalias nocapture noundef %b) {
entry:
  %cmp15 = icmp sgt i32 %n, 0
  br i1 %cmp15, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %0 = sext i32 %size to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds double, ptr %v, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %1, 0.000000e+00
  br i1 %cmp1, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  %cmp2.not = icmp slt i64 %indvars.iv, %0
  br i1 %cmp2.not, label %if.end, label %if.then3

if.then3:                                         ; preds = %if.then
  call void @abort() noreturn nounwind
  unreachable

if.end:                                           ; preds = %if.then
  %arrayidx7 = getelementptr inbounds double, ptr %b, i64 %indvars.iv
  %2 = load double, ptr %arrayidx7, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx7, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.end
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare void @abort() noreturn nounwind

; CHECK-LABEL: SCoPs of function 'decided_twice':
; CHECK-NEXT: scop "decided_twice: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double v[*]
; CHECK-NEXT:   array i32 r[*]
; CHECK-NEXT:   array double b[*]
; CHECK-NEXT:   array i32 s[*]
; CHECK-NEXT:   inspection I0
; CHECK-NEXT:     domain: [n] -> { I0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { I0[i0] -> v[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %2 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %3 = read [n] -> { I0[i0] -> r[i0] }
; CHECK-NEXT:     if %1: %4 = icmp %3, invariant
; CHECK-NEXT:     if %1: %5 = or %2, %4
; CHECK-NEXT:     %6 = %1 and %5
; CHECK-NEXT:     if %6: %7 = sext %3
; CHECK-NEXT:     if %6: %8 = getelementptr invariant, %7
; CHECK-NEXT:     if %6: %9 = read [n] -> { I0[i0] -> s[o0] } at %8
; CHECK-NEXT:     if %6: %10 = icmp %9, invariant
; CHECK-NEXT:     %11 = %6 and not %10
; CHECK-NEXT:     original if %11
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> v[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %2 = read [n] -> { S0[i0] -> r[i0] }
; CHECK-NEXT:     if %1: %3 = icmp %2, invariant
; CHECK-NEXT:     if %1: %4 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %5 = or %4, %3
; CHECK-NEXT:     %6 = %1 and not %5
; CHECK-NEXT:     if %6: %7 = sitofp %2
; CHECK-NEXT:     if %6: %8 = read [n] -> { S0[i0] -> b[i0] }
; CHECK-NEXT:     if %6: %9 = fsub %8, %7
; CHECK-NEXT:     if %6: may write [n] -> { S0[i0] -> b[i0] } of %9
; CHECK-NEXT:     %11 = %1 and %5
; CHECK-NEXT:     if %11: %12 = read [n] -> { S0[i0] -> b[i0] }
; CHECK-NEXT:     if %11: %13 = fadd %0, %12
; CHECK-NEXT:     if %11: may write [n] -> { S0[i0] -> b[i0] } of %13
define void @decided_twice(i32 noundef %n, i32 noundef %size, ptr noalias nocapture noundef readonly %v, ptr noalias nocapture noundef readonly %r, ptr noalias nocapture noundef readonly %s, ptr noalias nocapture noundef %b) {
entry:
  %cmp34 = icmp sgt i32 %n, 0
  br i1 %cmp34, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds double, ptr %v, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 0.000000e+00
  br i1 %cmp1, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  %arrayidx3 = getelementptr inbounds i32, ptr %r, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp sgt i32 %1, 4
  %cmp7 = fcmp olt double %0, 3.000000e+00
  %or.cond = or i1 %cmp7, %cmp4
  br i1 %or.cond, label %if.then8, label %if.else

if.then8:                                         ; preds = %if.then
  %idxprom9 = sext i32 %1 to i64
  %arrayidx10 = getelementptr inbounds i32, ptr %s, i64 %idxprom9
  %2 = load i32, ptr %arrayidx10, align 4
  %cmp11.not = icmp slt i32 %2, %size
  br i1 %cmp11.not, label %if.end, label %if.then12

if.then12:                                        ; preds = %if.then8
  call void @abort() noreturn nounwind
  unreachable

if.end:                                           ; preds = %if.then8
  %arrayidx16 = getelementptr inbounds double, ptr %b, i64 %indvars.iv
  %3 = load double, ptr %arrayidx16, align 8
  %add = fadd double %0, %3
  store double %add, ptr %arrayidx16, align 8
  br label %for.inc

if.else:                                          ; preds = %if.then
  %conv = sitofp i32 %1 to double
  %arrayidx18 = getelementptr inbounds double, ptr %b, i64 %indvars.iv
  %4 = load double, ptr %arrayidx18, align 8
  %sub = fsub double %4, %conv
  store double %sub, ptr %arrayidx18, align 8
  br label %for.inc

for.inc:                                          ; preds = %if.end, %if.else, %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'written':
; CHECK-NEXT: rejected loop nest: non-affine-condition: whether the program ends here cannot be checked before: the condition of a branch depends on the value loaded from 's', which is computed inside the region; nor by a look at the data: it depends on 'b', which is written
define void @written(i32 noundef %n, ptr noalias nocapture noundef readonly %s, ptr noalias nocapture noundef %b) {
entry:
  %cmp14 = icmp sgt i32 %n, 0
  br i1 %cmp14, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds double, ptr %b, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 1.000000e+00
  br i1 %cmp1, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  %arrayidx3 = getelementptr inbounds i32, ptr %s, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp eq i32 %1, 77
  br i1 %cmp4, label %if.then5, label %if.end

if.then5:                                         ; preds = %if.then
  call void @abort() noreturn nounwind
  unreachable

if.end:                                           ; preds = %if.then
  %sub = fadd double %0, -1.000000e+00
  store double %sub, ptr %arrayidx, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.end
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}
