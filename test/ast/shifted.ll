; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile;fuse=max>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Loops whose statements are shifted or skewed against each other.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The consumer runs one iteration later: its first one stands alone.
;
;   void shifted(double *restrict A, double *restrict B, double *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] * 2;
;     for (long i = 0; i < 99; i++)
;       C[i] = B[i] + B[i + 1];
;   }
;
; CHECK-LABEL:Loops of function 'shifted':
; CHECK-NEXT:scop "shifted: for.body => for.end13"
; CHECK-NEXT:S0(0);
; CHECK-NEXT:for (int c0 = 1; c0 <= 99; c0 += 1) {
; CHECK-NEXT:  S0(c0);
; CHECK-NEXT:  S1(c0 - 1);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @shifted(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.010 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.010
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  %arrayidx1 = getelementptr inbounds double, ptr %B, i64 %i.010
  store double %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.011 = phi i64 [ %add, %for.body6 ], [ 0, %for.body ]
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %i2.011
  %1 = load double, ptr %arrayidx7, align 8
  %add = add nuw nsw i64 %i2.011, 1
  %arrayidx8 = getelementptr inbounds double, ptr %B, i64 %add
  %2 = load double, ptr %arrayidx8, align 8
  %add9 = fadd double %1, %2
  %arrayidx10 = getelementptr inbounds double, ptr %C, i64 %i2.011
  store double %add9, ptr %arrayidx10, align 8
  %exitcond12.not = icmp eq i64 %add, 99
  br i1 %exitcond12.not, label %for.end13, label %for.body6

for.end13:
  ret void
}

; Skewed against time: the inner loop begins later in each step.
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
; CHECK-NEXT:  for (int c1 = c0; c1 <= c0 + 97; c1 += 1)
; CHECK-NEXT:    S0(c0, c1 - c0);
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

; The diagonals are parallel. The loop over them goes inside, where it walks along the rows.
;
;   void diagonals(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 0; j < 99; j++)
;         A[i][j] += A[i - 1][j + 1];
;   }
;
; CHECK-LABEL:Loops of function 'diagonals':
; CHECK-NEXT:scop "diagonals: for.cond1.preheader => for.end11"
; CHECK-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1) {
; CHECK-NEXT:  // vector
; CHECK-NEXT:  for (int c1 = c0; c1 <= c0 + 98; c1 += 1)
; CHECK-NEXT:    S0(c0, c1 - c0);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @diagonals(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.09 = phi i64 [ 1, %entry ], [ %inc10, %for.inc9 ]
  br label %for.body4

for.body4:
  %j.08 = phi i64 [ 0, %for.cond1.preheader ], [ %add, %for.body4 ]
  %add = add nuw nsw i64 %j.08, 1
  %arrayidx5 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.09, i64 %add
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %i.09, i64 %j.08
  %1 = load double, ptr %arrayidx7, align 8
  %add8 = fadd double %1, %0
  store double %add8, ptr %arrayidx7, align 8
  %exitcond.not = icmp eq i64 %add, 99
  br i1 %exitcond.not, label %for.inc9, label %for.body4

for.inc9:
  %inc10 = add nuw nsw i64 %i.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 100
  br i1 %exitcond10.not, label %for.end11, label %for.cond1.preheader

for.end11:
  ret void
}

; Both: the first and the last iteration of each step stand alone.
;
;   void jacobi(long n, double *restrict A, double *restrict B) {
;     for (long t = 0; t < n; t++) {
;       for (long i = 1; i < 99; i++)
;         B[i] = A[i - 1] + A[i] + A[i + 1];
;       for (long i = 1; i < 99; i++)
;         A[i] = B[i];
;     }
;   }
;
; CHECK-LABEL:Loops of function 'jacobi':
; CHECK-NEXT:scop "jacobi: for.cond1.preheader => for.end22.loopexit"
; CHECK-NEXT:for (int c0 = 0; c0 < n; c0 += 1) {
; CHECK-NEXT:  S0(c0, 0);
; CHECK-NEXT:  for (int c1 = 2 * c0 + 1; c1 <= 2 * c0 + 97; c1 += 1) {
; CHECK-NEXT:    S0(c0, c1 - 2 * c0);
; CHECK-NEXT:    S1(c0, c1 - 2 * c0 - 1);
; CHECK-NEXT:  }
; CHECK-NEXT:  S1(c0, 97);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @jacobi(i64 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp16 = icmp sgt i64 %n, 0
  br i1 %cmp16, label %for.cond1.preheader, label %for.end22

for.cond1.preheader:
  %t.017 = phi i64 [ %inc21, %for.inc20 ], [ 0, %entry ]
  br label %for.body4

for.body4:
  %i.014 = phi i64 [ 1, %for.cond1.preheader ], [ %add6, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.014
  %0 = load double, ptr %gep, align 8
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %i.014
  %1 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, %1
  %add6 = add nuw nsw i64 %i.014, 1
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %add6
  %2 = load double, ptr %arrayidx7, align 8
  %add8 = fadd double %add, %2
  %arrayidx9 = getelementptr inbounds double, ptr %B, i64 %i.014
  store double %add8, ptr %arrayidx9, align 8
  %exitcond.not = icmp eq i64 %add6, 99
  br i1 %exitcond.not, label %for.body14, label %for.body4

for.body14:
  %i10.015 = phi i64 [ %inc18, %for.body14 ], [ 1, %for.body4 ]
  %arrayidx15 = getelementptr inbounds double, ptr %B, i64 %i10.015
  %3 = load double, ptr %arrayidx15, align 8
  %arrayidx16 = getelementptr inbounds double, ptr %A, i64 %i10.015
  store double %3, ptr %arrayidx16, align 8
  %inc18 = add nuw nsw i64 %i10.015, 1
  %exitcond18.not = icmp eq i64 %inc18, 99
  br i1 %exitcond18.not, label %for.inc20, label %for.body14

for.inc20:
  %inc21 = add nuw nsw i64 %t.017, 1
  %exitcond19.not = icmp eq i64 %inc21, %n
  br i1 %exitcond19.not, label %for.end22, label %for.cond1.preheader

for.end22:
  ret void
}
