; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Several nests, and nests in larger code.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void effect(void);
;   void two_nests(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       A[i] += 1;
;     for (int i = 0; i < n; i++)
;       B[i] += A[n - 1 - i];
;   }
;   void call_between(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       A[i] += 1;
;     effect();
;     for (int i = 0; i < n; i++)
;       B[i] += A[i];
;   }
;   void guarded(int n, int m, double *restrict A, double *restrict B) {
;     if (m > 2) {
;       for (int i = 0; i < n; i++)
;         A[i] += 1;
;       for (int i = 0; i < m; i++)
;         B[i] += 1;
;     }
;   }
;   void inner_only(int n, double A[restrict][100]) {
;     for (int i = 0; i < n; i++) {
;       effect();
;       for (int j = 0; j < i; j++)
;         for (int k = 0; k < 100; k++)
;           A[j][k] += A[i][k];
;     }
;   }
;   void first_guard(int n, int m, double *restrict A, double *restrict B) {
;     if (m > 3)
;       for (int i = 0; i < n; i++)
;         A[i] += 1;
;     for (int i = 0; i < m; i++)
;       B[i] += A[i];
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'two_nests':
; CHECK-NEXT: scop "two_nests: for.body => for.cond.cleanup4"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> A[-1 + n - i0] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0] -> B[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S1[i0] -> B[i0] } of %2
define void @two_nests(i32 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.body.preheader, label %for.cond.cleanup4

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond2.preheader:
  br i1 %cmp23, label %for.body5.preheader, label %for.cond.cleanup4

for.body5.preheader:
  %0 = zext nneg i32 %n to i64
  %wide.trip.count32 = zext nneg i32 %n to i64
  %invariant.gep = getelementptr double, ptr %A, i64 %0
  br label %for.body5

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond2.preheader, label %for.body

for.cond.cleanup4:
  ret void

for.body5:
  %indvars.iv28 = phi i64 [ 0, %for.body5.preheader ], [ %indvars.iv.next29, %for.body5 ]
  %2 = xor i64 %indvars.iv28, -1
  %gep = getelementptr double, ptr %invariant.gep, i64 %2
  %3 = load double, ptr %gep, align 8
  %arrayidx10 = getelementptr inbounds double, ptr %B, i64 %indvars.iv28
  %4 = load double, ptr %arrayidx10, align 8
  %add11 = fadd double %3, %4
  store double %add11, ptr %arrayidx10, align 8
  %indvars.iv.next29 = add nuw nsw i64 %indvars.iv28, 1
  %exitcond33.not = icmp eq i64 %indvars.iv.next29, %wide.trip.count32
  br i1 %exitcond33.not, label %for.cond.cleanup4, label %for.body5
}

; CHECK-LABEL: SCoPs of function 'call_between':
; CHECK-NEXT: scop "call_between: for.body => for.cond.cleanup"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
; CHECK-NEXT: scop "call_between: for.body5 => for.cond.cleanup4.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S0[i0] -> B[i0] } of %2
define void @call_between(i32 %n, ptr noalias %A, ptr noalias %B) #1 {
entry:
  %cmp21 = icmp sgt i32 %n, 0
  br i1 %cmp21, label %for.body.preheader, label %for.cond.cleanup.thread

for.cond.cleanup.thread:
  tail call void @effect() #4
  br label %for.cond.cleanup4

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  tail call void @effect() #4
  br i1 %cmp21, label %for.body5.preheader, label %for.cond.cleanup4

for.body5.preheader:
  %wide.trip.count29 = zext nneg i32 %n to i64
  br label %for.body5

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup4:
  ret void

for.body5:
  %indvars.iv26 = phi i64 [ 0, %for.body5.preheader ], [ %indvars.iv.next27, %for.body5 ]
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %indvars.iv26
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx9 = getelementptr inbounds double, ptr %B, i64 %indvars.iv26
  %2 = load double, ptr %arrayidx9, align 8
  %add10 = fadd double %1, %2
  store double %add10, ptr %arrayidx9, align 8
  %indvars.iv.next27 = add nuw nsw i64 %indvars.iv26, 1
  %exitcond30.not = icmp eq i64 %indvars.iv.next27, %wide.trip.count29
  br i1 %exitcond30.not, label %for.cond.cleanup4, label %for.body5
}

declare void @effect() #2

; CHECK-LABEL: SCoPs of function 'guarded':
; CHECK-NEXT: scop "guarded: for.cond.preheader.branch => if.end.loopexit"
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [m, n] -> { : 3 <= m <= 2147483647 and -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [m, n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [m, n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [m, n] -> { S0[i0] -> A[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [m, n] -> { S1[i0] : 0 <= i0 < m }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [m, n] -> { S1[i0] -> B[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [m, n] -> { S1[i0] -> B[i0] } of %1
define void @guarded(i32 %n, i32 %m, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp = icmp sgt i32 %m, 2
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %cmp118 = icmp sgt i32 %n, 0
  br i1 %cmp118, label %for.body.preheader, label %for.body6.preheader

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body6.preheader:
  %smax = call i32 @llvm.smax.i32(i32 %m, i32 1)
  %wide.trip.count26 = zext nneg i32 %smax to i64
  br label %for.body6

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.body6.preheader, label %for.body

for.body6:
  %indvars.iv23 = phi i64 [ 0, %for.body6.preheader ], [ %indvars.iv.next24, %for.body6 ]
  %arrayidx8 = getelementptr inbounds double, ptr %B, i64 %indvars.iv23
  %1 = load double, ptr %arrayidx8, align 8
  %add9 = fadd double %1, 1.000000e+00
  store double %add9, ptr %arrayidx8, align 8
  %indvars.iv.next24 = add nuw nsw i64 %indvars.iv23, 1
  %exitcond27.not = icmp eq i64 %indvars.iv.next24, %wide.trip.count26
  br i1 %exitcond27.not, label %if.end, label %for.body6

if.end:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32) #3

; CHECK-LABEL: SCoPs of function 'inner_only':
; CHECK-NEXT: scop "inner_only: for.cond5.preheader => for.cond.cleanup3.loopexit"
; CHECK-NEXT:   parameter indvars_iv40: i64 signed
; CHECK-NEXT:   context: [indvars_iv40] -> { : 0 < indvars_iv40 <= 2147483646 }
; CHECK-NEXT:   array double A[*][{{.*}}100{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [indvars_iv40] -> { S0[i0, i1] : 0 <= i0 < indvars_iv40 and 0 <= i1 <= 99 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [indvars_iv40] -> { S0[i0, i1] -> A[indvars_iv40, i1] }
; CHECK-NEXT:     %1 = read [indvars_iv40] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [indvars_iv40] -> { S0[i0, i1] -> A[i0, i1] } of %2
; CHECK-NEXT: rejected loop nest: call: the call of 'effect' may write memory
define void @inner_only(i32 %n, ptr noalias %A) #1 {
entry:
  %cmp33 = icmp sgt i32 %n, 0
  br i1 %cmp33, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count43 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv40 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next41, %for.cond.cleanup3 ]
  tail call void @effect() #4
  %cmp231.not = icmp eq i64 %indvars.iv40, 0
  br i1 %cmp231.not, label %for.cond.cleanup3, label %for.cond5.preheader

for.cond5.preheader:
  %indvars.iv36 = phi i64 [ %indvars.iv.next37, %for.cond.cleanup7 ], [ 0, %for.body ]
  br label %for.body8

for.cond.cleanup3:
  %indvars.iv.next41 = add nuw nsw i64 %indvars.iv40, 1
  %exitcond44.not = icmp eq i64 %indvars.iv.next41, %wide.trip.count43
  br i1 %exitcond44.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup7:
  %indvars.iv.next37 = add nuw nsw i64 %indvars.iv36, 1
  %exitcond39.not = icmp eq i64 %indvars.iv.next37, %indvars.iv40
  br i1 %exitcond39.not, label %for.cond.cleanup3, label %for.cond5.preheader

for.body8:
  %indvars.iv = phi i64 [ 0, %for.cond5.preheader ], [ %indvars.iv.next, %for.body8 ]
  %arrayidx10 = getelementptr inbounds [100 x double], ptr %A, i64 %indvars.iv40, i64 %indvars.iv
  %0 = load double, ptr %arrayidx10, align 8
  %arrayidx14 = getelementptr inbounds [100 x double], ptr %A, i64 %indvars.iv36, i64 %indvars.iv
  %1 = load double, ptr %arrayidx14, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx14, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 100
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8
}

; CHECK-LABEL: SCoPs of function 'first_guard':
; CHECK-NEXT: scop "first_guard: entry.branch => for.end13"
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [m, n] -> { : -2147483648 <= m <= 2147483647 and -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [m, n] -> { S0[i0] : m >= 4 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [m, n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [m, n] -> { S0[i0] -> A[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [m, n] -> { S1[i0] : 0 <= i0 < m }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [m, n] -> { S1[i0] -> A[i0] }
; CHECK-NEXT:     %1 = read [m, n] -> { S1[i0] -> B[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [m, n] -> { S1[i0] -> B[i0] } of %2
define void @first_guard(i32 %n, i32 %m, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp = icmp sgt i32 %m, 3
  %cmp121 = icmp sgt i32 %n, 0
  %or.cond = and i1 %cmp, %cmp121
  br i1 %or.cond, label %for.body.preheader, label %if.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %if.end, label %for.body

if.end:
  %cmp423 = icmp sgt i32 %m, 0
  br i1 %cmp423, label %for.body5.preheader, label %for.end13

for.body5.preheader:
  %wide.trip.count29 = zext nneg i32 %m to i64
  br label %for.body5

for.body5:
  %indvars.iv26 = phi i64 [ 0, %for.body5.preheader ], [ %indvars.iv.next27, %for.body5 ]
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %indvars.iv26
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx9 = getelementptr inbounds double, ptr %B, i64 %indvars.iv26
  %2 = load double, ptr %arrayidx9, align 8
  %add10 = fadd double %1, %2
  store double %add10, ptr %arrayidx9, align 8
  %indvars.iv.next27 = add nuw nsw i64 %indvars.iv26, 1
  %exitcond30.not = icmp eq i64 %indvars.iv.next27, %wide.trip.count29
  br i1 %exitcond30.not, label %for.end13, label %for.body5

for.end13:
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #1 = { nounwind }
attributes #2 = { nounwind }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }
