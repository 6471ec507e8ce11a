; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Conditions: they become bounds of loops, or are tested outside of the loops where they do not depend on them.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A bound of the loop.
;
;   void prefix(long *restrict A, long *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       if (i < 30) {
;         A[i] = A[i - 1];
;         B[i] = A[i] + B[i - 1];
;       }
;     }
;   }
;
; CHECK-LABEL:Loops of function 'prefix':
; CHECK-NEXT:scop "prefix: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 28; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @prefix(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.011 = phi i64 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp1 = icmp ult i64 %i.011, 30
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %sub = add nsw i64 %i.011, -1
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %sub
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.011
  store i64 %0, ptr %arrayidx2, align 8
  %arrayidx5 = getelementptr inbounds i64, ptr %B, i64 %sub
  %1 = load i64, ptr %arrayidx5, align 8
  %add = add nsw i64 %0, %1
  %arrayidx6 = getelementptr inbounds i64, ptr %B, i64 %i.011
  store i64 %add, ptr %arrayidx6, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.011, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A parameter is tested once, outside.
;
;   void parameter(long k, long *restrict A, long *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = A[i - 1] + B[i - 1];
;       if (k > 7)
;         B[i] = A[i] + B[i - 1];
;     }
;   }
;
; CHECK-LABEL:Loops of function 'parameter':
; CHECK-NEXT:scop "parameter: for.body => for.end"
; CHECK-NEXT:if (k <= 7)
; CHECK-NEXT:  for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:    S0(c0);
; CHECK-NEXT:else
; CHECK-NEXT:  for (int c0 = 0; c0 <= 98; c0 += 1) {
; CHECK-NEXT:    S0(c0);
; CHECK-NEXT:    S1(c0);
; CHECK-NEXT:  }
; CHECK-NOT:{{.+}}
define void @parameter(i64 %k, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp4 = icmp sgt i64 %k, 7
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
  br i1 %cmp4, label %if.then, label %for.inc

if.then:
  %2 = load i64, ptr %arrayidx2, align 8
  %add8 = add nsw i64 %add, %2
  %arrayidx9 = getelementptr inbounds i64, ptr %B, i64 %i.012
  store i64 %add8, ptr %arrayidx9, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.012, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Two statements in turns: the loop is split where one ends and the other begins.
;
;   void two_parts(long *restrict A, long *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       if (i < 40) {
;         A[i] = A[i - 1] * B[i - 1];
;       } else {
;         B[i] = A[i - 1] + B[i - 1];
;         A[i] = B[i - 1];
;       }
;     }
;   }
;
; CHECK-LABEL:Loops of function 'two_parts':
; CHECK-NEXT:scop "two_parts: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 38; c0 += 1)
; CHECK-NEXT:  S1(c0);
; CHECK-NEXT:for (int c0 = 39; c0 <= 98; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @two_parts(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.017 = phi i64 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp1 = icmp ult i64 %i.017, 40
  br i1 %cmp1, label %if.then, label %if.else

if.then:
  %sub = add nsw i64 %i.017, -1
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %sub
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx3 = getelementptr inbounds i64, ptr %B, i64 %sub
  %1 = load i64, ptr %arrayidx3, align 8
  %mul = mul nsw i64 %0, %1
  %arrayidx4 = getelementptr inbounds i64, ptr %A, i64 %i.017
  store i64 %mul, ptr %arrayidx4, align 8
  br label %for.inc

if.else:
  %sub5 = add nsw i64 %i.017, -1
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %sub5
  %2 = load i64, ptr %arrayidx6, align 8
  %arrayidx8 = getelementptr inbounds i64, ptr %B, i64 %sub5
  %3 = load i64, ptr %arrayidx8, align 8
  %add = add nsw i64 %2, %3
  %arrayidx9 = getelementptr inbounds i64, ptr %B, i64 %i.017
  store i64 %add, ptr %arrayidx9, align 8
  %arrayidx12 = getelementptr inbounds i64, ptr %A, i64 %i.017
  store i64 %3, ptr %arrayidx12, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.017, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Every third iteration: a loop over those.
;
;   void every_third(long *A) {
;     for (unsigned long i = 3; i < 300; i++)
;       if (i % 3 == 0)
;         A[i] = A[i - 3] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'every_third':
; CHECK-NEXT:scop "every_third: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 294; c0 += 3)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @every_third(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -24
  br label %for.body

for.body:
  %i.06 = phi i64 [ 3, %entry ], [ %inc, %for.inc ]
  %rem = urem i64 %i.06, 3
  %cmp1 = icmp eq i64 %rem, 0
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %add = add nsw i64 %0, 1
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.06
  store i64 %add, ptr %arrayidx2, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, 300
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; The diagonal: one loop.
;
;   void diagonal(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < 100; j++)
;         if (i == j)
;           A[i][j] += A[i - 1][j - 1];
;   }
;
; CHECK-LABEL:Loops of function 'diagonal':
; CHECK-NEXT:scop "diagonal: for.cond1.preheader => for.end12"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:  S0(c0, c0);
; CHECK-NOT:{{.+}}
define void @diagonal(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.011 = phi i64 [ 1, %entry ], [ %inc11, %for.inc10 ]
  br label %for.body4

for.body4:
  %j.010 = phi i64 [ 1, %for.cond1.preheader ], [ %inc, %for.inc ]
  %cmp5 = icmp eq i64 %i.011, %j.010
  br i1 %cmp5, label %if.then, label %for.inc

if.then:
  %sub6 = add nsw i64 %j.010, -1
  %arrayidx7 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.011, i64 %sub6
  %0 = load double, ptr %arrayidx7, align 8
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %A, i64 %i.011, i64 %j.010
  %1 = load double, ptr %arrayidx9, align 8
  %add = fadd double %1, %0
  store double %add, ptr %arrayidx9, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc10, label %for.body4

for.inc10:
  %inc11 = add nuw nsw i64 %i.011, 1
  %exitcond12.not = icmp eq i64 %inc11, 100
  br i1 %exitcond12.not, label %for.end12, label %for.cond1.preheader

for.end12:
  ret void
}

; All but one iteration.
;
;   void all_but_one(long *A) {
;     for (long i = 1; i < 100; i++)
;       if (i != 50)
;         A[i] = A[i - 1] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'all_but_one':
; CHECK-NEXT:scop "all_but_one: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 48; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:for (int c0 = 50; c0 <= 98; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @all_but_one(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  br label %for.body

for.body:
  %i.06 = phi i64 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp1.not = icmp eq i64 %i.06, 50
  br i1 %cmp1.not, label %for.inc, label %if.then

if.then:
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %add = add nsw i64 %0, 1
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.06
  store i64 %add, ptr %arrayidx2, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
