; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Conditions on parameters and outer loops are tested as far outside as they can be, unless loops test them anyway.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Two parameters: one test of both, outside of the loop.
;
;   void both(long k, long m, long *restrict A, long *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = A[i - 1] + B[i - 1];
;       if (k > 7)
;         if (m < 5)
;           B[i] = A[i] + B[i - 1];
;     }
;   }
;
; CHECK-LABEL:Loops of function 'both':
; CHECK-NEXT:scop "both: for.body => for.end"
; CHECK-NEXT:if (k <= 7 || m >= 5)
; CHECK-NEXT:  for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:    S0(c0);
; CHECK-NEXT:else
; CHECK-NEXT:  for (int c0 = 0; c0 <= 98; c0 += 1) {
; CHECK-NEXT:    S0(c0);
; CHECK-NEXT:    S1(c0);
; CHECK-NEXT:  }
; CHECK-NOT:{{.+}}
define void @both(i64 %k, i64 %m, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp4 = icmp sgt i64 %k, 7
  %cmp5 = icmp slt i64 %m, 5
  %or.cond = and i1 %cmp4, %cmp5
  br label %for.body

for.body:
  %i.012 = phi i64 [ 1, %entry ], [ %inc, %for.inc ]
  %sub = add nsw i64 %i.012, -1
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %sub
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %B, i64 %sub
  %1 = load i64, ptr %arrayidx2, align 8
  %add = add nsw i64 %0, %1
  %arrayidx3 = getelementptr inbounds i64, ptr %A, i64 %i.012
  store i64 %add, ptr %arrayidx3, align 8
  br i1 %or.cond, label %if.then6, label %for.inc

if.then6:
  %2 = load i64, ptr %arrayidx2, align 8
  %add10 = add nsw i64 %add, %2
  %arrayidx11 = getelementptr inbounds i64, ptr %B, i64 %i.012
  store i64 %add10, ptr %arrayidx11, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.012, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Either of two nests, each with its diagonals: the sums of a row wait for each other.
;
;   void either(long k, long *restrict A, long *restrict B) {
;     for (long t = 0; t < 100; t++) {
;       if (k > 7) {
;         for (long i = 1; i < 100; i++)
;           A[i] += A[i - 1];
;       } else {
;         for (long i = 1; i < 100; i++)
;           B[i] += B[i - 1];
;       }
;     }
;   }
;
; CHECK-LABEL:Loops of function 'either':
; CHECK-NEXT:scop "either: for.body => for.end21"
; CHECK-NEXT:if (k <= 7)
; CHECK-NEXT:  for (int c0 = 0; c0 <= 197; c0 += 1)
; CHECK-NEXT:    for (int c1 = max(c0 - 98, 0); c1 <= min(c0, 99); c1 += 1)
; CHECK-NEXT:      S0(c1, c0 - c1);
; CHECK-NEXT:else
; CHECK-NEXT:  for (int c0 = 0; c0 <= 197; c0 += 1)
; CHECK-NEXT:    for (int c1 = max(c0 - 98, 0); c1 <= min(c0, 99); c1 += 1)
; CHECK-NEXT:      S1(c1, c0 - c1);
; CHECK-NOT:{{.+}}
define void @either(i64 %k, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp1 = icmp sgt i64 %k, 7
  %invariant.gep = getelementptr i8, ptr %B, i64 -8
  %invariant.gep12 = getelementptr i8, ptr %A, i64 -8
  br label %for.body

for.body:
  %t.015 = phi i64 [ 0, %entry ], [ %inc20, %for.inc19 ]
  br i1 %cmp1, label %for.body5, label %for.body11

for.body5:
  %i.014 = phi i64 [ %inc, %for.body5 ], [ 1, %for.body ]
  %gep13 = getelementptr i64, ptr %invariant.gep12, i64 %i.014
  %0 = load i64, ptr %gep13, align 8
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %i.014
  %1 = load i64, ptr %arrayidx6, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %i.014, 1
  %exitcond17.not = icmp eq i64 %inc, 100
  br i1 %exitcond17.not, label %for.inc19, label %for.body5

for.body11:
  %i7.011 = phi i64 [ %inc17, %for.body11 ], [ 1, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i7.011
  %2 = load i64, ptr %gep, align 8
  %arrayidx14 = getelementptr inbounds i64, ptr %B, i64 %i7.011
  %3 = load i64, ptr %arrayidx14, align 8
  %add15 = add nsw i64 %3, %2
  store i64 %add15, ptr %arrayidx14, align 8
  %inc17 = add nuw nsw i64 %i7.011, 1
  %exitcond.not = icmp eq i64 %inc17, 100
  br i1 %exitcond.not, label %for.inc19, label %for.body11

for.inc19:
  %inc20 = add nuw nsw i64 %t.015, 1
  %exitcond18.not = icmp eq i64 %inc20, 100
  br i1 %exitcond18.not, label %for.end21, label %for.body

for.end21:
  ret void
}

; A condition on the outer loop alone: the outer loop is split.
;
;   void outer(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       if (i < 30)
;         for (long j = 1; j < 100; j++)
;           A[i][j] += A[i - 1][j] + A[i][j - 1];
;       else
;         for (long j = 1; j < 50; j++)
;           A[i][j] += A[i - 1][j] * A[i][j - 1];
;   }
;
; CHECK-LABEL:Loops of function 'outer':
; CHECK-NEXT:scop "outer: for.body => for.end31"
; CHECK-NEXT:for (int c0 = 0; c0 <= 28; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 98; c1 += 1)
; CHECK-NEXT:    S1(c0, c1);
; CHECK-NEXT:for (int c0 = 29; c0 <= 98; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 48; c1 += 1)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NOT:{{.+}}
define void @outer(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  %invariant.gep25 = getelementptr i8, ptr %A, i64 -800
  br label %for.body

for.body:
  %i.027 = phi i64 [ 1, %entry ], [ %inc30, %for.inc29 ]
  %cmp1 = icmp ult i64 %i.027, 30
  br i1 %cmp1, label %for.body5, label %for.body17

for.body5:
  %j.024 = phi i64 [ %inc, %for.body5 ], [ 1, %for.body ]
  %arrayidx6 = getelementptr nusw [100 x double], ptr %invariant.gep25, i64 %i.027, i64 %j.024
  %0 = load double, ptr %arrayidx6, align 8
  %sub8 = add nsw i64 %j.024, -1
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %A, i64 %i.027, i64 %sub8
  %1 = load double, ptr %arrayidx9, align 8
  %add = fadd double %0, %1
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %A, i64 %i.027, i64 %j.024
  %2 = load double, ptr %arrayidx11, align 8
  %add12 = fadd double %2, %add
  store double %add12, ptr %arrayidx11, align 8
  %inc = add nuw nsw i64 %j.024, 1
  %exitcond29.not = icmp eq i64 %inc, 100
  br i1 %exitcond29.not, label %for.inc29, label %for.body5

for.body17:
  %j13.023 = phi i64 [ %inc27, %for.body17 ], [ 1, %for.body ]
  %arrayidx20 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.027, i64 %j13.023
  %3 = load double, ptr %arrayidx20, align 8
  %sub22 = add nsw i64 %j13.023, -1
  %arrayidx23 = getelementptr inbounds [100 x double], ptr %A, i64 %i.027, i64 %sub22
  %4 = load double, ptr %arrayidx23, align 8
  %arrayidx25 = getelementptr inbounds [100 x double], ptr %A, i64 %i.027, i64 %j13.023
  %5 = load double, ptr %arrayidx25, align 8
  %6 = call double @llvm.fmuladd.f64(double %3, double %4, double %5)
  store double %6, ptr %arrayidx25, align 8
  %inc27 = add nuw nsw i64 %j13.023, 1
  %exitcond.not = icmp eq i64 %inc27, 50
  br i1 %exitcond.not, label %for.inc29, label %for.body17

for.inc29:
  %inc30 = add nuw nsw i64 %i.027, 1
  %exitcond30.not = icmp eq i64 %inc30, 100
  br i1 %exitcond30.not, label %for.end31, label %for.body

for.end31:
  ret void
}

; A parameter that may be a value of the loop: the iterations before, at and after it.
;
;   void at(int k, long *restrict A, long *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = A[i - 1] + B[i - 1];
;       if (i == k)
;         B[i] = A[i] + B[i - 1];
;     }
;   }
;
; CHECK-LABEL:Loops of function 'at':
; CHECK-NEXT:scop "at: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= min(k - 2, 98); c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:if (k >= 1 && k <= 99) {
; CHECK-NEXT:  S0(k - 1);
; CHECK-NEXT:  S1(k - 1);
; CHECK-NEXT:}
; CHECK-NEXT:for (int c0 = max(k, 0); c0 <= 98; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @at(i32 %k, ptr noalias %A, ptr noalias %B) {
entry:
  %conv = sext i32 %k to i64
  br label %for.body

for.body:
  %i.013 = phi i64 [ 1, %entry ], [ %inc, %for.inc ]
  %sub = add nsw i64 %i.013, -1
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %sub
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %B, i64 %sub
  %1 = load i64, ptr %arrayidx2, align 8
  %add = add nsw i64 %0, %1
  %arrayidx3 = getelementptr inbounds i64, ptr %A, i64 %i.013
  store i64 %add, ptr %arrayidx3, align 8
  %cmp4 = icmp eq i64 %i.013, %conv
  br i1 %cmp4, label %if.then, label %for.inc

if.then:
  %2 = load i64, ptr %arrayidx2, align 8
  %add9 = add nsw i64 %add, %2
  %arrayidx10 = getelementptr inbounds i64, ptr %B, i64 %i.013
  store i64 %add9, ptr %arrayidx10, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.013, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A loop that is empty unless a parameter is large enough: its bounds say so, no other test is needed.
;
;   void inner(int n, double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < n - 10; j++)
;         A[i][j] += A[i - 1][j] + A[i][j - 1];
;   }
;
; CHECK-LABEL:Loops of function 'inner':
; CHECK-NEXT:scop "inner: for.cond1.preheader => for.end16"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= n - 12; c1 += 1)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NOT:{{.+}}
define void @inner(i32 %n, ptr %A) {
entry:
  %sub = add i32 %n, -10
  %conv = sext i32 %sub to i64
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  %cmp211 = icmp sgt i32 %n, 11
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.013 = phi i64 [ 1, %entry ], [ %inc15, %for.inc14 ]
  br i1 %cmp211, label %for.body5, label %for.inc14

for.body5:
  %j.012 = phi i64 [ %inc, %for.body5 ], [ 1, %for.cond1.preheader ]
  %arrayidx7 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.013, i64 %j.012
  %0 = load double, ptr %arrayidx7, align 8
  %sub9 = add nsw i64 %j.012, -1
  %arrayidx10 = getelementptr inbounds [100 x double], ptr %A, i64 %i.013, i64 %sub9
  %1 = load double, ptr %arrayidx10, align 8
  %add = fadd double %0, %1
  %arrayidx12 = getelementptr inbounds [100 x double], ptr %A, i64 %i.013, i64 %j.012
  %2 = load double, ptr %arrayidx12, align 8
  %add13 = fadd double %2, %add
  store double %add13, ptr %arrayidx12, align 8
  %inc = add nuw nsw i64 %j.012, 1
  %exitcond.not = icmp eq i64 %inc, %conv
  br i1 %exitcond.not, label %for.inc14, label %for.body5

for.inc14:
  %inc15 = add nuw nsw i64 %i.013, 1
  %exitcond14.not = icmp eq i64 %inc15, 100
  br i1 %exitcond14.not, label %for.end16, label %for.cond1.preheader

for.end16:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
