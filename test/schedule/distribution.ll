; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Statements of one loop that are distributed over several, where that makes more of them parallel.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The recurrence is serial, what is made of it is parallel.
;
;   void recurrence(double *restrict A, double *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = A[i - 1] * 2;
;       for (long j = 0; j < 100; j++)
;         B[100 * i + j] = A[i];
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'recurrence':
; CHECK-NEXT:scop "recurrence: for.body => for.end11"
; CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 98; S1[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  sequence:
; CHECK-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 98 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:  - filter: "{ S1[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S1[i0, i1] -> [(i0)] }, { S1[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 1 ]
; CHECK-NOT:{{.+}}
define void @recurrence(ptr noalias %A, ptr noalias %B) {
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

; Matrix product: the zeroes are written first, so that the rest is a band of three.
;
;   void matmul(double C[restrict 100][100], double A[100][100], double B[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++) {
;         C[i][j] = 0;
;         for (long k = 0; k < 100; k++)
;           C[i][j] += A[i][k] * B[k][j];
;       }
;   }
;
; CHECK-LABEL:Schedules of function 'matmul':
; CHECK-NEXT:scop "matmul: for.cond1.preheader => for.end21"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99; S1[i0, i1, i2] : 0 <= i0 <= 99 and 0 <= i1 <= 99 and 0 <= i2 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  sequence:
; CHECK-NEXT:  - filter: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 1 ]
; CHECK-NEXT:  - filter: "{ S1[i0, i1, i2] : 0 <= i0 <= 99 and 0 <= i1 <= 99 and 0 <= i2 <= 99 }"
; CHECK-NEXT:    child:
; CHECK-NEXT:      schedule: "[{ S1[i0, i1, i2] -> [(i0)] }, { S1[i0, i1, i2] -> [(i1)] }, { S1[i0, i1, i2] -> [(i2)] }]"
; CHECK-NEXT:      permutable: 1
; CHECK-NEXT:      coincident: [ 1, 1, 0 ]
; CHECK-NOT:{{.+}}
define void @matmul(ptr noalias %C, ptr %A, ptr %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.015 = phi i64 [ 0, %entry ], [ %inc20, %for.inc19 ]
  br label %for.body4

for.body4:
  %j.014 = phi i64 [ 0, %for.cond1.preheader ], [ %inc17, %for.inc16 ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %C, i64 %i.015, i64 %j.014
  store double 0.000000e+00, ptr %arrayidx5, align 8
  br label %for.body9

for.body9:
  %k.013 = phi i64 [ 0, %for.body4 ], [ %inc, %for.body9 ]
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %A, i64 %i.015, i64 %k.013
  %0 = load double, ptr %arrayidx11, align 8
  %arrayidx13 = getelementptr inbounds [100 x double], ptr %B, i64 %k.013, i64 %j.014
  %1 = load double, ptr %arrayidx13, align 8
  %2 = load double, ptr %arrayidx5, align 8
  %3 = call double @llvm.fmuladd.f64(double %0, double %1, double %2)
  store double %3, ptr %arrayidx5, align 8
  %inc = add nuw nsw i64 %k.013, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc16, label %for.body9

for.inc16:
  %inc17 = add nuw nsw i64 %j.014, 1
  %exitcond16.not = icmp eq i64 %inc17, 100
  br i1 %exitcond16.not, label %for.inc19, label %for.body4

for.inc19:
  %inc20 = add nuw nsw i64 %i.015, 1
  %exitcond17.not = icmp eq i64 %inc20, 100
  br i1 %exitcond17.not, label %for.end21, label %for.cond1.preheader

for.end21:
  ret void
}

; Two statements that need each other's last values stay together.
;
;   void cycle(double *restrict A, double *restrict B) {
;     for (long i = 1; i < 100; i++) {
;       A[i] = B[i - 1];
;       B[i] = A[i - 1];
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'cycle':
; CHECK-NEXT:scop "cycle: for.body => for.end"
; CHECK-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 98; S1[i0] : 0 <= i0 <= 98 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  child:
; CHECK-NEXT:    sequence:
; CHECK-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 98 }"
; CHECK-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; CHECK-NOT:{{.+}}
define void @cycle(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 1, %entry ], [ %inc, %for.body ]
  %sub = add nsw i64 %i.08, -1
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %sub
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds double, ptr %A, i64 %i.08
  store double %0, ptr %arrayidx1, align 8
  %arrayidx3 = getelementptr inbounds double, ptr %A, i64 %sub
  %1 = load double, ptr %arrayidx3, align 8
  %arrayidx4 = getelementptr inbounds double, ptr %B, i64 %i.08
  store double %1, ptr %arrayidx4, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; The outer loop carries dependences from each nest to the other, so that they stay in it. The second reads backwards what the first
; has made, and runs backwards.
;
;   void alternating(double *restrict A, double *restrict B) {
;     for (long t = 0; t < 100; t++) {
;       for (long i = 0; i < 100; i++)
;         A[i] = B[99 - i] + 1;
;       for (long i = 0; i < 100; i++)
;         B[i] = A[(99 - i)] * 2;
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'alternating':
; CHECK-NEXT:scop "alternating: for.cond1.preheader => for.end19"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99; S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i1)]; S1[i0, i1] -> [(99 - i1)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 0, 1 ]
; CHECK-NEXT:  child:
; CHECK-NEXT:    sequence:
; CHECK-NEXT:    - filter: "{ S0[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NEXT:    - filter: "{ S1[i0, i1] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }"
; CHECK-NOT:{{.+}}
define void @alternating(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %t.012 = phi i64 [ 0, %entry ], [ %inc18, %for.inc17 ]
  br label %for.body4

for.body4:
  %i.010 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %sub = sub nuw nsw i64 99, %i.010
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %sub
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %i.010
  store double %add, ptr %arrayidx5, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body10, label %for.body4

for.body10:
  %i6.011 = phi i64 [ %inc15, %for.body10 ], [ 0, %for.body4 ]
  %sub11 = sub nuw nsw i64 99, %i6.011
  %arrayidx12 = getelementptr inbounds double, ptr %A, i64 %sub11
  %1 = load double, ptr %arrayidx12, align 8
  %mul = fmul double %1, 2.000000e+00
  %arrayidx13 = getelementptr inbounds double, ptr %B, i64 %i6.011
  store double %mul, ptr %arrayidx13, align 8
  %inc15 = add nuw nsw i64 %i6.011, 1
  %exitcond13.not = icmp eq i64 %inc15, 100
  br i1 %exitcond13.not, label %for.inc17, label %for.body10

for.inc17:
  %inc18 = add nuw nsw i64 %t.012, 1
  %exitcond14.not = icmp eq i64 %inc18, 100
  br i1 %exitcond14.not, label %for.end19, label %for.cond1.preheader

for.end19:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
