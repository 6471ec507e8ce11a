; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Nests that are permutable as they are. Loops that carry no dependence (coincident: 1) come first.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Matrix multiplication: a band of three, of which the last loop carries the sum.
;
;   void matmul(double *restrict C, double A[100][100], double B[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         for (long k = 0; k < 100; k++)
;           C[100 * i + j] += A[i][k] * B[k][j];
;   }
;
; CHECK-LABEL:Schedules of function 'matmul':
; CHECK-NEXT:scop "matmul: for.cond1.preheader => for.end19"
; CHECK-NEXT:domain: "{ S0[i0, i1, i2] : 0 <= i0 <= 99 and 0 <= i1 <= 99 and 0 <= i2 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1, i2] -> [(i0)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i2)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 1, 0 ]
; CHECK-NOT:{{.+}}
define void @matmul(ptr noalias %C, ptr %A, ptr %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.012 = phi i64 [ 0, %entry ], [ %inc18, %for.inc17 ]
  %.idx = mul nuw nsw i64 %i.012, 800
  %0 = getelementptr inbounds i8, ptr %C, i64 %.idx
  br label %for.cond5.preheader

for.cond5.preheader:
  %j.011 = phi i64 [ 0, %for.cond1.preheader ], [ %inc15, %for.inc14 ]
  %arrayidx13 = getelementptr inbounds double, ptr %0, i64 %j.011
  br label %for.body8

for.body8:
  %k.010 = phi i64 [ 0, %for.cond5.preheader ], [ %inc, %for.body8 ]
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %A, i64 %i.012, i64 %k.010
  %1 = load double, ptr %arrayidx9, align 8
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %B, i64 %k.010, i64 %j.011
  %2 = load double, ptr %arrayidx11, align 8
  %3 = load double, ptr %arrayidx13, align 8
  %4 = call double @llvm.fmuladd.f64(double %1, double %2, double %3)
  store double %4, ptr %arrayidx13, align 8
  %inc = add nuw nsw i64 %k.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc14, label %for.body8

for.inc14:
  %inc15 = add nuw nsw i64 %j.011, 1
  %exitcond13.not = icmp eq i64 %inc15, 100
  br i1 %exitcond13.not, label %for.inc17, label %for.cond5.preheader

for.inc17:
  %inc18 = add nuw nsw i64 %i.012, 1
  %exitcond14.not = icmp eq i64 %inc18, 100
  br i1 %exitcond14.not, label %for.end19, label %for.cond1.preheader

for.end19:
  ret void
}

; The inner loop is the parallel one: it becomes the outer.
;
;   void sums_of_columns(double *restrict S, double A[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         S[j] += A[i][j];
;   }
;
; CHECK-LABEL:Schedules of function 'sums_of_columns':
; CHECK-NEXT:scop "sums_of_columns: for.cond1.preheader => for.end9"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i1)] }, { S0[i0, i1] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 0 ]
; CHECK-NOT:{{.+}}
define void @sums_of_columns(ptr noalias %S, ptr %A) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.07 = phi i64 [ 0, %entry ], [ %inc8, %for.inc7 ]
  br label %for.body4

for.body4:
  %j.06 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.07, i64 %j.06
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx6 = getelementptr inbounds double, ptr %S, i64 %j.06
  %1 = load double, ptr %arrayidx6, align 8
  %add = fadd double %1, %0
  store double %add, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %j.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc7, label %for.body4

for.inc7:
  %inc8 = add nuw nsw i64 %i.07, 1
  %exitcond8.not = icmp eq i64 %inc8, 100
  br i1 %exitcond8.not, label %for.end9, label %for.cond1.preheader

for.end9:
  ret void
}

; Each element depends on the one above it and on its left neighbour: permutable, and nothing is parallel.
;
;   void wave(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 1; j < 100; j++)
;         A[i][j] += A[i - 1][j] + A[i][j - 1];
;   }
;
; CHECK-LABEL:Schedules of function 'wave':
; CHECK-NEXT:scop "wave: for.cond1.preheader => for.end14"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 98 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NOT:{{.+}}
define void @wave(ptr %A) {
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

; No dependences: every loop is parallel.
;
;   void transpose(double A[100][100], double B[restrict 100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         B[i][j] = A[j][i];
;   }
;
; CHECK-LABEL:Schedules of function 'transpose':
; CHECK-NEXT:scop "transpose: for.cond1.preheader => for.end10"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 1 ]
; CHECK-NOT:{{.+}}
define void @transpose(ptr %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.08 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  br label %for.body4

for.body4:
  %j.07 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %j.07, i64 %i.08
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %B, i64 %i.08, i64 %j.07
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

; Every iteration needs the one before.
;
;   void serial(long n, long *A) {
;     for (long i = 1; i < n; i++)
;       A[i] += A[i - 1];
;   }
;
; CHECK-LABEL:Schedules of function 'serial':
; CHECK-NEXT:scop "serial: for.body => for.end.loopexit"
; CHECK-NEXT:domain: "[n] -> { S0[i0] : 0 <= i0 <= -2 + n }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[n] -> [{ S0[i0] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NOT:{{.+}}
define void @serial(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp5 = icmp sgt i64 %n, 1
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 1, %entry ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.06
  %1 = load i64, ptr %arrayidx1, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
