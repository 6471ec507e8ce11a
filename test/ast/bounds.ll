; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Bounds of loops. They are those of the instances, counted from 0.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A lower bound that is not 0 is part of the statement, not of the loop.
;
;   void from_ten(long *A) {
;     for (long i = 10; i < 100; i++)
;       A[i] = A[i - 1] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'from_ten':
; CHECK-NEXT:scop "from_ten: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 89; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @from_ten(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  br label %for.body

for.body:
  %i.05 = phi i64 [ 10, %entry ], [ %inc, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.05
  %0 = load i64, ptr %gep, align 8
  %add = add nsw i64 %0, 1
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %add, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.05, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A bound that is a parameter.
;
;   void parametric(long n, long *A) {
;     for (long i = 1; i < n; i++)
;       A[i] = A[i - 1] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'parametric':
; CHECK-NEXT:scop "parametric: for.body => for.end.loopexit"
; CHECK-NEXT:for (int c0 = 0; c0 <= n - 2; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @parametric(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp5 = icmp sgt i64 %n, 1
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 1, %entry ]
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

; A step of three: the loop counts iterations.
;
;   void strided(long *A) {
;     for (long i = 3; i < 300; i += 3)
;       A[i] = A[i - 3] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'strided':
; CHECK-NEXT:scop "strided: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @strided(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -24
  br label %for.body

for.body:
  %i.05 = phi i64 [ 3, %entry ], [ %add2, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.05
  %0 = load i64, ptr %gep, align 8
  %add = add nsw i64 %0, 1
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %add, ptr %arrayidx1, align 8
  %add2 = add nuw nsw i64 %i.05, 3
  %cmp = icmp ult i64 %i.05, 297
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

; Counting down, the same.
;
;   void down(long *A) {
;     for (long i = 98; i >= 0; i--)
;       A[i] = A[i + 1] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'down':
; CHECK-NEXT:scop "down: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @down(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 8
  br label %for.body

for.body:
  %i.05 = phi i64 [ 98, %entry ], [ %dec, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.05
  %0 = load i64, ptr %gep, align 8
  %add1 = add nsw i64 %0, 1
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %add1, ptr %arrayidx2, align 8
  %dec = add nsw i64 %i.05, -1
  %cmp.not = icmp eq i64 %i.05, 0
  br i1 %cmp.not, label %for.end, label %for.body

for.end:
  ret void
}

; A triangle, whose first row is empty: the loop begins behind it.
;
;   void triangle(double A[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < i; j++)
;         A[i][j] *= 2;
;   }
;
; CHECK-LABEL:Loops of function 'triangle':
; CHECK-NEXT:scop "triangle: for.cond1.preheader => for.end8"
; CHECK-NEXT:for (int c0 = 1; c0 <= 99; c0 += 1) {
; CHECK-NEXT:  // vector
; CHECK-NEXT:  for (int c1 = 0; c1 < c0; c1 += 1)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @triangle(ptr %A) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.08 = phi i64 [ 0, %entry ], [ %inc7, %for.inc6 ]
  %cmp26.not = icmp eq i64 %i.08, 0
  br i1 %cmp26.not, label %for.inc6, label %for.body4

for.body4:
  %j.07 = phi i64 [ %inc, %for.body4 ], [ 0, %for.cond1.preheader ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.08, i64 %j.07
  %0 = load double, ptr %arrayidx5, align 8
  %mul = fmul double %0, 2.000000e+00
  store double %mul, ptr %arrayidx5, align 8
  %inc = add nuw nsw i64 %j.07, 1
  %exitcond.not = icmp eq i64 %inc, %i.08
  br i1 %exitcond.not, label %for.inc6, label %for.body4

for.inc6:
  %inc7 = add nuw nsw i64 %i.08, 1
  %exitcond9.not = icmp eq i64 %inc7, 100
  br i1 %exitcond9.not, label %for.end8, label %for.cond1.preheader

for.end8:
  ret void
}

; A loop that ends at the smaller of two bounds.
;
;   void smaller(long n, long m, double A[100][100]) {
;     for (long i = 0; i < n; i++)
;       for (long j = 0; j < (i < m ? i : m); j++)
;         A[i][j] = A[i][j] * 2;
;   }
;
; CHECK-LABEL:Loops of function 'smaller':
; CHECK-NEXT:scop "smaller: for.cond1.preheader => for.end11.loopexit"
; CHECK-NEXT:for (int c0 = 1; c0 < n; c0 += 1) {
; CHECK-NEXT:  // vector
; CHECK-NEXT:  for (int c1 = 0; c1 <= min(c0 - 1, m - 1); c1 += 1)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @smaller(i64 %n, i64 %m, ptr %A) {
entry:
  %cmp13 = icmp sgt i64 %n, 0
  br i1 %cmp13, label %for.cond1.preheader, label %for.end11

for.cond1.preheader:
  %i.014 = phi i64 [ %inc10, %for.inc9 ], [ 0, %entry ]
  %smin = call i64 @llvm.smin.i64(i64 %m, i64 %i.014)
  %i.0.m = call i64 @llvm.smin.i64(i64 %i.014, i64 %m)
  %cmp311 = icmp sgt i64 %i.0.m, 0
  br i1 %cmp311, label %for.body5, label %for.inc9

for.body5:
  %j.012 = phi i64 [ %inc, %for.body5 ], [ 0, %for.cond1.preheader ]
  %arrayidx6 = getelementptr inbounds [100 x double], ptr %A, i64 %i.014, i64 %j.012
  %0 = load double, ptr %arrayidx6, align 8
  %mul = fmul double %0, 2.000000e+00
  store double %mul, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %j.012, 1
  %exitcond.not = icmp eq i64 %inc, %smin
  br i1 %exitcond.not, label %for.inc9, label %for.body5

for.inc9:
  %inc10 = add nuw nsw i64 %i.014, 1
  %exitcond15.not = icmp eq i64 %inc10, %n
  br i1 %exitcond15.not, label %for.end11, label %for.cond1.preheader

for.end11:
  ret void
}

; A loop with one iteration is none.
;
;   void once(long n, double A[100][100]) {
;     for (long i = 0; i < n; i++)
;       for (long j = i; j <= i; j++)
;         A[i][j] += 1;
;   }
;
; CHECK-LABEL:Loops of function 'once':
; CHECK-NEXT:scop "once: for.cond1.preheader => for.end8.loopexit"
; CHECK-NEXT:// no-vector
; CHECK-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @once(i64 %n, ptr %A) {
entry:
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %for.cond1.preheader, label %for.end8

for.cond1.preheader:
  %i.09 = phi i64 [ %inc7, %for.cond1.preheader ], [ 0, %entry ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.09, i64 %i.09
  %0 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx5, align 8
  %inc7 = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc7, %n
  br i1 %exitcond.not, label %for.end8, label %for.cond1.preheader

for.end8:
  ret void
}

; A step of three up to a parameter: the number of iterations is rounded up.
;
;   void parametric_strided(int n, long *A) {
;     for (long i = 3; i < n; i += 3)
;       A[i] = A[i - 3] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'parametric_strided':
; CHECK-NEXT:scop "parametric_strided: for.body => for.end.loopexit"
; CHECK-NEXT:for (int c0 = 0; c0 <= floord(n - 4, 3); c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @parametric_strided(i32 %n, ptr %A) {
entry:
  %conv = sext i32 %n to i64
  %invariant.gep = getelementptr i8, ptr %A, i64 -24
  %cmp5 = icmp sgt i32 %n, 3
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %add3, %for.body ], [ 3, %entry ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %add = add nsw i64 %0, 1
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.06
  store i64 %add, ptr %arrayidx2, align 8
  %add3 = add nuw nsw i64 %i.06, 3
  %cmp = icmp slt i64 %add3, %conv
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
