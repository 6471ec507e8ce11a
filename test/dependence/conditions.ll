; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Dependences between instances under conditions.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The second half is overwritten under a condition: a read there gets the value of S1, elsewhere of S0.
;
;   void half(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++) {
;       A[i] = 1;
;       if (i >= 50) {
;         A[i] = 2;
;         A[i + 200] = 3;
;       }
;       B[i] = A[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'half':
; CHECK-NEXT:scop "half: for.body => for.end"
; CHECK-NEXT:flow 0.0 -> 3.0: { S0[i0] -> S3[i0] : 0 <= i0 <= 49 }
; CHECK-NEXT:flow 1.0 -> 3.0: { S1[i0] -> S3[i0] : 50 <= i0 <= 99 }
; CHECK-NEXT:output 0.0 -> 1.0: { S0[i0] -> S1[i0] : 50 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @half(ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr inbounds i8, ptr %A, i64 1600
  br label %for.body

for.body:
  %i.011 = phi i64 [ 0, %entry ], [ %inc, %if.end ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.011
  store i64 1, ptr %arrayidx, align 8
  %cmp1 = icmp ugt i64 %i.011, 49
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  store i64 2, ptr %arrayidx, align 8
  %gep = getelementptr inbounds i64, ptr %invariant.gep, i64 %i.011
  store i64 3, ptr %gep, align 8
  br label %if.end

if.end:
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx5 = getelementptr inbounds i64, ptr %B, i64 %i.011
  store i64 %0, ptr %arrayidx5, align 8
  %inc = add nuw nsw i64 %i.011, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; The condition depends on a parameter alone.
;
;   void parameter(long k, long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++)
;       A[i] = 1;
;     if (k > 7)
;       for (long i = 0; i < 100; i++)
;         A[i] = 2;
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'parameter':
; CHECK-NEXT:scop "parameter: for.body => for.end20"
; CHECK-NEXT:flow 0.0 -> 2.0: [k] -> { S0[i0] -> S2[i0] : k <= 7 and 0 <= i0 <= 99 }
; CHECK-NEXT:flow 1.0 -> 2.0: [k] -> { S1[i0] -> S2[i0] : k >= 8 and 0 <= i0 <= 99 }
; CHECK-NEXT:output 0.0 -> 1.0: [k] -> { S0[i0] -> S1[i0] : k >= 8 and 0 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @parameter(i64 %k, ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.010 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.010
  store i64 1, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %cmp1 = icmp sgt i64 %k, 7
  br i1 %cmp1, label %for.body6, label %if.end

for.body6:
  %i2.011 = phi i64 [ %inc9, %for.body6 ], [ 0, %for.end ]
  %arrayidx7 = getelementptr inbounds i64, ptr %A, i64 %i2.011
  store i64 2, ptr %arrayidx7, align 8
  %inc9 = add nuw nsw i64 %i2.011, 1
  %exitcond13.not = icmp eq i64 %inc9, 100
  br i1 %exitcond13.not, label %if.end, label %for.body6

if.end:
  br label %for.body15

for.body15:
  %i11.012 = phi i64 [ 0, %if.end ], [ %inc19, %for.body15 ]
  %arrayidx16 = getelementptr inbounds i64, ptr %A, i64 %i11.012
  %0 = load i64, ptr %arrayidx16, align 8
  %arrayidx17 = getelementptr inbounds i64, ptr %B, i64 %i11.012
  store i64 %0, ptr %arrayidx17, align 8
  %inc19 = add nuw nsw i64 %i11.012, 1
  %exitcond14.not = icmp eq i64 %inc19, 100
  br i1 %exitcond14.not, label %for.end20, label %for.body15

for.end20:
  ret void
}

; Two conditions that exclude each other.
;
;   void exclusive(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++) {
;       if (i < 30)
;         A[i] = 1;
;       if (i >= 30)
;         B[i] = A[i - 30];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'exclusive':
; CHECK-NEXT:scop "exclusive: for.body => for.end"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0] -> S1[30 + i0] : 0 <= i0 <= 29 }
; CHECK-NOT:{{.+}}
define void @exclusive(ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -240
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp1 = icmp ult i64 %i.08, 30
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.08
  store i64 1, ptr %arrayidx, align 8
  br label %if.end

if.end:
  %cmp2 = icmp ugt i64 %i.08, 29
  br i1 %cmp2, label %if.then3, label %for.inc

if.then3:
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.08
  %0 = load i64, ptr %gep, align 8
  %arrayidx5 = getelementptr inbounds i64, ptr %B, i64 %i.08
  store i64 %0, ptr %arrayidx5, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A diagonal of a square.
;
;   void on_diagonal(double A[100][100], double *restrict B) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++) {
;         if (i == j)
;           A[i][j] = 1;
;         B[100 * i + j] = A[j][i];
;       }
;   }
;
; CHECK-LABEL:Dependences of function 'on_diagonal':
; CHECK-NEXT:scop "on_diagonal: for.cond1.preheader => for.end12"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0, i1 = i0] -> S1[i0, i0] : 0 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @on_diagonal(ptr %A, ptr noalias %B) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.013 = phi i64 [ 0, %entry ], [ %inc11, %for.inc10 ]
  %.idx = mul nuw nsw i64 %i.013, 800
  %0 = getelementptr inbounds i8, ptr %B, i64 %.idx
  br label %for.body4

for.body4:
  %j.012 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %if.end ]
  %cmp5 = icmp eq i64 %i.013, %j.012
  br i1 %cmp5, label %if.then, label %if.end

if.then:
  %arrayidx6 = getelementptr inbounds [100 x double], ptr %A, i64 %i.013, i64 %j.012
  store double 1.000000e+00, ptr %arrayidx6, align 8
  br label %if.end

if.end:
  %arrayidx8 = getelementptr inbounds [100 x double], ptr %A, i64 %j.012, i64 %i.013
  %1 = load double, ptr %arrayidx8, align 8
  %arrayidx9 = getelementptr inbounds double, ptr %0, i64 %j.012
  store double %1, ptr %arrayidx9, align 8
  %inc = add nuw nsw i64 %j.012, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc10, label %for.body4

for.inc10:
  %inc11 = add nuw nsw i64 %i.013, 1
  %exitcond14.not = icmp eq i64 %inc11, 100
  br i1 %exitcond14.not, label %for.end12, label %for.cond1.preheader

for.end12:
  ret void
}

; Even iterations write, every iteration reads: the odd ones get values from before the loop.
;
;   void even(long *restrict A, long *restrict B) {
;     for (unsigned long i = 0; i < 100; i++) {
;       if (i % 2 == 0)
;         A[i] = i;
;       B[i] = A[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'even':
; CHECK-NEXT:scop "even: for.body => for.end"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0] -> S1[i0] : (i0) mod 2 = 0 and 0 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @even(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %if.end ]
  %rem = and i64 %i.08, 1
  %cmp1 = icmp eq i64 %rem, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.08
  store i64 %i.08, ptr %arrayidx, align 8
  br label %if.end

if.end:
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %i.08
  %0 = load i64, ptr %arrayidx2, align 8
  %arrayidx3 = getelementptr inbounds i64, ptr %B, i64 %i.08
  store i64 %0, ptr %arrayidx3, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
