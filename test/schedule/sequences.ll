; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Several nests, one after the other.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Two products with a matrix, once by rows and once by columns: the loops of the second are interchanged, so that the outer one is
; parallel.
;
;   void atax(double A[100][100], double *restrict x, double *restrict y, double *restrict t) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         t[i] += A[i][j] * x[j];
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         y[j] += A[i][j] * t[i];
;   }
;
; CHECK-LABEL:Schedules of function 'atax':
; CHECK-NEXT:scop "atax: for.cond1.preheader => for.end30"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99; S2[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  sequence:
; CHECK-NEXT:  - filter: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 0 ]
; CHECK-NEXT:  - filter: "{ S2[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S2[i0, i1] -> [(i1)] }, { S2[i0, i1] -> [(i0)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 0 ]
; CHECK-NOT:{{.+}}
define void @atax(ptr %A, ptr noalias %x, ptr noalias %y, ptr noalias %t) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.016 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  %arrayidx7 = getelementptr inbounds double, ptr %t, i64 %i.016
  br label %for.body4

for.body4:
  %j.015 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.016, i64 %j.015
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx6 = getelementptr inbounds double, ptr %x, i64 %j.015
  %1 = load double, ptr %arrayidx6, align 8
  %2 = load double, ptr %arrayidx7, align 8
  %3 = call double @llvm.fmuladd.f64(double %0, double %1, double %2)
  store double %3, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.015, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %i.016, 1
  %exitcond19.not = icmp eq i64 %inc9, 100
  br i1 %exitcond19.not, label %for.cond17.preheader, label %for.cond1.preheader

for.cond17.preheader:
  %i11.018 = phi i64 [ %inc29, %for.inc28 ], [ 0, %for.inc8 ]
  %arrayidx23 = getelementptr inbounds double, ptr %t, i64 %i11.018
  %4 = load double, ptr %arrayidx23, align 8
  br label %for.body20

for.body20:
  %j16.017 = phi i64 [ 0, %for.cond17.preheader ], [ %inc26, %for.body20 ]
  %arrayidx22 = getelementptr inbounds [100 x double], ptr %A, i64 %i11.018, i64 %j16.017
  %5 = load double, ptr %arrayidx22, align 8
  %arrayidx24 = getelementptr inbounds double, ptr %y, i64 %j16.017
  %6 = load double, ptr %arrayidx24, align 8
  %7 = call double @llvm.fmuladd.f64(double %5, double %4, double %6)
  store double %7, ptr %arrayidx24, align 8
  %inc26 = add nuw nsw i64 %j16.017, 1
  %exitcond20.not = icmp eq i64 %inc26, 100
  br i1 %exitcond20.not, label %for.inc28, label %for.body20

for.inc28:
  %inc29 = add nuw nsw i64 %i11.018, 1
  %exitcond21.not = icmp eq i64 %inc29, 100
  br i1 %exitcond21.not, label %for.end30, label %for.cond17.preheader

for.end30:
  ret void
}

; The transpose is made before it is read: the consumer is fused with interchanged loops.
;
;   void through_transpose(double A[restrict 100][100], double B[restrict 100][100], double C[restrict 100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         B[j][i] = A[i][j];
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         C[i][j] = B[i][j] + 1;
;   }
;
; CHECK-LABEL:Schedules of function 'through_transpose':
; CHECK-NEXT:scop "through_transpose: for.cond1.preheader => for.end30"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99; S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i1)] }, { S0[i0, i1] -> [(i1)]; S1[i0, i1] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 1 ]
; CHECK-NEXT:  child:
; CHECK-NEXT:    sequence:
; CHECK-NEXT:    - filter: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    - filter: "{ S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NOT:{{.+}}
define void @through_transpose(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.015 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  br label %for.body4

for.body4:
  %j.014 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.015, i64 %j.014
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %B, i64 %j.014, i64 %i.015
  store double %0, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.014, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %i.015, 1
  %exitcond18.not = icmp eq i64 %inc9, 100
  br i1 %exitcond18.not, label %for.cond17.preheader, label %for.cond1.preheader

for.cond17.preheader:
  %i11.017 = phi i64 [ %inc29, %for.inc28 ], [ 0, %for.inc8 ]
  br label %for.body20

for.body20:
  %j16.016 = phi i64 [ 0, %for.cond17.preheader ], [ %inc26, %for.body20 ]
  %arrayidx22 = getelementptr inbounds [100 x double], ptr %B, i64 %i11.017, i64 %j16.016
  %1 = load double, ptr %arrayidx22, align 8
  %add = fadd double %1, 1.000000e+00
  %arrayidx24 = getelementptr inbounds [100 x double], ptr %C, i64 %i11.017, i64 %j16.016
  store double %add, ptr %arrayidx24, align 8
  %inc26 = add nuw nsw i64 %j16.016, 1
  %exitcond19.not = icmp eq i64 %inc26, 100
  br i1 %exitcond19.not, label %for.inc28, label %for.body20

for.inc28:
  %inc29 = add nuw nsw i64 %i11.017, 1
  %exitcond20.not = icmp eq i64 %inc29, 100
  br i1 %exitcond20.not, label %for.end30, label %for.cond17.preheader

for.end30:
  ret void
}

; An element and its mirror image: in a common loop nest, one of the two would not be there in time.
;
;   void transpose_conflict(double A[restrict 100][100], double B[restrict 100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         B[i][j] = A[i][j] + A[j][i];
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         A[i][j] = B[i][j] + B[j][i];
;   }
;
; CHECK-LABEL:Schedules of function 'transpose_conflict':
; CHECK-NEXT:scop "transpose_conflict: for.cond1.preheader => for.end35"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99; S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  sequence:
; CHECK-NEXT:  - filter: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 1 ]
; CHECK-NEXT:  - filter: "{ S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S1[i0, i1] -> [(i0)] }, { S1[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 1 ]
; CHECK-NOT:{{.+}}
define void @transpose_conflict(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.022 = phi i64 [ 0, %entry ], [ %inc11, %for.inc10 ]
  br label %for.body4

for.body4:
  %j.021 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %i.022, i64 %j.021
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %j.021, i64 %i.022
  %1 = load double, ptr %arrayidx7, align 8
  %add = fadd double %0, %1
  %arrayidx9 = getelementptr inbounds [100 x double], ptr %B, i64 %i.022, i64 %j.021
  store double %add, ptr %arrayidx9, align 8
  %inc = add nuw nsw i64 %j.021, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc10, label %for.body4

for.inc10:
  %inc11 = add nuw nsw i64 %i.022, 1
  %exitcond25.not = icmp eq i64 %inc11, 100
  br i1 %exitcond25.not, label %for.cond19.preheader, label %for.cond1.preheader

for.cond19.preheader:
  %i13.024 = phi i64 [ %inc34, %for.inc33 ], [ 0, %for.inc10 ]
  br label %for.body22

for.body22:
  %j18.023 = phi i64 [ 0, %for.cond19.preheader ], [ %inc31, %for.body22 ]
  %arrayidx24 = getelementptr inbounds [100 x double], ptr %B, i64 %i13.024, i64 %j18.023
  %2 = load double, ptr %arrayidx24, align 8
  %arrayidx26 = getelementptr inbounds [100 x double], ptr %B, i64 %j18.023, i64 %i13.024
  %3 = load double, ptr %arrayidx26, align 8
  %add27 = fadd double %2, %3
  %arrayidx29 = getelementptr inbounds [100 x double], ptr %A, i64 %i13.024, i64 %j18.023
  store double %add27, ptr %arrayidx29, align 8
  %inc31 = add nuw nsw i64 %j18.023, 1
  %exitcond26.not = icmp eq i64 %inc31, 100
  br i1 %exitcond26.not, label %for.inc33, label %for.body22

for.inc33:
  %inc34 = add nuw nsw i64 %i13.024, 1
  %exitcond27.not = icmp eq i64 %inc34, 100
  br i1 %exitcond27.not, label %for.end35, label %for.cond19.preheader

for.end35:
  ret void
}

; Loops of different depth that are independent of each other.
;
;   void depths(double *restrict x, double A[restrict 100][100]) {
;     for (long i = 0; i < 100; i++)
;       x[i] *= 2;
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         A[i][j] *= 2;
;   }
;
; CHECK-LABEL:Schedules of function 'depths':
; CHECK-NEXT:scop "depths: for.body => for.end18"
; CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  sequence:
; CHECK-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1 ]
; CHECK-NEXT:  - filter: "{ S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S1[i0, i1] -> [(i0)] }, { S1[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 1 ]
; CHECK-NOT:{{.+}}
define void @depths(ptr noalias %x, ptr noalias %A) {
entry:
  br label %for.body

for.body:
  %i.07 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %x, i64 %i.07
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  store double %mul, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.cond6.preheader, label %for.body

for.cond6.preheader:
  %i1.09 = phi i64 [ %inc17, %for.inc16 ], [ 0, %for.body ]
  br label %for.body9

for.body9:
  %j.08 = phi i64 [ 0, %for.cond6.preheader ], [ %inc14, %for.body9 ]
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %A, i64 %i1.09, i64 %j.08
  %1 = load double, ptr %arrayidx11, align 8
  %mul12 = fmul double %1, 2.000000e+00
  store double %mul12, ptr %arrayidx11, align 8
  %inc14 = add nuw nsw i64 %j.08, 1
  %exitcond10.not = icmp eq i64 %inc14, 100
  br i1 %exitcond10.not, label %for.inc16, label %for.body9

for.inc16:
  %inc17 = add nuw nsw i64 %i1.09, 1
  %exitcond11.not = icmp eq i64 %inc17, 100
  br i1 %exitcond11.not, label %for.end18, label %for.cond6.preheader

for.end18:
  ret void
}

; Statements before and behind a loop.
;
;   void before_and_after(long k, long *restrict A, long *restrict S) {
;     if (k > 0) {
;       for (long t = 0; t < 50; t++) {
;         S[t] = 0;
;         for (long i = 0; i < 100; i++)
;           S[t] += A[i];
;         S[t + 100] = S[t];
;       }
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'before_and_after':
; CHECK-NEXT:scop "before_and_after: for.body => if.end.loopexit"
; CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 49; S1[i0, i1] : 0 <= i0 <= 49 and 0 <= i1 <= 99; S2[i0] : 0 <= i0 <= 49 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  sequence:
; CHECK-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 49 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1 ]
; CHECK-NEXT:  - filter: "{ S1[i0, i1] : 0 <= i0 <= 49 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S1[i0, i1] -> [(i0)] }, { S1[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 0 ]
; CHECK-NEXT:  - filter: "{ S2[i0] : 0 <= i0 <= 49 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S2[i0] -> [(i0)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1 ]
; CHECK-NOT:{{.+}}
define void @before_and_after(i64 %k, ptr noalias %A, ptr noalias %S) {
entry:
  %cmp = icmp sgt i64 %k, 0
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %invariant.gep = getelementptr inbounds i8, ptr %S, i64 800
  br label %for.body

for.body:
  %t.012 = phi i64 [ 0, %for.cond.preheader ], [ %inc12, %for.end ]
  %arrayidx = getelementptr inbounds i64, ptr %S, i64 %t.012
  store i64 0, ptr %arrayidx, align 8
  br label %for.body5

for.body5:
  %i.011 = phi i64 [ 0, %for.body ], [ %inc, %for.body5 ]
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %i.011
  %0 = load i64, ptr %arrayidx6, align 8
  %1 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.011, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body5

for.end:
  %2 = load i64, ptr %arrayidx, align 8
  %gep = getelementptr inbounds i64, ptr %invariant.gep, i64 %t.012
  store i64 %2, ptr %gep, align 8
  %inc12 = add nuw nsw i64 %t.012, 1
  %exitcond13.not = icmp eq i64 %inc12, 50
  br i1 %exitcond13.not, label %if.end, label %for.body

if.end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
