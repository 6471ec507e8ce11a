; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Which accesses are to the same memory.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@H = external global [100 x double], align 16
@G = external global [100 x [100 x double]], align 16

; Arrays that a run-time check keeps apart have no dependences between them.
;
;   void checked(long n, long *A, long *B) {
;     for (long i = 0; i < n; i++)
;       A[i + 1] = B[i];
;   }
;
; CHECK-LABEL:Dependences of function 'checked':
; CHECK-NEXT:scop "checked: for.body => for.end.loopexit"
; CHECK-NOT:{{.+}}
define void @checked(i64 %n, ptr %A, ptr %B) {
entry:
  %cmp4 = icmp sgt i64 %n, 0
  br i1 %cmp4, label %for.body, label %for.end

for.body:
  %i.05 = phi i64 [ %add, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %B, i64 %i.05
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nuw nsw i64 %i.05, 1
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %add
  store i64 %0, ptr %arrayidx1, align 8
  %exitcond.not = icmp eq i64 %add, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Two names of one array.
;
;   void one_array(long n, long *A) {
;     long *B = A + 2;
;     for (long i = 0; i < n; i++)
;       B[i] = A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'one_array':
; CHECK-NEXT:scop "one_array: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.1 -> 0.0: [n] -> { S0[i0] -> S0[2 + i0] : 0 <= i0 <= -3 + n }
; CHECK-NOT:{{.+}}
define void @one_array(i64 %n, ptr %A) {
entry:
  %add.ptr = getelementptr inbounds i8, ptr %A, i64 16
  %cmp5 = icmp sgt i64 %n, 0
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.06
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %add.ptr, i64 %i.06
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Rows of a shape that is found in the subscripts.
;
;   void recovered(int n, int m, double *A) {
;     for (long i = 1; i < n; i++)
;       for (long j = 0; j < m; j++)
;         A[i * m + j] = A[(i - 1) * m + j];
;   }
;
; CHECK-LABEL:Dependences of function 'recovered':
; CHECK-NEXT:scop "recovered: for.cond2.preheader => for.end15.loopexit"
; CHECK-NEXT:flow 0.1 -> 0.0: [n, m] -> { S0[i0, i1] -> S0[1 + i0, i1] : n <= 2147483647 and m <= 2147483647 and 0 <= i0 <= -3 + n and 0 <= i1 < m }
; CHECK-NOT:{{.+}}
define void @recovered(i32 %n, i32 %m, ptr %A) {
entry:
  %conv = sext i32 %n to i64
  %conv3 = sext i32 %m to i64
  %cmp410 = icmp sgt i32 %m, 0
  %cmp12 = icmp sgt i32 %n, 1
  br i1 %cmp12, label %for.cond2.preheader, label %for.end15

for.cond2.preheader:
  %i.013 = phi i64 [ %inc14, %for.inc13 ], [ 1, %entry ]
  %sub = add nsw i64 %i.013, -1
  %mul = mul nsw i64 %sub, %conv3
  %0 = getelementptr double, ptr %A, i64 %mul
  %mul10 = mul nsw i64 %i.013, %conv3
  %1 = getelementptr double, ptr %A, i64 %mul10
  br i1 %cmp410, label %for.body7, label %for.inc13

for.body7:
  %j.011 = phi i64 [ %inc, %for.body7 ], [ 0, %for.cond2.preheader ]
  %arrayidx = getelementptr double, ptr %0, i64 %j.011
  %2 = load double, ptr %arrayidx, align 8
  %arrayidx12 = getelementptr double, ptr %1, i64 %j.011
  store double %2, ptr %arrayidx12, align 8
  %inc = add nuw nsw i64 %j.011, 1
  %exitcond.not = icmp eq i64 %inc, %conv3
  br i1 %exitcond.not, label %for.inc13, label %for.body7

for.inc13:
  %inc14 = add nuw nsw i64 %i.013, 1
  %exitcond14.not = icmp eq i64 %inc14, %conv
  br i1 %exitcond14.not, label %for.end15, label %for.cond2.preheader

for.end15:
  ret void
}

; Global arrays are different memory.
;
;   void global_arrays(void) {
;     for (long i = 0; i < 100; i++) {
;       H[i] = i;
;       for (long j = 0; j < 100; j++)
;         G[i][j] = H[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'global_arrays':
; CHECK-NEXT:scop "global_arrays: for.body => for.end11"
; CHECK-NOT:{{.+}}
define void @global_arrays() {
entry:
  br label %for.body

for.body:
  %i.09 = phi i64 [ 0, %entry ], [ %inc10, %for.inc9 ]
  %conv = uitofp nneg i64 %i.09 to double
  %arrayidx = getelementptr inbounds [100 x double], ptr @H, i64 0, i64 %i.09
  store double %conv, ptr %arrayidx, align 8
  br label %for.body5

for.body5:
  %j.08 = phi i64 [ 0, %for.body ], [ %inc, %for.body5 ]
  %arrayidx8 = getelementptr inbounds [100 x [100 x double]], ptr @G, i64 0, i64 %i.09, i64 %j.08
  store double %conv, ptr %arrayidx8, align 8
  %inc = add nuw nsw i64 %j.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc9, label %for.body5

for.inc9:
  %inc10 = add nuw nsw i64 %i.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 100
  br i1 %exitcond10.not, label %for.end11, label %for.body

for.end11:
  ret void
}

; The halves of a complex number.
;
;   void complex_steps(long n, double _Complex *A) {
;     for (long i = 1; i < n; i++)
;       A[i] = A[i] + A[i - 1];
;   }
;
; CHECK-LABEL:Dependences of function 'complex_steps':
; CHECK-NEXT:scop "complex_steps: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.4 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -3 + n }
; CHECK-NEXT:flow 0.5 -> 0.3: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -3 + n }
; CHECK-NOT:{{.+}}
define void @complex_steps(i64 %n, ptr %A) {
entry:
  %cmp7 = icmp sgt i64 %n, 1
  br i1 %cmp7, label %for.body, label %for.end

for.body:
  %i.08 = phi i64 [ %inc, %for.body ], [ 1, %entry ]
  %arrayidx = getelementptr inbounds { double, double }, ptr %A, i64 %i.08
  %arrayidx.real = load double, ptr %arrayidx, align 8
  %arrayidx.imagp = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %arrayidx.imag = load double, ptr %arrayidx.imagp, align 8
  %0 = getelementptr { double, double }, ptr %A, i64 %i.08
  %arrayidx1 = getelementptr i8, ptr %0, i64 -16
  %arrayidx1.real = load double, ptr %arrayidx1, align 8
  %arrayidx1.imagp = getelementptr i8, ptr %0, i64 -8
  %arrayidx1.imag = load double, ptr %arrayidx1.imagp, align 8
  %add.r = fadd double %arrayidx.real, %arrayidx1.real
  %add.i = fadd double %arrayidx.imag, %arrayidx1.imag
  store double %add.r, ptr %arrayidx, align 8
  store double %add.i, ptr %arrayidx.imagp, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A pointer that is moved along, and the array it began in.
;
;   void moved(double *A) {
;     double *p = A;
;     for (long i = 0; i < 100; i++) {
;       p++;
;       *p = A[i] + 1;
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'moved':
; CHECK-NEXT:scop "moved: for.body => for.end"
; CHECK-NEXT:flow 0.1 -> 0.0: { S0[i0] -> S0[1 + i0] : 0 <= i0 <= 98 }
; CHECK-NOT:{{.+}}
define void @moved(ptr %A) {
entry:
  br label %for.body

for.body:
  %i.06 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %p.05 = phi ptr [ %A, %entry ], [ %incdec.ptr, %for.body ]
  %incdec.ptr = getelementptr inbounds i8, ptr %p.05, i64 8
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.06
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %incdec.ptr, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
