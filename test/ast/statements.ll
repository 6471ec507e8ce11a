; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Several statements: one body where they run together, loops of their own where they do not.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; One loop for both.
;
;   void fused(long *restrict A, long *restrict B, long *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] * 2;
;     for (long i = 0; i < 100; i++)
;       C[i] = B[i] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'fused':
; CHECK-NEXT:scop "fused: for.body => for.end11"
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  S1(c0);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @fused(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.08
  %0 = load i64, ptr %arrayidx, align 8
  %mul = shl nsw i64 %0, 1
  %arrayidx1 = getelementptr inbounds i64, ptr %B, i64 %i.08
  store i64 %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.09 = phi i64 [ %inc10, %for.body6 ], [ 0, %for.body ]
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %i2.09
  %1 = load i64, ptr %arrayidx7, align 8
  %add = add nsw i64 %1, 1
  %arrayidx8 = getelementptr inbounds i64, ptr %C, i64 %i2.09
  store i64 %add, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 100
  br i1 %exitcond10.not, label %for.end11, label %for.body6

for.end11:
  ret void
}

; Loops of different length: what only one of them has is separated.
;
;   void different_lengths(long *restrict A, long *restrict B, long *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] * 2;
;     for (long i = 20; i < 60; i++)
;       C[i] = B[i] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'different_lengths':
; CHECK-NEXT:scop "different_lengths: for.body => for.end11"
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= 19; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 20; c0 <= 59; c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  S1(c0 - 20);
; CHECK-NEXT:}
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 60; c0 <= 99; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @different_lengths(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.08
  %0 = load i64, ptr %arrayidx, align 8
  %mul = shl nsw i64 %0, 1
  %arrayidx1 = getelementptr inbounds i64, ptr %B, i64 %i.08
  store i64 %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.09 = phi i64 [ %inc10, %for.body6 ], [ 20, %for.body ]
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %i2.09
  %1 = load i64, ptr %arrayidx7, align 8
  %add = add nsw i64 %1, 1
  %arrayidx8 = getelementptr inbounds i64, ptr %C, i64 %i2.09
  store i64 %add, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 60
  br i1 %exitcond10.not, label %for.end11, label %for.body6

for.end11:
  ret void
}

; Of two parameters, it is unknown which is the smaller.
;
;   void unknown_lengths(int n, int m, int k, long *restrict A, long *restrict B, long *restrict C) {
;     if (k > 0) {
;       for (long i = 0; i < n; i++)
;         B[i] = A[i] * 2;
;       for (long i = 0; i < m; i++)
;         C[i] = B[i] + 1;
;     }
;   }
;
; CHECK-LABEL:Loops of function 'unknown_lengths':
; CHECK-NEXT:scop "unknown_lengths: for.cond.preheader.branch => if.end"
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= min(m - 1, n - 1); c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  S1(c0);
; CHECK-NEXT:}
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = max(m, 0); c0 < n; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = max(n, 0); c0 < m; c0 += 1)
; CHECK-NEXT:  S1(c0);
; CHECK-NOT:{{.+}}
define void @unknown_lengths(i32 %n, i32 %m, i32 %k, ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  %cmp = icmp sgt i32 %k, 0
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %conv = sext i32 %n to i64
  %cmp18 = icmp sgt i32 %n, 0
  br i1 %cmp18, label %for.body, label %for.cond5.preheader

for.cond5.preheader:
  %conv6 = sext i32 %m to i64
  %cmp710 = icmp sgt i32 %m, 0
  br i1 %cmp710, label %for.body10, label %if.end

for.body:
  %i.09 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.09
  %0 = load i64, ptr %arrayidx, align 8
  %mul = shl nsw i64 %0, 1
  %arrayidx3 = getelementptr inbounds i64, ptr %B, i64 %i.09
  store i64 %mul, ptr %arrayidx3, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc, %conv
  br i1 %exitcond.not, label %for.cond5.preheader, label %for.body

for.body10:
  %i4.011 = phi i64 [ %inc14, %for.body10 ], [ 0, %for.cond5.preheader ]
  %arrayidx11 = getelementptr inbounds i64, ptr %B, i64 %i4.011
  %1 = load i64, ptr %arrayidx11, align 8
  %add = add nsw i64 %1, 1
  %arrayidx12 = getelementptr inbounds i64, ptr %C, i64 %i4.011
  store i64 %add, ptr %arrayidx12, align 8
  %inc14 = add nuw nsw i64 %i4.011, 1
  %exitcond12.not = icmp eq i64 %inc14, %conv6
  br i1 %exitcond12.not, label %if.end, label %for.body10

if.end:
  ret void
}

; A statement before a loop, and one behind it that can wait.
;
;   void around(long *restrict A) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = A[i - 1] + A[i + 200];
;       for (long j = 0; j < 10; j++)
;         A[i] += A[i - 1] * j;
;       A[i + 200] = A[i];
;     }
;   }
;
; CHECK-LABEL:Loops of function 'around':
; CHECK-NEXT:scop "around: for.body => for.end17"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  for (int c1 = 0; c1 <= 9; c1 += 1)
; CHECK-NEXT:    S1(c0, c1);
; CHECK-NEXT:}
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:  S2(c0);
; CHECK-NOT:{{.+}}
define void @around(ptr noalias %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %invariant.gep18 = getelementptr inbounds i8, ptr %A, i64 1600
  br label %for.body

for.body:
  %i.020 = phi i64 [ 1, %entry ], [ %inc16, %for.end ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.020
  %0 = load i64, ptr %gep, align 8
  %gep19 = getelementptr inbounds i64, ptr %invariant.gep18, i64 %i.020
  %1 = load i64, ptr %gep19, align 8
  %add2 = add nsw i64 %0, %1
  %arrayidx3 = getelementptr inbounds i64, ptr %A, i64 %i.020
  store i64 %add2, ptr %arrayidx3, align 8
  br label %for.body7

for.body7:
  %j.017 = phi i64 [ 0, %for.body ], [ %inc, %for.body7 ]
  %2 = load i64, ptr %gep, align 8
  %mul = mul nsw i64 %2, %j.017
  %3 = load i64, ptr %arrayidx3, align 8
  %add11 = add nsw i64 %3, %mul
  store i64 %add11, ptr %arrayidx3, align 8
  %inc = add nuw nsw i64 %j.017, 1
  %exitcond.not = icmp eq i64 %inc, 10
  br i1 %exitcond.not, label %for.end, label %for.body7

for.end:
  %4 = load i64, ptr %arrayidx3, align 8
  store i64 %4, ptr %gep19, align 8
  %inc16 = add nuw nsw i64 %i.020, 1
  %exitcond21.not = icmp eq i64 %inc16, 100
  br i1 %exitcond21.not, label %for.end17, label %for.body

for.end17:
  ret void
}

; The consumer runs backwards in the source, and forwards once fused.
;
;   void backwards(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++)
;       A[i] = i;
;     for (long i = 0; i < 100; i++)
;       B[i] = A[99 - i];
;   }
;
; CHECK-LABEL:Loops of function 'backwards':
; CHECK-NEXT:scop "backwards: for.body => for.end10"
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  S1(99 - c0);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @backwards(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.08
  store i64 %i.08, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body5, label %for.body

for.body5:
  %i1.09 = phi i64 [ %inc9, %for.body5 ], [ 0, %for.body ]
  %sub = sub nuw nsw i64 99, %i1.09
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %sub
  %0 = load i64, ptr %arrayidx6, align 8
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %i1.09
  store i64 %0, ptr %arrayidx7, align 8
  %inc9 = add nuw nsw i64 %i1.09, 1
  %exitcond10.not = icmp eq i64 %inc9, 100
  br i1 %exitcond10.not, label %for.end10, label %for.body5

for.end10:
  ret void
}
