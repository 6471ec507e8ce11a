; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Remainders: steps of loops, and conditions where no loop has the step.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Even iterations only.
;
;   void even(long *A) {
;     for (unsigned long i = 2; i < 100; i++)
;       if (i % 2 == 0)
;         A[i] += A[i - 2];
;   }
;
; CHECK-LABEL:Loops of function 'even':
; CHECK-NEXT:scop "even: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 96; c0 += 2)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @even(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -16
  br label %for.body

for.body:
  %i.06 = phi i64 [ 2, %entry ], [ %inc, %for.inc ]
  %rem = and i64 %i.06, 1
  %cmp1 = icmp eq i64 %rem, 0
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.06
  %1 = load i64, ptr %arrayidx2, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx2, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Up to a parameter.
;
;   void every_fourth(unsigned n, long *A) {
;     for (unsigned long i = 4; i < n; i++)
;       if (i % 4 == 1)
;         A[i] += A[i - 4];
;   }
;
; CHECK-LABEL:Loops of function 'every_fourth':
; CHECK-NEXT:scop "every_fourth: for.body => for.end.loopexit"
; CHECK-NEXT:for (int c0 = 1; c0 <= n - 5; c0 += 4)
; CHECK-NEXT:  S0(c0);
; CHECK-NOT:{{.+}}
define void @every_fourth(i32 %n, ptr %A) {
entry:
  %conv = zext i32 %n to i64
  %invariant.gep = getelementptr i8, ptr %A, i64 -32
  %cmp6 = icmp ugt i32 %n, 4
  br i1 %cmp6, label %for.body, label %for.end

for.body:
  %i.07 = phi i64 [ %inc, %for.inc ], [ 4, %entry ]
  %rem = and i64 %i.07, 3
  %cmp2 = icmp eq i64 %rem, 1
  br i1 %cmp2, label %if.then, label %for.inc

if.then:
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.07
  %0 = load i64, ptr %gep, align 8
  %arrayidx4 = getelementptr inbounds i64, ptr %A, i64 %i.07
  %1 = load i64, ptr %arrayidx4, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx4, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, %conv
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; In two dimensions.
;
;   void grid(double A[100][100]) {
;     for (unsigned long i = 3; i < 100; i++)
;       for (unsigned long j = 2; j < 100; j++)
;         if (i % 3 == 0)
;           if (j % 2 == 1)
;             A[i][j] += A[i - 3][j] + A[i][j - 2];
;   }
;
; CHECK-LABEL:Loops of function 'grid':
; CHECK-NEXT:scop "grid: for.cond1.preheader => for.end19"
; CHECK-NEXT:for (int c0 = 0; c0 <= 96; c0 += 3)
; CHECK-NEXT:  for (int c1 = 1; c1 <= 97; c1 += 2)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NOT:{{.+}}
define void @grid(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -2400
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.014 = phi i64 [ 3, %entry ], [ %inc18, %for.inc17 ]
  %rem = urem i64 %i.014, 3
  %cmp5 = icmp eq i64 %rem, 0
  br label %for.body4

for.body4:
  %j.013 = phi i64 [ 2, %for.cond1.preheader ], [ %inc, %for.inc ]
  %rem6 = and i64 %j.013, 1
  %cmp7 = icmp ne i64 %rem6, 0
  %or.cond = and i1 %cmp5, %cmp7
  br i1 %or.cond, label %if.then8, label %for.inc

if.then8:
  %arrayidx9 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.014, i64 %j.013
  %0 = load double, ptr %arrayidx9, align 8
  %sub11 = add nsw i64 %j.013, -2
  %arrayidx12 = getelementptr inbounds [100 x double], ptr %A, i64 %i.014, i64 %sub11
  %1 = load double, ptr %arrayidx12, align 8
  %add = fadd double %0, %1
  %arrayidx14 = getelementptr inbounds [100 x double], ptr %A, i64 %i.014, i64 %j.013
  %2 = load double, ptr %arrayidx14, align 8
  %add15 = fadd double %2, %add
  store double %add15, ptr %arrayidx14, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.013, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc17, label %for.body4

for.inc17:
  %inc18 = add nuw nsw i64 %i.014, 1
  %exitcond15.not = icmp eq i64 %inc18, 100
  br i1 %exitcond15.not, label %for.end19, label %for.cond1.preheader

for.end19:
  ret void
}

; One color of a chessboard.
;
;   void chessboard(double A[100][100]) {
;     for (unsigned long i = 1; i < 99; i++)
;       for (unsigned long j = 1; j < 99; j++)
;         if ((i + j) % 2 == 0)
;           A[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
;   }
;
; CHECK-LABEL:Loops of function 'chessboard':
; CHECK-NEXT:scop "chessboard: for.cond1.preheader => for.end23"
; CHECK-NEXT:for (int c0 = 0; c0 <= 97; c0 += 1) {
; CHECK-NEXT:  // vector
; CHECK-NEXT:  for (int c1 = pmod(c0, 2); c1 <= 97; c1 += 2)
; CHECK-NEXT:    S0(c0, c1);
; CHECK-NEXT:}
; CHECK-NOT:{{.+}}
define void @chessboard(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  %invariant.gep20 = getelementptr inbounds i8, ptr %A, i64 800
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.022 = phi i64 [ 1, %entry ], [ %inc22, %for.inc21 ]
  br label %for.body4

for.body4:
  %j.019 = phi i64 [ 1, %for.cond1.preheader ], [ %inc, %for.inc ]
  %add = add nuw nsw i64 %i.022, %j.019
  %rem = and i64 %add, 1
  %cmp5 = icmp eq i64 %rem, 0
  br i1 %cmp5, label %if.then, label %for.inc

if.then:
  %arrayidx6 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.022, i64 %j.019
  %0 = load double, ptr %arrayidx6, align 8
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %invariant.gep20, i64 %i.022, i64 %j.019
  %1 = load double, ptr %arrayidx9, align 8
  %add10 = fadd double %0, %1
  %sub12 = add nsw i64 %j.019, -1
  %arrayidx13 = getelementptr inbounds [100 x double], ptr %A, i64 %i.022, i64 %sub12
  %2 = load double, ptr %arrayidx13, align 8
  %add14 = fadd double %add10, %2
  %add16 = add nuw nsw i64 %j.019, 1
  %arrayidx17 = getelementptr inbounds [100 x double], ptr %A, i64 %i.022, i64 %add16
  %3 = load double, ptr %arrayidx17, align 8
  %add18 = fadd double %add14, %3
  %arrayidx20 = getelementptr inbounds [100 x double], ptr %A, i64 %i.022, i64 %j.019
  store double %add18, ptr %arrayidx20, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.019, 1
  %exitcond.not = icmp eq i64 %inc, 99
  br i1 %exitcond.not, label %for.inc21, label %for.body4

for.inc21:
  %inc22 = add nuw nsw i64 %i.022, 1
  %exitcond23.not = icmp eq i64 %inc22, 99
  br i1 %exitcond23.not, label %for.end23, label %for.cond1.preheader

for.end23:
  ret void
}

; The first three of each eight.
;
;   void blocks(long *A) {
;     for (unsigned long i = 8; i < 96; i++)
;       if (i % 8 < 3)
;         A[i] += A[i - 8];
;   }
;
; CHECK-LABEL:Loops of function 'blocks':
; CHECK-NEXT:scop "blocks: for.body => for.end"
; CHECK-NEXT:for (int c0 = 0; c0 <= 87; c0 += 1)
; CHECK-NEXT:  if (pmod(c0, 8) <= 2)
; CHECK-NEXT:    S0(c0);
; CHECK-NOT:{{.+}}
define void @blocks(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -64
  br label %for.body

for.body:
  %i.06 = phi i64 [ 8, %entry ], [ %inc, %for.inc ]
  %rem = and i64 %i.06, 7
  %cmp1 = icmp ult i64 %rem, 3
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.06
  %1 = load i64, ptr %arrayidx2, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx2, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, 96
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
