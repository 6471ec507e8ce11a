; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Anti and output dependences: an element is not overwritten before it has been read, nor before it has been written.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Each element is overwritten one iteration after it was read.
;
;   void shift_down(long *A) {
;     for (long i = 0; i < 100; i++)
;       A[i] = A[i + 1];
;   }
;
; CHECK-LABEL:Dependences of function 'shift_down':
; CHECK-NEXT:scop "shift_down: for.body => for.end"
; CHECK-NEXT:anti 0.0 -> 0.1: { S0[i0] -> S0[1 + i0] : 0 <= i0 <= 98 }
; CHECK-NOT:{{.+}}
define void @shift_down(ptr %A) {
entry:
  br label %for.body

for.body:
  %i.05 = phi i64 [ 0, %entry ], [ %add, %for.body ]
  %add = add nuw nsw i64 %i.05, 1
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %add
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %0, ptr %arrayidx1, align 8
  %exitcond.not = icmp eq i64 %add, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Reading and writing the same element in one instance is no dependence.
;
;   void update(long *A) {
;     for (long i = 0; i < 100; i++)
;       A[i] = A[i] + 1;
;   }
;
; CHECK-LABEL:Dependences of function 'update':
; CHECK-NEXT:scop "update: for.body => for.end"
; CHECK-NOT:{{.+}}
define void @update(ptr %A) {
entry:
  br label %for.body

for.body:
  %i.05 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.05
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %0, 1
  store i64 %add, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.05, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Each iteration overwrites what the one before wrote.
;
;   void overwritten(long n, long *A) {
;     for (long i = 0; i < n; i++)
;       for (long j = 0; j < n; j++)
;         A[j] = i;
;   }
;
; CHECK-LABEL:Dependences of function 'overwritten':
; CHECK-NEXT:scop "overwritten: for.cond1.preheader => for.end7.loopexit"
; CHECK-NEXT:output 0.0 -> 0.0: [n] -> { S0[i0, i1] -> S0[1 + i0, i1] : 0 <= i0 <= -2 + n and 0 <= i1 < n }
; CHECK-NOT:{{.+}}
define void @overwritten(i64 %n, ptr %A) {
entry:
  %cmp26 = icmp sgt i64 %n, 0
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %for.cond1.preheader, label %for.end7

for.cond1.preheader:
  %i.09 = phi i64 [ %inc6, %for.inc5 ], [ 0, %entry ]
  br i1 %cmp26, label %for.body4, label %for.inc5

for.body4:
  %j.07 = phi i64 [ %inc, %for.body4 ], [ 0, %for.cond1.preheader ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %j.07
  store i64 %i.09, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.07, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.inc5, label %for.body4

for.inc5:
  %inc6 = add nuw nsw i64 %i.09, 1
  %exitcond10.not = icmp eq i64 %inc6, %n
  br i1 %exitcond10.not, label %for.end7, label %for.cond1.preheader

for.end7:
  ret void
}

; Both reads happen before the next write, which hides the last one from them.
;
;   void read_then_written(long *restrict A, long *restrict B, long *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i];
;     for (long i = 0; i < 100; i++)
;       C[i] = A[99 - i];
;     for (long i = 0; i < 100; i++)
;       A[i] = 0;
;     for (long i = 0; i < 100; i++)
;       A[i] = B[i] + C[i];
;   }
;
; CHECK-LABEL:Dependences of function 'read_then_written':
; CHECK-NEXT:scop "read_then_written: for.body => for.end31"
; CHECK-NEXT:flow 0.1 -> 3.0: { S0[i0] -> S3[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:flow 1.1 -> 3.1: { S1[i0] -> S3[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:anti 0.0 -> 2.0: { S0[i0] -> S2[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:anti 1.0 -> 2.0: { S1[i0] -> S2[99 - i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 2.0 -> 3.2: { S2[i0] -> S3[i0] : 0 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @read_then_written(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.018 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.018
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %B, i64 %i.018
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.018, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.019 = phi i64 [ %inc10, %for.body6 ], [ 0, %for.body ]
  %sub = sub nuw nsw i64 99, %i2.019
  %arrayidx7 = getelementptr inbounds i64, ptr %A, i64 %sub
  %1 = load i64, ptr %arrayidx7, align 8
  %arrayidx8 = getelementptr inbounds i64, ptr %C, i64 %i2.019
  store i64 %1, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.019, 1
  %exitcond22.not = icmp eq i64 %inc10, 100
  br i1 %exitcond22.not, label %for.body16, label %for.body6

for.body16:
  %i12.020 = phi i64 [ %inc19, %for.body16 ], [ 0, %for.body6 ]
  %arrayidx17 = getelementptr inbounds i64, ptr %A, i64 %i12.020
  store i64 0, ptr %arrayidx17, align 8
  %inc19 = add nuw nsw i64 %i12.020, 1
  %exitcond23.not = icmp eq i64 %inc19, 100
  br i1 %exitcond23.not, label %for.body25, label %for.body16

for.body25:
  %i21.021 = phi i64 [ %inc30, %for.body25 ], [ 0, %for.body16 ]
  %arrayidx26 = getelementptr inbounds i64, ptr %B, i64 %i21.021
  %2 = load i64, ptr %arrayidx26, align 8
  %arrayidx27 = getelementptr inbounds i64, ptr %C, i64 %i21.021
  %3 = load i64, ptr %arrayidx27, align 8
  %add = add nsw i64 %2, %3
  %arrayidx28 = getelementptr inbounds i64, ptr %A, i64 %i21.021
  store i64 %add, ptr %arrayidx28, align 8
  %inc30 = add nuw nsw i64 %i21.021, 1
  %exitcond24.not = icmp eq i64 %inc30, 100
  br i1 %exitcond24.not, label %for.end31, label %for.body25

for.end31:
  ret void
}

; The mirror image in place: the first half is read before, the second half after it was overwritten.
;
;   void mirror(long *A) {
;     for (long i = 0; i < 100; i++)
;       A[i] = A[99 - i];
;   }
;
; CHECK-LABEL:Dependences of function 'mirror':
; CHECK-NEXT:scop "mirror: for.body => for.end"
; CHECK-NEXT:flow 0.1 -> 0.0: { S0[i0] -> S0[99 - i0] : 0 <= i0 <= 49 }
; CHECK-NEXT:anti 0.0 -> 0.1: { S0[i0] -> S0[99 - i0] : 0 <= i0 <= 49 }
; CHECK-NOT:{{.+}}
define void @mirror(ptr %A) {
entry:
  br label %for.body

for.body:
  %i.05 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %sub = sub nuw nsw i64 99, %i.05
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %sub
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.05, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Gauss-Seidel: of the two neighbours one is new and one is old.
;
;   void seidel(long n, double *A) {
;     for (long t = 0; t < n; t++)
;       for (long i = 1; i < 99; i++)
;         A[i] = A[i - 1] + A[i + 1];
;   }
;
; CHECK-LABEL:Dependences of function 'seidel':
; CHECK-NEXT:scop "seidel: for.cond1.preheader => for.end10.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.0: [n] -> { S0[i0, i1] -> S0[i0, 1 + i1] : 0 <= i0 < n and 0 <= i1 <= 96 }
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0, i1] -> S0[1 + i0, -1 + i1] : 0 <= i0 <= -2 + n and 0 < i1 <= 97 }
; CHECK-NEXT:anti 0.0 -> 0.2: [n] -> { S0[i0, i1] -> S0[1 + i0, -1 + i1] : 0 <= i0 <= -2 + n and 0 < i1 <= 97 }
; CHECK-NEXT:anti 0.1 -> 0.2: [n] -> { S0[i0, i1] -> S0[i0, 1 + i1] : 0 <= i0 < n and 0 <= i1 <= 96 }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0, i1] -> S0[1 + i0, i1] : 0 <= i0 <= -2 + n and 0 <= i1 <= 97 }
; CHECK-NOT:{{.+}}
define void @seidel(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp9 = icmp sgt i64 %n, 0
  br i1 %cmp9, label %for.cond1.preheader, label %for.end10

for.cond1.preheader:
  %t.010 = phi i64 [ %inc9, %for.inc8 ], [ 0, %entry ]
  br label %for.body4

for.body4:
  %i.08 = phi i64 [ 1, %for.cond1.preheader ], [ %add, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.08
  %0 = load double, ptr %gep, align 8
  %add = add nuw nsw i64 %i.08, 1
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %add
  %1 = load double, ptr %arrayidx5, align 8
  %add6 = fadd double %0, %1
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %i.08
  store double %add6, ptr %arrayidx7, align 8
  %exitcond.not = icmp eq i64 %add, 99
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %t.010, 1
  %exitcond11.not = icmp eq i64 %inc9, %n
  br i1 %exitcond11.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; Jacobi with two arrays: both copies are written and read in turn.
;
;   void jacobi(long n, double *restrict A, double *restrict B) {
;     for (long t = 0; t < n; t++) {
;       for (long i = 1; i < 99; i++)
;         B[i] = A[i - 1] + A[i + 1];
;       for (long i = 1; i < 99; i++)
;         A[i] = B[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'jacobi':
; CHECK-NEXT:scop "jacobi: for.cond1.preheader => for.end20.loopexit"
; CHECK-NEXT:flow 1.1 -> 0.0: [n] -> { S1[i0, i1] -> S0[1 + i0, 1 + i1] : 0 <= i0 <= -2 + n and 0 <= i1 <= 96 }
; CHECK-NEXT:flow 1.1 -> 0.1: [n] -> { S1[i0, i1] -> S0[1 + i0, -1 + i1] : 0 <= i0 <= -2 + n and 0 < i1 <= 97 }
; CHECK-NEXT:flow 0.2 -> 1.0: [n] -> { S0[i0, i1] -> S1[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 97 }
; CHECK-NEXT:anti 0.0 -> 1.1: [n] -> { S0[i0, i1] -> S1[i0, -1 + i1] : 0 <= i0 < n and 0 < i1 <= 97 }
; CHECK-NEXT:anti 0.1 -> 1.1: [n] -> { S0[i0, i1] -> S1[i0, 1 + i1] : 0 <= i0 < n and 0 <= i1 <= 96 }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0, i1] -> S0[1 + i0, i1] : 0 <= i0 <= -2 + n and 0 <= i1 <= 97 }
; CHECK-NEXT:anti 1.0 -> 0.2: [n] -> { S1[i0, i1] -> S0[1 + i0, i1] : 0 <= i0 <= -2 + n and 0 <= i1 <= 97 }
; CHECK-NEXT:output 1.1 -> 1.1: [n] -> { S1[i0, i1] -> S1[1 + i0, i1] : 0 <= i0 <= -2 + n and 0 <= i1 <= 97 }
; CHECK-NOT:{{.+}}
define void @jacobi(i64 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp14 = icmp sgt i64 %n, 0
  br i1 %cmp14, label %for.cond1.preheader, label %for.end20

for.cond1.preheader:
  %t.015 = phi i64 [ %inc19, %for.inc18 ], [ 0, %entry ]
  br label %for.body4

for.body4:
  %i.012 = phi i64 [ 1, %for.cond1.preheader ], [ %add, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.012
  %0 = load double, ptr %gep, align 8
  %add = add nuw nsw i64 %i.012, 1
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %add
  %1 = load double, ptr %arrayidx5, align 8
  %add6 = fadd double %0, %1
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %i.012
  store double %add6, ptr %arrayidx7, align 8
  %exitcond.not = icmp eq i64 %add, 99
  br i1 %exitcond.not, label %for.body12, label %for.body4

for.body12:
  %i8.013 = phi i64 [ %inc16, %for.body12 ], [ 1, %for.body4 ]
  %arrayidx13 = getelementptr inbounds double, ptr %B, i64 %i8.013
  %2 = load double, ptr %arrayidx13, align 8
  %arrayidx14 = getelementptr inbounds double, ptr %A, i64 %i8.013
  store double %2, ptr %arrayidx14, align 8
  %inc16 = add nuw nsw i64 %i8.013, 1
  %exitcond16.not = icmp eq i64 %inc16, 99
  br i1 %exitcond16.not, label %for.inc18, label %for.body12

for.inc18:
  %inc19 = add nuw nsw i64 %t.015, 1
  %exitcond17.not = icmp eq i64 %inc19, %n
  br i1 %exitcond17.not, label %for.end20, label %for.cond1.preheader

for.end20:
  ret void
}
