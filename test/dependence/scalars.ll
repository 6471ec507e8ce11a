; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences;no-reductions>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Scalars that live from one statement or iteration to another are arrays with one element. Those that can be recomputed where they
; are used, or kept in an element that is written anyway, are gone before dependences are computed.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The sum is carried by a PHI and used after the loop.
;
;   long sum(long n, long *A) {
;     long s = 0;
;     for (long i = 0; i < n; i++)
;       s += A[i];
;     return s;
;   }
;
; CHECK-LABEL:Dependences of function 'sum':
; CHECK-NEXT:scop "sum: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.0 -> 1.0: [n] -> { S_entry[] -> S1[0] : n > 0 }
; CHECK-NEXT:flow 1.2 -> 1.0: [n] -> { S1[i0] -> S1[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.0 -> 1.2: [n] -> { S_entry[] -> S1[0] : n > 0 }
; CHECK-NEXT:output 1.2 -> 1.2: [n] -> { S1[i0] -> S1[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
define i64 @sum(i64 %n, ptr %A) {
entry:
  %cmp4 = icmp sgt i64 %n, 0
  br i1 %cmp4, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %s.05 = phi i64 [ %add, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.06
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %s.05, %0
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %s.0.lcssa = phi i64 [ 0, %entry ], [ %add, %for.body ]
  ret i64 %s.0.lcssa
}

; Two values are passed on at every iteration.
;
;   void fibonacci(long n, long *A) {
;     long p = 0, q = 1;
;     for (long i = 0; i < n; i++) {
;       A[i] = p;
;       long r = p + q;
;       p = q;
;       q = r;
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'fibonacci':
; CHECK-NEXT:scop "fibonacci: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.0 -> 1.0: [n] -> { S_entry[] -> S1[0] : n > 0 }
; CHECK-NEXT:flow 2.2 -> 1.0: [n] -> { S2[i0] -> S1[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:flow 0.0 -> 2.0: [n] -> { S_entry[] -> S2[0] : n > 0 }
; CHECK-NEXT:flow 2.2 -> 2.0: [n] -> { S2[i0] -> S2[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:flow 0.1 -> 2.1: [n] -> { S_entry[] -> S2[0] : n > 0 }
; CHECK-NEXT:flow 2.3 -> 2.1: [n] -> { S2[i0] -> S2[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.0 -> 2.2: [n] -> { S_entry[] -> S2[0] : n > 0 }
; CHECK-NEXT:output 0.1 -> 2.3: [n] -> { S_entry[] -> S2[0] : n > 0 }
; CHECK-NEXT:anti 1.0 -> 2.2: [n] -> { S1[i0] -> S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:output 2.2 -> 2.2: [n] -> { S2[i0] -> S2[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 2.3 -> 2.3: [n] -> { S2[i0] -> S2[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
define void @fibonacci(i64 %n, ptr %A) {
entry:
  %cmp5 = icmp sgt i64 %n, 0
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %p.08 = phi i64 [ %q.06, %for.body ], [ 0, %entry ]
  %i.07 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %q.06 = phi i64 [ %add, %for.body ], [ 1, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.07
  store i64 %p.08, ptr %arrayidx, align 8
  %add = add nsw i64 %p.08, %q.06
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A sum for each row, kept in B[i]: nothing is carried by the loop over i.
;
;   void row_sums(long n, long A[100][100], long *restrict B) {
;     for (long i = 0; i < 100; i++) {
;       long s = 0;
;       for (long j = 0; j < 100; j++)
;         s += A[i][j];
;       B[i] = s;
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'row_sums':
; CHECK-NEXT:scop "row_sums: for.cond1.preheader => for.end9"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0] -> S1[i0, 0] : 0 <= i0 <= 99 }
; CHECK-NEXT:flow 1.2 -> 1.0: { S1[i0, i1] -> S1[i0, 1 + i1] : 0 <= i0 <= 99 and 0 <= i1 <= 98 }
; CHECK-NEXT:output 0.0 -> 1.2: { S0[i0] -> S1[i0, 0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 1.2 -> 1.2: { S1[i0, i1] -> S1[i0, 1 + i1] : 0 <= i0 <= 99 and 0 <= i1 <= 98 }
; CHECK-NOT:{{.+}}
define void @row_sums(i64 %n, ptr %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.09 = phi i64 [ 0, %entry ], [ %inc8, %for.end ]
  br label %for.body4

for.body4:
  %j.08 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %s.07 = phi i64 [ 0, %for.cond1.preheader ], [ %add, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x i64], ptr %A, i64 %i.09, i64 %j.08
  %0 = load i64, ptr %arrayidx5, align 8
  %add = add nsw i64 %s.07, %0
  %inc = add nuw nsw i64 %j.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body4

for.end:
  %arrayidx6 = getelementptr inbounds i64, ptr %B, i64 %i.09
  store i64 %add, ptr %arrayidx6, align 8
  %inc8 = add nuw nsw i64 %i.09, 1
  %exitcond10.not = icmp eq i64 %inc8, 100
  br i1 %exitcond10.not, label %for.end9, label %for.cond1.preheader

for.end9:
  ret void
}

; A value of the outer loop is recomputed in the inner one.
;
;   void row_value(double *restrict A, double B[100][100]) {
;     for (long i = 0; i < 100; i++) {
;       double a = A[i] * 2;
;       for (long j = 0; j < 100; j++)
;         B[i][j] = a;
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'row_value':
; CHECK-NEXT:scop "row_value: for.body => for.end9"
; CHECK-NOT:{{.+}}
define void @row_value(ptr noalias %A, ptr %B) {
entry:
  br label %for.body

for.body:
  %i.07 = phi i64 [ 0, %entry ], [ %inc8, %for.inc7 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.07
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  br label %for.body4

for.body4:
  %j.06 = phi i64 [ 0, %for.body ], [ %inc, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [100 x double], ptr %B, i64 %i.07, i64 %j.06
  store double %mul, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %j.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc7, label %for.body4

for.inc7:
  %inc8 = add nuw nsw i64 %i.07, 1
  %exitcond8.not = icmp eq i64 %inc8, 100
  br i1 %exitcond8.not, label %for.end9, label %for.body

for.end9:
  ret void
}

; The inner loop changes what the value was computed from, so that it cannot be recomputed.
;
;   void must_be_kept(double *restrict A) {
;     for (long i = 0; i < 100; i++) {
;       double a = A[i] * 2;
;       for (long j = 0; j < 100; j++)
;         A[j] = a;
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'must_be_kept':
; CHECK-NEXT:scop "must_be_kept: for.body => for.end8"
; CHECK-NEXT:flow 1.1 -> 0.0: { S1[i0, i1 = 1 + i0] -> S0[1 + i0] : 0 <= i0 <= 98 }
; CHECK-NEXT:flow 0.1 -> 1.0: { S0[i0] -> S1[i0, o1] : 0 <= i0 <= 99 and 0 <= o1 <= 99 }
; CHECK-NEXT:anti 0.0 -> 1.1: { S0[i0] -> S1[i0, i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 0.1 -> 0.1: { S0[i0] -> S0[1 + i0] : 0 <= i0 <= 98 }
; CHECK-NEXT:anti 1.0 -> 0.1: { S1[i0, i1] -> S0[1 + i0] : 0 <= i0 <= 98 and 0 <= i1 <= 99 }
; CHECK-NEXT:output 1.1 -> 1.1: { S1[i0, i1] -> S1[1 + i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 99 }
; CHECK-NOT:{{.+}}
define void @must_be_kept(ptr noalias %A) {
entry:
  br label %for.body

for.body:
  %i.07 = phi i64 [ 0, %entry ], [ %inc7, %for.inc6 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.07
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  br label %for.body4

for.body4:
  %j.06 = phi i64 [ 0, %for.body ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %j.06
  store double %mul, ptr %arrayidx5, align 8
  %inc = add nuw nsw i64 %j.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc6, label %for.body4

for.inc6:
  %inc7 = add nuw nsw i64 %i.07, 1
  %exitcond8.not = icmp eq i64 %inc7, 100
  br i1 %exitcond8.not, label %for.end8, label %for.body

for.end8:
  ret void
}

; One of two values, as a condition says, is stored at once instead of where the branches meet.
;
;   void one_of_two(long *restrict A, long *restrict B, long *restrict C) {
;     for (long i = 0; i < 100; i++) {
;       long v;
;       if (i < 40) {
;         v = A[i] * 3;
;         C[i] = 0;
;       } else {
;         v = B[i] * 5;
;         C[i] = 1;
;       }
;       A[i] = v;
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'one_of_two':
; CHECK-NEXT:scop "one_of_two: for.body => for.end"
; CHECK-NOT:{{.+}}
define void @one_of_two(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.010 = phi i64 [ 0, %entry ], [ %inc, %if.end ]
  %cmp1 = icmp ult i64 %i.010, 40
  br i1 %cmp1, label %if.then, label %if.else

if.then:
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.010
  %0 = load i64, ptr %arrayidx, align 8
  %mul = mul nsw i64 %0, 3
  %arrayidx2 = getelementptr inbounds i64, ptr %C, i64 %i.010
  store i64 0, ptr %arrayidx2, align 8
  br label %if.end

if.else:
  %arrayidx3 = getelementptr inbounds i64, ptr %B, i64 %i.010
  %1 = load i64, ptr %arrayidx3, align 8
  %mul4 = mul nsw i64 %1, 5
  %arrayidx5 = getelementptr inbounds i64, ptr %C, i64 %i.010
  store i64 1, ptr %arrayidx5, align 8
  br label %if.end

if.end:
  %v.0 = phi i64 [ %mul, %if.then ], [ %mul4, %if.else ]
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %i.010
  store i64 %v.0, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
