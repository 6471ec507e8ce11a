; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;tile-sizes=20:50>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;tile-sizes=25>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=ONE %s
;
; A tile size for each loop; the last one is repeated.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; 99 iterations: the last block of each is smaller.
;
;   void square(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < 100; j++)
;         A[i][j] += A[i - 1][j] + A[i][j - 1];
;   }
;
; CHECK-LABEL:Loops of function 'square':
; CHECK-NEXT:scop "square: for.cond1.preheader => for.end14"
; CHECK-NEXT:for (int c0 = 0; c0 <= 4; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 1; c1 += 1)
; CHECK-NEXT:    for (int c2 = 20 * c0; c2 <= min(20 * c0 + 19, 98); c2 += 1)
; CHECK-NEXT:      for (int c3 = 50 * c1; c3 <= min(50 * c1 + 49, 98); c3 += 1)
; CHECK-NEXT:        S0(c2, c3);
; CHECK-NOT:{{.+}}
; ONE-LABEL:Loops of function 'square':
; ONE-NEXT:scop "square: for.cond1.preheader => for.end14"
; ONE-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
; ONE-NEXT:  for (int c1 = 0; c1 <= 3; c1 += 1)
; ONE-NEXT:    for (int c2 = 25 * c0; c2 <= min(25 * c0 + 24, 98); c2 += 1)
; ONE-NEXT:      for (int c3 = 25 * c1; c3 <= min(25 * c1 + 24, 98); c3 += 1)
; ONE-NEXT:        S0(c2, c3);
; ONE-NOT:{{.+}}
define void @square(ptr %A) {
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

; 100 iterations: both sizes divide it, all blocks have the same size.
;
;   void divided(double A[101][101]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         A[i + 1][j + 1] += A[i][j + 1] + A[i + 1][j];
;   }
;
; CHECK-LABEL:Loops of function 'divided':
; CHECK-NEXT:scop "divided: for.cond1.preheader => for.end17"
; CHECK-NEXT:for (int c0 = 0; c0 <= 4; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 1; c1 += 1)
; CHECK-NEXT:    for (int c2 = 20 * c0; c2 <= 20 * c0 + 19; c2 += 1)
; CHECK-NEXT:      for (int c3 = 50 * c1; c3 <= 50 * c1 + 49; c3 += 1)
; CHECK-NEXT:        S0(c2, c3);
; CHECK-NOT:{{.+}}
; ONE-LABEL:Loops of function 'divided':
; ONE-NEXT:scop "divided: for.cond1.preheader => for.end17"
; ONE-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
; ONE-NEXT:  for (int c1 = 0; c1 <= 3; c1 += 1)
; ONE-NEXT:    for (int c2 = 25 * c0; c2 <= 25 * c0 + 24; c2 += 1)
; ONE-NEXT:      for (int c3 = 25 * c1; c3 <= 25 * c1 + 24; c3 += 1)
; ONE-NEXT:        S0(c2, c3);
; ONE-NOT:{{.+}}
define void @divided(ptr %A) {
entry:
  %invariant.gep = getelementptr inbounds i8, ptr %A, i64 808
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.012 = phi i64 [ 0, %entry ], [ %inc16, %for.inc15 ]
  br label %for.body4

for.body4:
  %j.011 = phi i64 [ 0, %for.cond1.preheader ], [ %add, %for.body4 ]
  %add = add nuw nsw i64 %j.011, 1
  %arrayidx5 = getelementptr inbounds [101 x double], ptr %A, i64 %i.012, i64 %add
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx8 = getelementptr inbounds [101 x double], ptr %invariant.gep, i64 %i.012, i64 %j.011
  %1 = load double, ptr %arrayidx8, align 8
  %add9 = fadd double %0, %1
  %arrayidx13 = getelementptr inbounds [101 x double], ptr %invariant.gep, i64 %i.012, i64 %add
  %2 = load double, ptr %arrayidx13, align 8
  %add14 = fadd double %2, %add9
  store double %add14, ptr %arrayidx13, align 8
  %exitcond.not = icmp eq i64 %add, 100
  br i1 %exitcond.not, label %for.inc15, label %for.body4

for.inc15:
  %inc16 = add nuw nsw i64 %i.012, 1
  %exitcond13.not = icmp eq i64 %inc16, 100
  br i1 %exitcond13.not, label %for.end17, label %for.cond1.preheader

for.end17:
  ret void
}

; Three loops, two sizes.
;
;   void cube(double A[100][100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < 100; j++)
;         for (long k = 1; k < 100; k++)
;           A[i][j][k] += A[i - 1][j][k] + A[i][j - 1][k] + A[i][j][k - 1];
;   }
;
; CHECK-LABEL:Loops of function 'cube':
; CHECK-NEXT:scop "cube: for.cond1.preheader => for.end29"
; CHECK-NEXT:for (int c0 = 0; c0 <= 4; c0 += 1)
; CHECK-NEXT:  for (int c1 = 0; c1 <= 1; c1 += 1)
; CHECK-NEXT:    for (int c2 = 0; c2 <= 1; c2 += 1)
; CHECK-NEXT:      for (int c3 = 20 * c0; c3 <= min(20 * c0 + 19, 98); c3 += 1)
; CHECK-NEXT:        for (int c4 = 50 * c1; c4 <= min(50 * c1 + 49, 98); c4 += 1)
; CHECK-NEXT:          for (int c5 = 50 * c2; c5 <= min(50 * c2 + 49, 98); c5 += 1)
; CHECK-NEXT:            S0(c3, c4, c5);
; CHECK-NOT:{{.+}}
; ONE-LABEL:Loops of function 'cube':
; ONE-NEXT:scop "cube: for.cond1.preheader => for.end29"
; ONE-NEXT:for (int c0 = 0; c0 <= 3; c0 += 1)
; ONE-NEXT:  for (int c1 = 0; c1 <= 3; c1 += 1)
; ONE-NEXT:    for (int c2 = 0; c2 <= 3; c2 += 1)
; ONE-NEXT:      for (int c3 = 25 * c0; c3 <= min(25 * c0 + 24, 98); c3 += 1)
; ONE-NEXT:        for (int c4 = 25 * c1; c4 <= min(25 * c1 + 24, 98); c4 += 1)
; ONE-NEXT:          for (int c5 = 25 * c2; c5 <= min(25 * c2 + 24, 98); c5 += 1)
; ONE-NEXT:            S0(c3, c4, c5);
; ONE-NOT:{{.+}}
define void @cube(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -80000
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.021 = phi i64 [ 1, %entry ], [ %inc28, %for.inc27 ]
  br label %for.cond5.preheader

for.cond5.preheader:
  %j.020 = phi i64 [ 1, %for.cond1.preheader ], [ %inc25, %for.inc24 ]
  %sub12 = add nsw i64 %j.020, -1
  br label %for.body8

for.body8:
  %k.019 = phi i64 [ 1, %for.cond5.preheader ], [ %inc, %for.body8 ]
  %arrayidx10 = getelementptr nusw [100 x [100 x double]], ptr %invariant.gep, i64 %i.021, i64 %j.020, i64 %k.019
  %0 = load double, ptr %arrayidx10, align 8
  %arrayidx14 = getelementptr inbounds [100 x [100 x double]], ptr %A, i64 %i.021, i64 %sub12, i64 %k.019
  %1 = load double, ptr %arrayidx14, align 8
  %add = fadd double %0, %1
  %sub17 = add nsw i64 %k.019, -1
  %arrayidx18 = getelementptr inbounds [100 x [100 x double]], ptr %A, i64 %i.021, i64 %j.020, i64 %sub17
  %2 = load double, ptr %arrayidx18, align 8
  %add19 = fadd double %add, %2
  %arrayidx22 = getelementptr inbounds [100 x [100 x double]], ptr %A, i64 %i.021, i64 %j.020, i64 %k.019
  %3 = load double, ptr %arrayidx22, align 8
  %add23 = fadd double %3, %add19
  store double %add23, ptr %arrayidx22, align 8
  %inc = add nuw nsw i64 %k.019, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc24, label %for.body8

for.inc24:
  %inc25 = add nuw nsw i64 %j.020, 1
  %exitcond22.not = icmp eq i64 %inc25, 100
  br i1 %exitcond22.not, label %for.inc27, label %for.cond5.preheader

for.inc27:
  %inc28 = add nuw nsw i64 %i.021, 1
  %exitcond23.not = icmp eq i64 %inc28, 100
  br i1 %exitcond23.not, label %for.end29, label %for.cond1.preheader

for.end29:
  ret void
}

; Fewer iterations than a block has: one block, and no loop over blocks.
;
;   void small(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < 16; j++)
;         A[i][j] += A[i - 1][j] + A[i][j - 1];
;   }
;
; CHECK-LABEL:Loops of function 'small':
; CHECK-NEXT:scop "small: for.cond1.preheader => for.end14"
; CHECK-NEXT:for (int c1 = 0; c1 <= 1; c1 += 1)
; CHECK-NEXT:  for (int c2 = 0; c2 <= 14; c2 += 1)
; CHECK-NEXT:    for (int c3 = 50 * c1; c3 <= min(50 * c1 + 49, 98); c3 += 1)
; CHECK-NEXT:      S0(c3, c2);
; CHECK-NOT:{{.+}}
; ONE-LABEL:Loops of function 'small':
; ONE-NEXT:scop "small: for.cond1.preheader => for.end14"
; ONE-NEXT:for (int c1 = 0; c1 <= 3; c1 += 1)
; ONE-NEXT:  for (int c2 = 0; c2 <= 14; c2 += 1)
; ONE-NEXT:    for (int c3 = 25 * c1; c3 <= min(25 * c1 + 24, 98); c3 += 1)
; ONE-NEXT:      S0(c3, c2);
; ONE-NOT:{{.+}}
define void @small(ptr %A) {
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
  %exitcond.not = icmp eq i64 %inc, 16
  br i1 %exitcond.not, label %for.inc12, label %for.body4

for.inc12:
  %inc13 = add nuw nsw i64 %i.012, 1
  %exitcond13.not = icmp eq i64 %inc13, 100
  br i1 %exitcond13.not, label %for.end14, label %for.cond1.preheader

for.end14:
  ret void
}
