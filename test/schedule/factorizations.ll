; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Triangular nests.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; LU: the division is aligned with the updates of its column. One band of three for both.
;
;   void lu(double A[100][100]) {
;     for (long k = 0; k < 100; k++) {
;       for (long i = k + 1; i < 100; i++)
;         A[i][k] /= A[k][k];
;       for (long i = k + 1; i < 100; i++)
;         for (long j = k + 1; j < 100; j++)
;           A[i][j] -= A[i][k] * A[k][j];
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'lu':
; CHECK-NEXT:scop "lu: for.body => for.end33"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0; S1[i0, i1, i2] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0 and 0 <= i2 <= 98 - i0 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)]; S1[i0, i1, i2] -> [(i0)] }, { S0[i0, i1] -> [(i0 + i1)]; S1[i0, i1, i2] -> [(i0 + i1)] }, { S0[i0, i1] -> [(i0)]; S1[i0, i1, i2] -> [(i0 + i2)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  child:
; CHECK-NEXT:    sequence:
; CHECK-NEXT:    - filter: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0 }"
; CHECK-NEXT:    - filter: "{ S1[i0, i1, i2] : 0 <= i0 <= 98 and 0 <= i1 <= 98 - i0 and 0 <= i2 <= 98 - i0 }"
; CHECK-NOT:{{.+}}
define void @lu(ptr %A) {
entry:
  br label %for.body

for.cond.loopexit:
  %exitcond.not = icmp eq i64 %add, 100
  br i1 %exitcond.not, label %for.end33, label %for.body

for.body:
  %k.028 = phi i64 [ 0, %entry ], [ %add, %for.cond.loopexit ]
  %add = add nuw nsw i64 %k.028, 1
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %k.028, i64 %k.028
  %cmp222 = icmp ult i64 %k.028, 99
  br i1 %cmp222, label %for.body4, label %for.cond10.preheader

for.cond10.preheader:
  %cmp1126 = icmp ult i64 %k.028, 99
  br i1 %cmp1126, label %for.cond15.preheader, label %for.cond.loopexit

for.body4:
  %i.023 = phi i64 [ %inc, %for.body4 ], [ %add, %for.body ]
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %i.023, i64 %k.028
  %1 = load double, ptr %arrayidx7, align 8
  %div = fdiv double %1, %0
  store double %div, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %i.023, 1
  %cmp2 = icmp ult i64 %i.023, 99
  br i1 %cmp2, label %for.body4, label %for.cond10.preheader

for.cond15.preheader:
  %i8.027 = phi i64 [ %inc29, %for.inc28 ], [ %add, %for.cond10.preheader ]
  %arrayidx20 = getelementptr inbounds [100 x double], ptr %A, i64 %i8.027, i64 %k.028
  br label %for.body18

for.body18:
  %j.025 = phi i64 [ %inc26, %for.body18 ], [ %add, %for.cond15.preheader ]
  %2 = load double, ptr %arrayidx20, align 8
  %arrayidx22 = getelementptr inbounds [100 x double], ptr %A, i64 %k.028, i64 %j.025
  %3 = load double, ptr %arrayidx22, align 8
  %arrayidx24 = getelementptr inbounds [100 x double], ptr %A, i64 %i8.027, i64 %j.025
  %4 = load double, ptr %arrayidx24, align 8
  %neg = fneg double %2
  %5 = call double @llvm.fmuladd.f64(double %neg, double %3, double %4)
  store double %5, ptr %arrayidx24, align 8
  %inc26 = add nuw nsw i64 %j.025, 1
  %cmp16 = icmp ult i64 %j.025, 99
  br i1 %cmp16, label %for.body18, label %for.inc28

for.inc28:
  %inc29 = add nuw nsw i64 %i8.027, 1
  %cmp11 = icmp ult i64 %i8.027, 99
  br i1 %cmp11, label %for.cond15.preheader, label %for.cond.loopexit

for.end33:
  ret void
}

; A triangular system: x[j] is divided before it is subtracted from those below.
;
;   void trisolv(double *restrict x, double L[100][100]) {
;     for (long i = 0; i < 100; i++) {
;       for (long j = 0; j < i; j++)
;         x[i] -= L[i][j] * x[j];
;       x[i] /= L[i][i];
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'trisolv':
; CHECK-NEXT:scop "trisolv: for.cond1.preheader => for.end13"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 < i0 <= 99 and 0 <= i1 < i0; S1[i0] : 0 <= i0 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i1)]; S1[i0] -> [(i0)] }, { S0[i0, i1] -> [(i0)]; S1[i0] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  child:
; CHECK-NEXT:    sequence:
; CHECK-NEXT:    - filter: "{ S0[i0, i1] : 0 < i0 <= 99 and 0 <= i1 < i0 }"
; CHECK-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; CHECK-NOT:{{.+}}
define void @trisolv(ptr noalias %x, ptr %L) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.016 = phi i64 [ 0, %entry ], [ %inc12, %for.end ]
  %arrayidx7 = getelementptr inbounds double, ptr %x, i64 %i.016
  %cmp214.not = icmp eq i64 %i.016, 0
  br i1 %cmp214.not, label %for.end, label %for.body4

for.body4:
  %j.015 = phi i64 [ %inc, %for.body4 ], [ 0, %for.cond1.preheader ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %L, i64 %i.016, i64 %j.015
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx6 = getelementptr inbounds double, ptr %x, i64 %j.015
  %1 = load double, ptr %arrayidx6, align 8
  %2 = load double, ptr %arrayidx7, align 8
  %neg = fneg double %0
  %3 = call double @llvm.fmuladd.f64(double %neg, double %1, double %2)
  store double %3, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.015, 1
  %exitcond.not = icmp eq i64 %inc, %i.016
  br i1 %exitcond.not, label %for.end, label %for.body4

for.end:
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %L, i64 %i.016, i64 %i.016
  %4 = load double, ptr %arrayidx9, align 8
  %arrayidx10 = getelementptr inbounds double, ptr %x, i64 %i.016
  %5 = load double, ptr %arrayidx10, align 8
  %div = fdiv double %5, %4
  store double %div, ptr %arrayidx10, align 8
  %inc12 = add nuw nsw i64 %i.016, 1
  %exitcond17.not = icmp eq i64 %inc12, 100
  br i1 %exitcond17.not, label %for.end13, label %for.cond1.preheader

for.end13:
  ret void
}

; A triangular product in place: a row is read before it is overwritten. Only the columns are independent.
;
;   void trmm(double A[restrict 100][100], double B[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         for (long k = i + 1; k < 100; k++)
;           B[i][j] += A[k][i] * B[k][j];
;   }
;
; CHECK-LABEL:Schedules of function 'trmm':
; CHECK-NEXT:scop "trmm: for.cond1.preheader => for.end19"
; CHECK-NEXT:domain: "{ S0[i0, i1, i2] : 0 <= i0 <= 98 and 0 <= i1 <= 99 and 0 <= i2 <= 98 - i0 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i0 + i2)] }, { S0[i0, i1, i2] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 0, 0 ]
; CHECK-NOT:{{.+}}
define void @trmm(ptr noalias %A, ptr %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.015 = phi i64 [ 0, %entry ], [ %inc18, %for.inc17 ]
  %cmp612 = icmp ult i64 %i.015, 99
  br label %for.body4

for.body4:
  %j.014 = phi i64 [ 0, %for.cond1.preheader ], [ %inc15, %for.inc14 ]
  %arrayidx13 = getelementptr inbounds [100 x double], ptr %B, i64 %i.015, i64 %j.014
  br i1 %cmp612, label %for.body8, label %for.inc14

for.body8:
  %k.0.in13 = phi i64 [ %k.0, %for.body8 ], [ %i.015, %for.body4 ]
  %k.0 = add nuw nsw i64 %k.0.in13, 1
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %A, i64 %k.0, i64 %i.015
  %0 = load double, ptr %arrayidx9, align 8
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %B, i64 %k.0, i64 %j.014
  %1 = load double, ptr %arrayidx11, align 8
  %2 = load double, ptr %arrayidx13, align 8
  %3 = call double @llvm.fmuladd.f64(double %0, double %1, double %2)
  store double %3, ptr %arrayidx13, align 8
  %cmp6 = icmp ult i64 %k.0.in13, 98
  br i1 %cmp6, label %for.body8, label %for.inc14

for.inc14:
  %inc15 = add nuw nsw i64 %j.014, 1
  %exitcond.not = icmp eq i64 %inc15, 100
  br i1 %exitcond.not, label %for.inc17, label %for.body4

for.inc17:
  %inc18 = add nuw nsw i64 %i.015, 1
  %exitcond16.not = icmp eq i64 %inc18, 100
  br i1 %exitcond16.not, label %for.end19, label %for.cond1.preheader

for.end19:
  ret void
}

; Symmetric update: only the lower triangle, everything but k is parallel.
;
;   void syrk(double C[restrict 100][100], double A[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j <= i; j++)
;         for (long k = 0; k < 100; k++)
;           C[i][j] += A[i][k] * A[j][k];
;   }
;
; CHECK-LABEL:Schedules of function 'syrk':
; CHECK-NEXT:scop "syrk: for.cond1.preheader => for.end19"
; CHECK-NEXT:domain: "{ S0[i0, i1, i2] : 0 <= i0 <= 99 and 0 <= i1 <= i0 and 0 <= i2 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1, i2] -> [(i0)] }, { S0[i0, i1, i2] -> [(i1)] }, { S0[i0, i1, i2] -> [(i2)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 1, 0 ]
; CHECK-NOT:{{.+}}
define void @syrk(ptr noalias %C, ptr %A) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv = phi i64 [ 1, %entry ], [ %indvars.iv.next, %for.inc17 ]
  %i.014 = phi i64 [ 0, %entry ], [ %inc18, %for.inc17 ]
  br label %for.cond5.preheader

for.cond5.preheader:
  %j.013 = phi i64 [ 0, %for.cond1.preheader ], [ %inc15, %for.inc14 ]
  %arrayidx13 = getelementptr inbounds [100 x double], ptr %C, i64 %i.014, i64 %j.013
  br label %for.body8

for.body8:
  %k.012 = phi i64 [ 0, %for.cond5.preheader ], [ %inc, %for.body8 ]
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %A, i64 %i.014, i64 %k.012
  %0 = load double, ptr %arrayidx9, align 8
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %A, i64 %j.013, i64 %k.012
  %1 = load double, ptr %arrayidx11, align 8
  %2 = load double, ptr %arrayidx13, align 8
  %3 = call double @llvm.fmuladd.f64(double %0, double %1, double %2)
  store double %3, ptr %arrayidx13, align 8
  %inc = add nuw nsw i64 %k.012, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc14, label %for.body8

for.inc14:
  %inc15 = add nuw nsw i64 %j.013, 1
  %exitcond15.not = icmp eq i64 %inc15, %indvars.iv
  br i1 %exitcond15.not, label %for.inc17, label %for.cond5.preheader

for.inc17:
  %inc18 = add nuw nsw i64 %i.014, 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond16.not = icmp eq i64 %inc18, 100
  br i1 %exitcond16.not, label %for.end19, label %for.cond1.preheader

for.end19:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
