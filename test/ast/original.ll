; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile;scheduler=original>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; With scheduler=original the order of execution is that of the source.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; No interchange.
;
;   void columns(double A[100][100]) {
;     for (long j = 0; j < 100; j++)
;       for (long i = 1; i < 100; i++)
;         A[i][j] += A[i - 1][j];
;   }
;
; CHECK-LABEL:Loops of function 'columns':
; CHECK-NEXT:scop "columns: for.cond1.preheader => for.end10"
; CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 98; c1 += 1)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NOT:{{.+}}
define void @columns(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %j.011 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  %invariant.gep8 = getelementptr [100 x double], ptr %invariant.gep, i64 0, i64 %j.011
  br label %for.body4

for.body4:
  %i.010 = phi i64 [ 1, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %gep9 = getelementptr [100 x double], ptr %invariant.gep8, i64 %i.010
  %0 = load double, ptr %gep9, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %i.010, i64 %j.011
  %1 = load double, ptr %arrayidx7, align 8
  %add = fadd double %1, %0
  store double %add, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %j.011, 1
  %exitcond12.not = icmp eq i64 %inc9, 100
  br i1 %exitcond12.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; No skewing.
;
;   void seidel(long n, double *A) {
;     for (long t = 0; t < n; t++)
;       for (long i = 1; i < 99; i++)
;         A[i] = A[i - 1] + A[i] + A[i + 1];
;   }
;
; CHECK-LABEL:Loops of function 'seidel':
; CHECK-NEXT:scop "seidel: for.cond1.preheader => for.end12.loopexit"
; CHECK-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 97; c1 += 1)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NOT:{{.+}}
define void @seidel(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp11 = icmp sgt i64 %n, 0
  br i1 %cmp11, label %for.cond1.preheader, label %for.end12

for.cond1.preheader:
  %t.012 = phi i64 [ %inc11, %for.inc10 ], [ 0, %entry ]
  br label %for.body4

for.body4:
  %i.010 = phi i64 [ 1, %for.cond1.preheader ], [ %add6, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.010
  %0 = load double, ptr %gep, align 8
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %i.010
  %1 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, %1
  %add6 = add nuw nsw i64 %i.010, 1
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %add6
  %2 = load double, ptr %arrayidx7, align 8
  %add8 = fadd double %add, %2
  store double %add8, ptr %arrayidx5, align 8
  %exitcond.not = icmp eq i64 %add6, 99
  br i1 %exitcond.not, label %for.inc10, label %for.body4

for.inc10:
  %inc11 = add nuw nsw i64 %t.012, 1
  %exitcond13.not = icmp eq i64 %inc11, %n
  br i1 %exitcond13.not, label %for.end12, label %for.cond1.preheader

for.end12:
  ret void
}

; No fusion.
;
;   void apart(double *restrict A, double *restrict B) {
;     for (long i = 0; i < 100; i++)
;       A[i] = A[i] * 2;
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] + 1;
;   }
;
; CHECK-LABEL:Loops of function 'apart':
; CHECK-NEXT:scop "apart: for.body => for.end11"
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:// vector
; CHECK-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
; CHECK-NEXT:  S1(c0);
; CHECK-NOT:{{.+}}
define void @apart(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.09 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.09
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  store double %mul, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.010 = phi i64 [ %inc10, %for.body6 ], [ 0, %for.body ]
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %i2.010
  %1 = load double, ptr %arrayidx7, align 8
  %add = fadd double %1, 1.000000e+00
  %arrayidx8 = getelementptr inbounds double, ptr %B, i64 %i2.010
  store double %add, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.010, 1
  %exitcond11.not = icmp eq i64 %inc10, 100
  br i1 %exitcond11.not, label %for.end11, label %for.body6

for.end11:
  ret void
}

; No distribution.
;
;   void together(double *restrict A, double *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = A[i - 1] * 2;
;       for (long j = 0; j < 100; j++)
;         B[100 * i + j] = A[i];
;     }
;   }
;
; CHECK-LABEL:Loops of function 'together':
; CHECK-NEXT:scop "together: for.body => for.end11"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  // vector
; CHECK-NEXT:  for (int c1 = 0; c1 <= 99; c1 += 1)
; CHECK-NEXT:    S1(c0, c1);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @together(ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  br label %for.body

for.body:
  %i.011 = phi i64 [ 1, %entry ], [ %inc10, %for.inc9 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.011
  %0 = load double, ptr %gep, align 8
  %mul = fmul double %0, 2.000000e+00
  %arrayidx1 = getelementptr inbounds double, ptr %A, i64 %i.011
  store double %mul, ptr %arrayidx1, align 8
  %.idx = mul nuw nsw i64 %i.011, 800
  %1 = getelementptr inbounds i8, ptr %B, i64 %.idx
  br label %for.body5

for.body5:
  %j.010 = phi i64 [ 0, %for.body ], [ %inc, %for.body5 ]
  %arrayidx8 = getelementptr inbounds double, ptr %1, i64 %j.010
  store double %mul, ptr %arrayidx8, align 8
  %inc = add nuw nsw i64 %j.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc9, label %for.body5

for.inc9:
  %inc10 = add nuw nsw i64 %i.011, 1
  %exitcond12.not = icmp eq i64 %inc10, 100
  br i1 %exitcond12.not, label %for.end11, label %for.body

for.end11:
  ret void
}
