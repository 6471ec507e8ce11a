; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=DEFAULT %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=FORCE %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-ast;force;no-tile;parallel>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=PARALLEL %s
;
; The same loops by default, forced where nothing is gained, and in parallel.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A single loop with nothing to gain.
;
;   void single(long *A) {
;     for (long i = 1; i < 100; i++)
;       A[i] = A[i - 1] + 1;
;   }
;
; DEFAULT-LABEL:Loops of function 'single':
; DEFAULT-NEXT:scop "single: for.body => for.end"
; DEFAULT-NEXT:unchanged: no profitable transformation was found (predicted {{.*}} cycles against {{.*}} of the original)
; DEFAULT-NOT:{{.+}}
; FORCE-LABEL:Loops of function 'single':
; FORCE-NEXT:scop "single: for.body => for.end"
; FORCE-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; FORCE-NEXT:  S0(c0);
; FORCE-NOT:{{.+}}
; PARALLEL-LABEL:Loops of function 'single':
; PARALLEL-NEXT:scop "single: for.body => for.end"
; PARALLEL-NEXT:for (int c0 = 0; c0 <= 98; c0 += 1)
; PARALLEL-NEXT:  S0(c0);
; PARALLEL-NOT:{{.+}}
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

; A nest that runs along the columns is interchanged: that is predicted to pay.
;
;   void columns(double A[1000][1000], double B[restrict 1000][1000]) {
;     for (long j = 0; j < 1000; j++)
;       for (long i = 0; i < 1000; i++)
;         A[i][j] += B[i][j];
;   }
;
; DEFAULT-LABEL:Loops of function 'columns':
; DEFAULT-NEXT:scop "columns: for.cond1.preheader => for.end10"
; DEFAULT-NEXT:for (int c0 = 0; c0 <= 999; c0 += 1) {
; DEFAULT-NEXT:  // vector
; DEFAULT-NEXT:  for (int c1 = 0; c1 <= 999; c1 += 1)
; DEFAULT-NEXT:    S0(c1, c0);
; DEFAULT-NEXT:}
; DEFAULT-NOT:{{.+}}
; FORCE-LABEL:Loops of function 'columns':
; FORCE-NEXT:scop "columns: for.cond1.preheader => for.end10"
; FORCE-NEXT:for (int c0 = 0; c0 <= 999; c0 += 1) {
; FORCE-NEXT:  // vector
; FORCE-NEXT:  for (int c1 = 0; c1 <= 999; c1 += 1)
; FORCE-NEXT:    S0(c1, c0);
; FORCE-NEXT:}
; FORCE-NOT:{{.+}}
; PARALLEL-LABEL:Loops of function 'columns':
; PARALLEL-NEXT:scop "columns: for.cond1.preheader => for.end10"
; PARALLEL-NEXT:// parallel
; PARALLEL-NEXT:for (int c0 = 0; c0 <= 999; c0 += 1) {
; PARALLEL-NEXT:  // vector
; PARALLEL-NEXT:  for (int c1 = 0; c1 <= 999; c1 += 1)
; PARALLEL-NEXT:    S0(c1, c0);
; PARALLEL-NEXT:}
; PARALLEL-NOT:{{.+}}
define void @columns(ptr %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %j.08 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  br label %for.body4

for.body4:
  %i.07 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [1000 x double], ptr %B, i64 %i.07, i64 %j.08
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [1000 x double], ptr %A, i64 %i.07, i64 %j.08
  %1 = load double, ptr %arrayidx7, align 8
  %add = fadd double %1, %0
  store double %add, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, 1000
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %j.08, 1
  %exitcond9.not = icmp eq i64 %inc9, 1000
  br i1 %exitcond9.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; Sums of rows: eight of them run side by side in the lanes of a vector; without tiles, along columns no step waits for the one before.
;
;   void rows(double *restrict S, double A[1000][1000]) {
;     for (long i = 0; i < 1000; i++)
;       for (long j = 0; j < 1000; j++)
;         S[i] += A[i][j];
;   }
;
; DEFAULT-LABEL:Loops of function 'rows':
; DEFAULT-NEXT:scop "rows: for.cond1.preheader => for.end9"
; DEFAULT-NEXT:for (int c0 = 0; c0 <= 124; c0 += 1) {
; DEFAULT-NEXT:  // register-tile(S0.2, S0.1; partial S0)
; DEFAULT-NEXT:  for (int c1 = 0; c1 <= 999; c1 += 1) {
; DEFAULT-NEXT:    // vector
; DEFAULT-NEXT:    for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1)
; DEFAULT-NEXT:      S0(c2, c1);
; DEFAULT-NEXT:  }
; DEFAULT-NEXT:}
; DEFAULT-NOT:{{.+}}
; FORCE-LABEL:Loops of function 'rows':
; FORCE-NEXT:scop "rows: for.cond1.preheader => for.end9"
; FORCE-NEXT:for (int c0 = 0; c0 <= 999; c0 += 1)
; FORCE-NEXT:  for (int c1 = 0; c1 <= 999; c1 += 1)
; FORCE-NEXT:    S0(c1, c0);
; FORCE-NOT:{{.+}}
; PARALLEL-LABEL:Loops of function 'rows':
; PARALLEL-NEXT:scop "rows: for.cond1.preheader => for.end9"
; PARALLEL-NEXT:// parallel
; PARALLEL-NEXT:for (int c0 = 0; c0 <= 999; c0 += 1)
; PARALLEL-NEXT:  for (int c1 = 0; c1 <= 999; c1 += 1)
; PARALLEL-NEXT:    S0(c0, c1);
; PARALLEL-NOT:{{.+}}
define void @rows(ptr noalias %S, ptr %A) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.07 = phi i64 [ 0, %entry ], [ %inc8, %for.inc7 ]
  %arrayidx6 = getelementptr inbounds double, ptr %S, i64 %i.07
  br label %for.body4

for.body4:
  %j.06 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [1000 x double], ptr %A, i64 %i.07, i64 %j.06
  %0 = load double, ptr %arrayidx5, align 8
  %1 = load double, ptr %arrayidx6, align 8
  %add = fadd double %1, %0
  store double %add, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %j.06, 1
  %exitcond.not = icmp eq i64 %inc, 1000
  br i1 %exitcond.not, label %for.inc7, label %for.body4

for.inc7:
  %inc8 = add nuw nsw i64 %i.07, 1
  %exitcond8.not = icmp eq i64 %inc8, 1000
  br i1 %exitcond8.not, label %for.end9, label %for.cond1.preheader

for.end9:
  ret void
}
