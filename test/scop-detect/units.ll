; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Branches that depend on data: one statement that may write.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void one_branch(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       if (A[i] > 0)
;         B[i] += A[i];
;   }
;   void chosen_value(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       double x = 1;
;       if (A[i] > 0) {
;         if (A[i] > 3)
;           x = B[i];
;         else
;           B[i] = 2;
;       }
;       A[i] = x;
;     }
;   }
;   void either(int n, int *restrict A, int *restrict B, int *restrict C) {
;     for (int i = 0; i < n; i++)
;       if (A[i] > 0 || B[i + 1] < 3) {
;         C[i] = A[i] / B[i];
;         B[i] = 1;
;       }
;   }
;   void chain(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       if (A[i] > 0)
;         B[i] += 1;
;       if (B[i] > 0)
;         A[i] -= 1;
;     }
;   }
;   int last_one(int n, int *restrict A, int *restrict B) {
;     int last = -1;
;     for (int i = 0; i < n; i++)
;       if (A[i] > 2) {
;         B[i] = last;
;         last = i;
;       }
;     return last;
;   }
;   void join_of_two(int n, int m, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       double t = A[i];
;       if (i < m) {
;         if (B[i] > 0)
;           t = B[i] / t;
;       }
;       B[i] = t;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'one_branch':
; CHECK-NEXT: scop "one_branch: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %2 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     if %1: %3 = fadd %0, %2
; CHECK-NEXT:     if %1: may write [n] -> { S0[i0] -> B[i0] } of %3
define void @one_branch(i32 %n, ptr noalias readonly %A, ptr noalias %B) {
entry:
  %cmp11 = icmp sgt i32 %n, 0
  br i1 %cmp11, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 0.000000e+00
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %arrayidx5 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %1 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx5, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'chosen_value':
; CHECK-NEXT: scop "chosen_value: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %2 = fcmp %0, invariant
; CHECK-NEXT:     %3 = %1 and not %2
; CHECK-NEXT:     if %3: may write [n] -> { S0[i0] -> B[i0] } of invariant
; CHECK-NEXT:     %5 = %1 and %2
; CHECK-NEXT:     if %5: %6 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %7 = not %1
; CHECK-NEXT:     %8 = %7 ? invariant : %3 ? invariant : %6
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %8
define void @chosen_value(i32 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp22 = icmp sgt i32 %n, 0
  br i1 %cmp22, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end10 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 0.000000e+00
  br i1 %cmp1, label %if.then, label %if.end10

if.then:
  %cmp4 = fcmp ogt double %0, 3.000000e+00
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  br i1 %cmp4, label %if.then5, label %if.else

if.then5:
  %1 = load double, ptr %arrayidx7, align 8
  br label %if.end10

if.else:
  store double 2.000000e+00, ptr %arrayidx7, align 8
  br label %if.end10

if.end10:
  %x.0 = phi double [ %1, %if.then5 ], [ 1.000000e+00, %if.else ], [ 1.000000e+00, %for.body ]
  store double %x.0, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'either':
; CHECK-NEXT: scop "either: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   array i32 B[*]
; CHECK-NEXT:   array i32 C[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = icmp %0, invariant
; CHECK-NEXT:     %2 = not %1
; CHECK-NEXT:     if %2: %3 = read [n] -> { S0[i0] -> B[1 + i0] }
; CHECK-NEXT:     if %2: %4 = icmp %3, invariant
; CHECK-NEXT:     %5 = %2 and %4
; CHECK-NEXT:     %6 = %1 or %5
; CHECK-NEXT:     if %6: %7 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     if %6: %8 = sdiv %0, %7
; CHECK-NEXT:     if %6: may write [n] -> { S0[i0] -> C[i0] } of %8
; CHECK-NEXT:     if %6: may write [n] -> { S0[i0] -> B[i0] } of invariant
define void @either(i32 %n, ptr noalias readonly %A, ptr noalias %B, ptr noalias writeonly %C) {
entry:
  %invariant.gep = getelementptr inbounds i8, ptr %B, i64 4
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp sgt i32 %0, 0
  br i1 %cmp1, label %if.then, label %lor.lhs.false

lor.lhs.false:
  %gep = getelementptr inbounds i32, ptr %invariant.gep, i64 %indvars.iv
  %1 = load i32, ptr %gep, align 4
  %cmp4 = icmp slt i32 %1, 3
  br i1 %cmp4, label %if.then, label %for.inc

if.then:
  %arrayidx8 = getelementptr inbounds i32, ptr %B, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx8, align 4
  %div = sdiv i32 %0, %2
  %arrayidx10 = getelementptr inbounds i32, ptr %C, i64 %indvars.iv
  store i32 %div, ptr %arrayidx10, align 4
  store i32 1, ptr %arrayidx8, align 4
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'chain':
; CHECK-NEXT: scop "chain: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     %2 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     if %1: %3 = fadd %2, invariant
; CHECK-NEXT:     if %1: may write [n] -> { S0[i0] -> B[i0] } of %3
; CHECK-NEXT:     %5 = not %1
; CHECK-NEXT:     %6 = %5 ? %2 : %3
; CHECK-NEXT:     %7 = fcmp %6, invariant
; CHECK-NEXT:     if %7: %8 = fadd %0, invariant
; CHECK-NEXT:     if %7: may write [n] -> { S0[i0] -> A[i0] } of %8
define void @chain(i32 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp18 = icmp sgt i32 %n, 0
  br i1 %cmp18, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 0.000000e+00
  %arrayidx3 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %1 = load double, ptr %arrayidx3, align 8
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx3, align 8
  br label %if.end

if.end:
  %2 = phi double [ %add, %if.then ], [ %1, %for.body ]
  %cmp6 = fcmp ogt double %2, 0.000000e+00
  br i1 %cmp6, label %if.then7, label %for.inc

if.then7:
  %sub = fadd double %0, -1.000000e+00
  store double %sub, ptr %arrayidx, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'last_one':
; CHECK-NEXT: scop "last_one: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   array i32 B[*]
; CHECK-NEXT:   scalar i32 last_010_phi (phi)
; CHECK-NEXT:   scalar i32 last_1 (value, used after the region)
; CHECK-NEXT:   statement S_entry
; CHECK-NEXT:     domain: [n] -> { S_entry[] }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [n] -> { S_entry[] -> last_010_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> last_010_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0] -> A[i0] }
; CHECK-NEXT:     %2 = icmp %1, invariant
; CHECK-NEXT:     if %2: may write [n] -> { S1[i0] -> B[i0] } of %0
; CHECK-NEXT:     %4 = not %2
; CHECK-NEXT:     %5 = %4 ? %0 : affine
; CHECK-NEXT:     write [n] -> { S1[i0] -> last_1[] } of %5
; CHECK-NEXT:     write [n] -> { S1[i0] -> last_010_phi[] } of %5
define i32 @last_one(i32 %n, ptr noalias readonly %A, ptr noalias writeonly %B) {
entry:
  %cmp9 = icmp sgt i32 %n, 0
  br i1 %cmp9, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %last.010 = phi i32 [ -1, %for.body.preheader ], [ %last.1, %for.inc ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp sgt i32 %0, 2
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %arrayidx3 = getelementptr inbounds i32, ptr %B, i64 %indvars.iv
  store i32 %last.010, ptr %arrayidx3, align 4
  %1 = trunc nuw nsw i64 %indvars.iv to i32
  br label %for.inc

for.inc:
  %last.1 = phi i32 [ %1, %if.then ], [ %last.010, %for.body ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %last.0.lcssa = phi i32 [ -1, %entry ], [ %last.1, %for.inc ]
  ret i32 %last.0.lcssa
}

; CHECK-LABEL: SCoPs of function 'join_of_two':
; CHECK-NEXT: scop "join_of_two: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   scalar double s0 (value)
; CHECK-NEXT:   scalar double t_0_phi (phi)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     write [n, m] -> { S0[i0] -> s0[] } of %0
; CHECK-NEXT:     write [n, m] -> { S0[i0] -> t_0_phi[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m] -> { S1[i0] : 0 <= i0 < m and i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n, m] -> { S1[i0] -> s0[] }
; CHECK-NEXT:     %1 = read [n, m] -> { S1[i0] -> B[i0] }
; CHECK-NEXT:     %2 = fcmp %1, invariant
; CHECK-NEXT:     if %2: %3 = fdiv %1, %0
; CHECK-NEXT:     %4 = not %2
; CHECK-NEXT:     %5 = %4 ? %0 : %3
; CHECK-NEXT:     write [n, m] -> { S1[i0] -> t_0_phi[] } of %5
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n, m] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     %0 = read [n, m] -> { S2[i0] -> t_0_phi[] }
; CHECK-NEXT:     write [n, m] -> { S2[i0] -> B[i0] } of %0
define void @join_of_two(i32 %n, i32 %m, ptr noalias readonly %A, ptr noalias %B) {
entry:
  %cmp20 = icmp sgt i32 %n, 0
  br i1 %cmp20, label %for.body.preheader, label %for.end

for.body.preheader:
  %0 = sext i32 %m to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end8 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %cmp1 = icmp slt i64 %indvars.iv, %0
  br i1 %cmp1, label %if.then, label %if.end8

if.then:
  %arrayidx3 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %2 = load double, ptr %arrayidx3, align 8
  %cmp4 = fcmp ogt double %2, 0.000000e+00
  br i1 %cmp4, label %if.then5, label %if.end8

if.then5:
  %div = fdiv double %2, %1
  br label %if.end8

if.end8:
  %t.0 = phi double [ %div, %if.then5 ], [ %1, %if.then ], [ %1, %for.body ]
  %arrayidx10 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  store double %t.0, ptr %arrayidx10, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
