; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Flow dependences: each read depends on the write whose value it gets, and on no other.
;
; "flow 0.1 -> 2.0: { S0[i0] -> S2[i0] }" says that access 0 of S2 reads what access 1 of S0 has written. Statements, accesses and
; iterations are counted from 0.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Each element is read one iteration after it was written. The first read gets a value from before the loop.
;
;   void next(long *A) {
;     for (long i = 0; i < 100; i++)
;       A[i + 1] = A[i] + 1;
;   }
;
; CHECK-LABEL:Dependences of function 'next':
; CHECK-NEXT:scop "next: for.body => for.end"
; CHECK-NEXT:flow 0.1 -> 0.0: { S0[i0] -> S0[1 + i0] : 0 <= i0 <= 98 }
; CHECK-NOT:{{.+}}
define void @next(ptr %A) {
entry:
  br label %for.body

for.body:
  %i.05 = phi i64 [ 0, %entry ], [ %add1, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.05
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %0, 1
  %add1 = add nuw nsw i64 %i.05, 1
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %add1
  store i64 %add, ptr %arrayidx2, align 8
  %exitcond.not = icmp eq i64 %add1, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; The inner loop overwrites the zero, and each of its iterations what the one before wrote: only the last value is read.
;
;   void killed(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++) {
;       A[i] = 0;
;       for (long j = 0; j < 50; j++)
;         A[i] = j;
;       B[i] = A[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'killed':
; CHECK-NEXT:scop "killed: for.body => for.end10"
; CHECK-NEXT:flow 1.0 -> 2.0: { S1[i0, i1 = 49] -> S2[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 0.0 -> 1.0: { S0[i0] -> S1[i0, 0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 1.0 -> 1.0: { S1[i0, i1] -> S1[i0, 1 + i1] : 0 <= i0 <= 99 and 0 <= i1 <= 48 }
; CHECK-NOT:{{.+}}
define void @killed(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.011 = phi i64 [ 0, %entry ], [ %inc9, %for.end ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.011
  store i64 0, ptr %arrayidx, align 8
  br label %for.body4

for.body4:
  %j.010 = phi i64 [ 0, %for.body ], [ %inc, %for.body4 ]
  store i64 %j.010, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.010, 1
  %exitcond.not = icmp eq i64 %inc, 50
  br i1 %exitcond.not, label %for.end, label %for.body4

for.end:
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %i.011
  store i64 %0, ptr %arrayidx7, align 8
  %inc9 = add nuw nsw i64 %i.011, 1
  %exitcond12.not = icmp eq i64 %inc9, 100
  br i1 %exitcond12.not, label %for.end10, label %for.body

for.end10:
  ret void
}

; The second loop overwrites a part of what the first wrote: the third reads some values of each.
;
;   void partly_killed(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++)
;       A[i] = 1;
;     for (long i = 20; i < 50; i++)
;       A[i] = 2;
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'partly_killed':
; CHECK-NEXT:scop "partly_killed: for.body => for.end19"
; CHECK-NEXT:flow 0.0 -> 2.0: { S0[i0] -> S2[i0] : 0 <= i0 <= 19 or 50 <= i0 <= 99 }
; CHECK-NEXT:flow 1.0 -> 2.0: { S1[i0] -> S2[20 + i0] : 0 <= i0 <= 29 }
; CHECK-NEXT:output 0.0 -> 1.0: { S0[i0] -> S1[-20 + i0] : 20 <= i0 <= 49 }
; CHECK-NOT:{{.+}}
define void @partly_killed(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.010 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.010
  store i64 1, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body5, label %for.body

for.body5:
  %i1.011 = phi i64 [ %inc8, %for.body5 ], [ 20, %for.body ]
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %i1.011
  store i64 2, ptr %arrayidx6, align 8
  %inc8 = add nuw nsw i64 %i1.011, 1
  %exitcond13.not = icmp eq i64 %inc8, 50
  br i1 %exitcond13.not, label %for.body14, label %for.body5

for.body14:
  %i10.012 = phi i64 [ %inc18, %for.body14 ], [ 0, %for.body5 ]
  %arrayidx15 = getelementptr inbounds i64, ptr %A, i64 %i10.012
  %0 = load i64, ptr %arrayidx15, align 8
  %arrayidx16 = getelementptr inbounds i64, ptr %B, i64 %i10.012
  store i64 %0, ptr %arrayidx16, align 8
  %inc18 = add nuw nsw i64 %i10.012, 1
  %exitcond14.not = icmp eq i64 %inc18, 100
  br i1 %exitcond14.not, label %for.end19, label %for.body14

for.end19:
  ret void
}

; Every iteration of i overwrites what the one before wrote: the second loop reads the values of the last.
;
;   void last_one(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 10; i++)
;       for (long j = 0; j < 100; j++)
;         A[j] = i;
;     for (long j = 0; j < 100; j++)
;       B[j] = A[j];
;   }
;
; CHECK-LABEL:Dependences of function 'last_one':
; CHECK-NEXT:scop "last_one: for.cond1.preheader => for.end17"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0 = 9, i1] -> S1[i1] : 0 <= i1 <= 99 }
; CHECK-NEXT:output 0.0 -> 0.0: { S0[i0, i1] -> S0[1 + i0, i1] : 0 <= i0 <= 8 and 0 <= i1 <= 99 }
; CHECK-NOT:{{.+}}
define void @last_one(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.010 = phi i64 [ 0, %entry ], [ %inc6, %for.inc5 ]
  br label %for.body4

for.body4:
  %j.09 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %j.09
  store i64 %i.010, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.09, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc5, label %for.body4

for.inc5:
  %inc6 = add nuw nsw i64 %i.010, 1
  %exitcond12.not = icmp eq i64 %inc6, 10
  br i1 %exitcond12.not, label %for.body12, label %for.cond1.preheader

for.body12:
  %j8.011 = phi i64 [ %inc16, %for.body12 ], [ 0, %for.inc5 ]
  %arrayidx13 = getelementptr inbounds i64, ptr %A, i64 %j8.011
  %0 = load i64, ptr %arrayidx13, align 8
  %arrayidx14 = getelementptr inbounds i64, ptr %B, i64 %j8.011
  store i64 %0, ptr %arrayidx14, align 8
  %inc16 = add nuw nsw i64 %j8.011, 1
  %exitcond13.not = icmp eq i64 %inc16, 100
  br i1 %exitcond13.not, label %for.end17, label %for.body12

for.end17:
  ret void
}

; Up to ten writes of one element: the read gets the value of the last, which has the largest i within the bounds.
;
;   void diagonal(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 10; i++)
;       for (long j = 0; j < 10; j++)
;         A[i + j] = i;
;     for (long j = 0; j < 19; j++)
;       B[j] = A[j];
;   }
;
; CHECK-LABEL:Dependences of function 'diagonal':
; CHECK-NEXT:scop "diagonal: for.cond1.preheader => for.end17"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0 = 9, i1] -> S1[9 + i1] : 0 <= i1 <= 9; S0[i0, i1 = 0] -> S1[i0] : 0 <= i0 <= 8 }
; CHECK-NEXT:output 0.0 -> 0.0: { S0[i0, i1] -> S0[1 + i0, -1 + i1] : 0 <= i0 <= 8 and 0 < i1 <= 9 }
; CHECK-NOT:{{.+}}
define void @diagonal(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.011 = phi i64 [ 0, %entry ], [ %inc6, %for.inc5 ]
  %0 = getelementptr inbounds i64, ptr %A, i64 %i.011
  br label %for.body4

for.body4:
  %j.010 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx = getelementptr inbounds i64, ptr %0, i64 %j.010
  store i64 %i.011, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.010, 1
  %exitcond.not = icmp eq i64 %inc, 10
  br i1 %exitcond.not, label %for.inc5, label %for.body4

for.inc5:
  %inc6 = add nuw nsw i64 %i.011, 1
  %exitcond13.not = icmp eq i64 %inc6, 10
  br i1 %exitcond13.not, label %for.body12, label %for.cond1.preheader

for.body12:
  %j8.012 = phi i64 [ %inc16, %for.body12 ], [ 0, %for.inc5 ]
  %arrayidx13 = getelementptr inbounds i64, ptr %A, i64 %j8.012
  %1 = load i64, ptr %arrayidx13, align 8
  %arrayidx14 = getelementptr inbounds i64, ptr %B, i64 %j8.012
  store i64 %1, ptr %arrayidx14, align 8
  %inc16 = add nuw nsw i64 %j8.012, 1
  %exitcond14.not = icmp eq i64 %inc16, 19
  br i1 %exitcond14.not, label %for.end17, label %for.body12

for.end17:
  ret void
}

; What is read was written three iterations before.
;
;   void three_apart(long n, long *A) {
;     for (long i = 3; i < n; i++)
;       A[i] = A[i - 3] + 1;
;   }
;
; CHECK-LABEL:Dependences of function 'three_apart':
; CHECK-NEXT:scop "three_apart: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.1 -> 0.0: [n] -> { S0[i0] -> S0[3 + i0] : 0 <= i0 <= -7 + n }
; CHECK-NOT:{{.+}}
define void @three_apart(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -24
  %cmp5 = icmp sgt i64 %n, 3
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 3, %entry ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %add = add nsw i64 %0, 1
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.06
  store i64 %add, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Two producers and two consumers. S2 overwrites what S0 has read: S1, which needs all of S0's values, is no part of that.
;
;   void chain(long *restrict A, long *restrict B, long *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i];
;     for (long i = 0; i < 100; i++)
;       C[i] = B[99 - i];
;     for (long i = 0; i < 100; i++)
;       A[i] = B[i] + C[i];
;   }
;
; CHECK-LABEL:Dependences of function 'chain':
; CHECK-NEXT:scop "chain: for.body => for.end22"
; CHECK-NEXT:flow 0.1 -> 1.0: { S0[i0] -> S1[99 - i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:flow 0.1 -> 2.0: { S0[i0] -> S2[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:flow 1.1 -> 2.1: { S1[i0] -> S2[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:anti 0.0 -> 2.2: { S0[i0] -> S2[i0] : 0 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @chain(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.015 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.015
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %B, i64 %i.015
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.015, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.016 = phi i64 [ %inc10, %for.body6 ], [ 0, %for.body ]
  %sub = sub nuw nsw i64 99, %i2.016
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %sub
  %1 = load i64, ptr %arrayidx7, align 8
  %arrayidx8 = getelementptr inbounds i64, ptr %C, i64 %i2.016
  store i64 %1, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.016, 1
  %exitcond18.not = icmp eq i64 %inc10, 100
  br i1 %exitcond18.not, label %for.body16, label %for.body6

for.body16:
  %i12.017 = phi i64 [ %inc21, %for.body16 ], [ 0, %for.body6 ]
  %arrayidx17 = getelementptr inbounds i64, ptr %B, i64 %i12.017
  %2 = load i64, ptr %arrayidx17, align 8
  %arrayidx18 = getelementptr inbounds i64, ptr %C, i64 %i12.017
  %3 = load i64, ptr %arrayidx18, align 8
  %add = add nsw i64 %2, %3
  %arrayidx19 = getelementptr inbounds i64, ptr %A, i64 %i12.017
  store i64 %add, ptr %arrayidx19, align 8
  %inc21 = add nuw nsw i64 %i12.017, 1
  %exitcond19.not = icmp eq i64 %inc21, 100
  br i1 %exitcond19.not, label %for.end22, label %for.body16

for.end22:
  ret void
}
