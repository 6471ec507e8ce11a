; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-time-tile;tile-sizes=32>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=TILES %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;tile-sizes=32;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=OFF %s
;
; Tiles: a loop over blocks for each loop of a band, and the loops inside a block. With no-tile there are none.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The last blocks are smaller than the others.
;
;   void square(double A[100][100], double *restrict B) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < 100; j++)
;         A[i][j] += A[i - 1][j] + A[i][j - 1];
;   }
;
; TILES-LABEL:Loops of function 'square':
; TILES-NEXT:scop "square: for.cond1.preheader => for.end14"
; TILES-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
; TILES-NEXT:  for (int c1 = 0; c1 <= 3; c1 += 1)
; TILES-NEXT:    for (int c2 = 32 * c0; c2 <= min(32 * c0 + 31, 98); c2 += 1)
; TILES-NEXT:      for (int c3 = 32 * c1; c3 <= min(32 * c1 + 31, 98); c3 += 1)
; TILES-NEXT:        S0(c2, c3);
; TILES-NOT:{{.+}}
; OFF-LABEL:Loops of function 'square':
; OFF-NEXT:scop "square: for.cond1.preheader => for.end14"
; OFF-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; OFF-NEXT:  for (int c1 = 0; c1 <= 98; c1 += 1)
; OFF-NEXT:    S0(c0, c1);
; OFF-NOT:{{.+}}
define void @square(ptr %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.012 = phi i64 [ 1, %entry ], [ %inc13, %for.inc12 ]
  br label %for.body4

for.body4:
  %j.011 = phi i64 [ 1, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.012, i64 %j.011
  %0 = load double, ptr %arrayidx5, align 8
  %sub7 = add nsw i64 %j.011, -1
  %arrayidx8 = getelementptr inbounds [100 x double], ptr %A, i64 %i.012, i64 %sub7
  %1 = load double, ptr %arrayidx8, align 8
  %add = fadd double %0, %1
  %arrayidx10 = getelementptr inbounds [100 x double], ptr %A, i64 %i.012, i64 %j.011
  %2 = load double, ptr %arrayidx10, align 8
  %add11 = fadd double %2, %add
  store double %add11, ptr %arrayidx10, align 8
  %inc = add nuw nsw i64 %j.011, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc12, label %for.body4

for.inc12:
  %inc13 = add nuw nsw i64 %i.012, 1
  %exitcond13.not = icmp eq i64 %inc13, 100
  br i1 %exitcond13.not, label %for.end14, label %for.cond1.preheader

for.end14:
  ret void
}

; Interchanged inside the blocks.
;
;   void transpose(double A[100][100], double B[restrict 100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         B[j][i] = A[i][j];
;   }
;
; TILES-LABEL:Loops of function 'transpose':
; TILES-NEXT:scop "transpose: for.cond1.preheader => for.end10"
; TILES-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
; TILES-NEXT:  for (int c1 = 0; c1 <= 3; c1 += 1)
; TILES-NEXT:    for (int c2 = 32 * c0; c2 <= min(32 * c0 + 31, 99); c2 += 1)
; TILES-NEXT:      for (int c3 = 32 * c1; c3 <= min(32 * c1 + 31, 99); c3 += 1)
; TILES-NEXT:        S0(c3, c2);
; TILES-NOT:{{.+}}
; OFF-LABEL:Loops of function 'transpose':
; OFF-NEXT:scop "transpose: for.cond1.preheader => for.end10"
; OFF-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
; OFF-NEXT:  for (int c1 = 0; c1 <= 99; c1 += 1)
; OFF-NEXT:    S0(c1, c0);
; OFF-NOT:{{.+}}
define void @transpose(ptr %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.08 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  br label %for.body4

for.body4:
  %j.07 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.08, i64 %j.07
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %B, i64 %j.07, i64 %i.08
  store double %0, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.07, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %i.08, 1
  %exitcond9.not = icmp eq i64 %inc9, 100
  br i1 %exitcond9.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; Parametric sizes.
;
;   void parametric(int n, int m, double A[restrict n][m], double B[restrict m][n]) {
;     for (long i = 0; i < n; i++)
;       for (long j = 0; j < m; j++)
;         B[j][i] = A[i][j];
;   }
;
; TILES-LABEL:Loops of function 'parametric':
; TILES-NEXT:scop "parametric: for.cond2.preheader => for.end13.loopexit"
; TILES-NEXT:for (int c0 = 0; c0 <= floord(n - 1, 32); c0 += 1)
; TILES-NEXT:  for (int c1 = 0; c1 <= floord(m - 1, 32); c1 += 1)
; TILES-NEXT:    for (int c2 = 32 * c1; c2 <= min(m - 1, 32 * c1 + 31); c2 += 1)
; TILES-NEXT:      for (int c3 = 32 * c0; c3 <= min(n - 1, 32 * c0 + 31); c3 += 1)
; TILES-NEXT:        S0(c3, c2);
; TILES-NOT:{{.+}}
; OFF-LABEL:Loops of function 'parametric':
; OFF-NEXT:scop "parametric: for.cond2.preheader => for.end13.loopexit"
; OFF-NEXT:for (int c0 = 0; c0 < m; c0 += 1)
; OFF-NEXT:  for (int c1 = 0; c1 < n; c1 += 1)
; OFF-NEXT:    S0(c1, c0);
; OFF-NOT:{{.+}}
define void @parametric(i32 %n, i32 %m, ptr noalias %A, ptr noalias %B) {
entry:
  %0 = zext i32 %m to i64
  %1 = zext i32 %n to i64
  %conv = sext i32 %n to i64
  %conv3 = sext i32 %m to i64
  %cmp411 = icmp sgt i32 %m, 0
  %cmp13 = icmp sgt i32 %n, 0
  br i1 %cmp13, label %for.cond2.preheader, label %for.end13

for.cond2.preheader:
  %i.014 = phi i64 [ %inc12, %for.inc11 ], [ 0, %entry ]
  %2 = mul nuw nsw i64 %i.014, %0
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %2
  %invariant.gep = getelementptr inbounds double, ptr %B, i64 %i.014
  br i1 %cmp411, label %for.body7, label %for.inc11

for.body7:
  %j.012 = phi i64 [ %inc, %for.body7 ], [ 0, %for.cond2.preheader ]
  %arrayidx8 = getelementptr inbounds double, ptr %arrayidx, i64 %j.012
  %3 = load double, ptr %arrayidx8, align 8
  %4 = mul nuw nsw i64 %j.012, %1
  %gep = getelementptr inbounds double, ptr %invariant.gep, i64 %4
  store double %3, ptr %gep, align 8
  %inc = add nuw nsw i64 %j.012, 1
  %exitcond.not = icmp eq i64 %inc, %conv3
  br i1 %exitcond.not, label %for.inc11, label %for.body7

for.inc11:
  %inc12 = add nuw nsw i64 %i.014, 1
  %exitcond15.not = icmp eq i64 %inc12, %conv
  br i1 %exitcond15.not, label %for.end13, label %for.cond2.preheader

for.end13:
  ret void
}

; Blocks above the diagonal have no loop.
;
;   void triangle(double A[restrict 100][100], double B[restrict 100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j <= i; j++)
;         B[j][i] = A[i][j];
;   }
;
; TILES-LABEL:Loops of function 'triangle':
; TILES-NEXT:scop "triangle: for.cond1.preheader => for.end10"
; TILES-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
; TILES-NEXT:  for (int c1 = c0; c1 <= 3; c1 += 1)
; TILES-NEXT:    for (int c2 = 32 * c0; c2 <= min(32 * c0 + 31, 99); c2 += 1)
; TILES-NEXT:      for (int c3 = max(32 * c1, c2); c3 <= min(32 * c1 + 31, 99); c3 += 1)
; TILES-NEXT:        S0(c3, c2);
; TILES-NOT:{{.+}}
; OFF-LABEL:Loops of function 'triangle':
; OFF-NEXT:scop "triangle: for.cond1.preheader => for.end10"
; OFF-NEXT:for (int c0 = 0; c0 <= 99; c0 += 1)
; OFF-NEXT:  for (int c1 = c0; c1 <= 99; c1 += 1)
; OFF-NEXT:    S0(c1, c0);
; OFF-NOT:{{.+}}
define void @triangle(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv = phi i64 [ 1, %entry ], [ %indvars.iv.next, %for.inc8 ]
  %i.09 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  br label %for.body4

for.body4:
  %j.08 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.09, i64 %j.08
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %B, i64 %j.08, i64 %i.09
  store double %0, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.08, 1
  %exitcond.not = icmp eq i64 %inc, %indvars.iv
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %i.09, 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond10.not = icmp eq i64 %inc9, 100
  br i1 %exitcond10.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; Skewed: the blocks follow the parallelogram.
;
;   void seidel(long n, double *A) {
;     for (long t = 0; t < n; t++)
;       for (long i = 1; i < 99; i++)
;         A[i] = A[i - 1] + A[i] + A[i + 1];
;   }
;
; TILES-LABEL:Loops of function 'seidel':
; TILES-NEXT:scop "seidel: for.cond1.preheader => for.end12.loopexit"
; TILES-NEXT:for (int c0 = 0; c0 <= floord(n - 1, 32); c0 += 1)
; TILES-NEXT:  for (int c1 = c0; c1 <= min(c0 + 4, floord(n + 96, 32)); c1 += 1)
; TILES-NEXT:    for (int c2 = max(32 * c0, 32 * c1 - 97); c2 <= min(n - 1, 32 * c0 + 31); c2 += 1)
; TILES-NEXT:      for (int c3 = max(32 * c1, c2); c3 <= min(32 * c1 + 31, c2 + 97); c3 += 1)
; TILES-NEXT:        S0(c2, c3 - c2);
; TILES-NOT:{{.+}}
; OFF-LABEL:Loops of function 'seidel':
; OFF-NEXT:scop "seidel: for.cond1.preheader => for.end12.loopexit"
; OFF-NEXT:for (int c0 = 0; c0 < n; c0 += 1)
; OFF-NEXT:  for (int c1 = c0; c1 <= c0 + 97; c1 += 1)
; OFF-NEXT:    S0(c0, c1 - c0);
; OFF-NOT:{{.+}}
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

; A single loop is not tiled.
;
;   void single(long *A) {
;     for (long i = 1; i < 100; i++)
;       A[i] = A[i - 1] + 1;
;   }
;
; TILES-LABEL:Loops of function 'single':
; TILES-NEXT:scop "single: for.body => for.end"
; TILES-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; TILES-NEXT:  S0(c0);
; TILES-NOT:{{.+}}
; OFF-LABEL:Loops of function 'single':
; OFF-NEXT:scop "single: for.body => for.end"
; OFF-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; OFF-NEXT:  S0(c0);
; OFF-NOT:{{.+}}
define void @single(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  br label %for.body

for.body:
  %i.05 = phi i64 [ 1, %entry ], [ %inc, %for.body ]
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
