; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Dependences between the instances that exist: triangles, parametric bounds, strides, remainders.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The rows of a triangle: each reads the one above, which has one element less: the last one read in a row has no source.
;
;   void triangle(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 0; j <= i; j++)
;         A[i][j] = A[i - 1][j];
;   }
;
; CHECK-LABEL:Dependences of function 'triangle':
; CHECK-NEXT:scop "triangle: for.cond1.preheader => for.end10"
; CHECK-NEXT:flow 0.1 -> 0.0: { S0[i0, i1] -> S0[1 + i0, i1] : 0 <= i0 <= 97 and 0 <= i1 <= 1 + i0 }
; CHECK-NOT:{{.+}}
define void @triangle(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv = phi i64 [ 2, %entry ], [ %indvars.iv.next, %for.inc8 ]
  %i.010 = phi i64 [ 1, %entry ], [ %inc9, %for.inc8 ]
  br label %for.body4

for.body4:
  %j.09 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.010, i64 %j.09
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %i.010, i64 %j.09
  store double %0, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.09, 1
  %exitcond.not = icmp eq i64 %inc, %indvars.iv
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %i.010, 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond11.not = icmp eq i64 %indvars.iv.next, 101
  br i1 %exitcond11.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; Two loops of different length: the shorter one has the dependences.
;
;   void prefix(int n, int m, int k, long *restrict A, long *restrict B) {
;     if (k > 0) {
;       for (long i = 0; i < n; i++)
;         A[i] = i;
;       for (long i = 0; i < m; i++)
;         B[i] = A[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'prefix':
; CHECK-NEXT:scop "prefix: for.cond.preheader.branch => if.end"
; CHECK-NEXT:flow 0.0 -> 1.0: [n, m] -> { S0[i0] -> S1[i0] : n <= 2147483647 and m <= 2147483647 and 0 <= i0 < m and i0 < n }
; CHECK-NOT:{{.+}}
define void @prefix(i32 %n, i32 %m, i32 %k, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp = icmp sgt i32 %k, 0
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %conv = sext i32 %n to i64
  %cmp18 = icmp sgt i32 %n, 0
  br i1 %cmp18, label %for.body, label %for.cond4.preheader

for.cond4.preheader:
  %conv5 = sext i32 %m to i64
  %cmp610 = icmp sgt i32 %m, 0
  br i1 %cmp610, label %for.body9, label %if.end

for.body:
  %i.09 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.09
  store i64 %i.09, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc, %conv
  br i1 %exitcond.not, label %for.cond4.preheader, label %for.body

for.body9:
  %i3.011 = phi i64 [ %inc13, %for.body9 ], [ 0, %for.cond4.preheader ]
  %arrayidx10 = getelementptr inbounds i64, ptr %A, i64 %i3.011
  %0 = load i64, ptr %arrayidx10, align 8
  %arrayidx11 = getelementptr inbounds i64, ptr %B, i64 %i3.011
  store i64 %0, ptr %arrayidx11, align 8
  %inc13 = add nuw nsw i64 %i3.011, 1
  %exitcond12.not = icmp eq i64 %inc13, %conv5
  br i1 %exitcond12.not, label %if.end, label %for.body9

if.end:
  ret void
}

; The distance is a parameter: there is a dependence only where it is shorter than the loop.
;
;   void parametric_distance(int n, int k, long *A) {
;     if (k > 0)
;       for (long i = 0; i < n; i++)
;         A[i + k] = A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'parametric_distance':
; CHECK-NEXT:scop "parametric_distance: for.body => if.end.loopexit"
; CHECK-NEXT:flow 0.1 -> 0.0: [n, k] -> { S0[i0] -> S0[k + i0] : n <= 2147483647 and k > 0 and 0 <= i0 < n - k }
; CHECK-NOT:{{.+}}
define void @parametric_distance(i32 %n, i32 %k, ptr %A) {
entry:
  %cmp = icmp sgt i32 %k, 0
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %conv = sext i32 %n to i64
  %conv3 = zext nneg i32 %k to i64
  %invariant.gep = getelementptr inbounds i64, ptr %A, i64 %conv3
  %cmp16 = icmp sgt i32 %n, 0
  br i1 %cmp16, label %for.body, label %if.end

for.body:
  %i.07 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.07
  %0 = load i64, ptr %arrayidx, align 8
  %gep = getelementptr inbounds i64, ptr %invariant.gep, i64 %i.07
  store i64 %0, ptr %gep, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, %conv
  br i1 %exitcond.not, label %if.end, label %for.body

if.end:
  ret void
}

; Every third element is written and, four iterations of the loop later, read.
;
;   void strided(long *A) {
;     for (long i = 12; i < 300; i += 3)
;       A[i] = A[i - 12];
;   }
;
; CHECK-LABEL:Dependences of function 'strided':
; CHECK-NEXT:scop "strided: for.body => for.end"
; CHECK-NEXT:flow 0.1 -> 0.0: { S0[i0] -> S0[4 + i0] : 0 <= i0 <= 91 }
; CHECK-NOT:{{.+}}
define void @strided(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -96
  br label %for.body

for.body:
  %i.05 = phi i64 [ 12, %entry ], [ %add, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.05
  %0 = load i64, ptr %gep, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %0, ptr %arrayidx1, align 8
  %add = add nuw nsw i64 %i.05, 3
  %cmp = icmp ult i64 %i.05, 297
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

; The second loop runs backwards.
;
;   void backwards(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++)
;       A[i] = i;
;     for (long i = 99; i >= 0; i--)
;       B[99 - i] = A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'backwards':
; CHECK-NEXT:scop "backwards: for.body => for.end9"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0] -> S1[99 - i0] : 0 <= i0 <= 99 }
; CHECK-NOT:{{.+}}
define void @backwards(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.08
  store i64 %i.08, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body5, label %for.body

for.body5:
  %i1.09 = phi i64 [ %dec, %for.body5 ], [ 99, %for.body ]
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %i1.09
  %0 = load i64, ptr %arrayidx6, align 8
  %sub = sub nuw nsw i64 99, %i1.09
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %sub
  store i64 %0, ptr %arrayidx7, align 8
  %dec = add nsw i64 %i1.09, -1
  %cmp3.not = icmp eq i64 %i1.09, 0
  br i1 %cmp3.not, label %for.end9, label %for.body5

for.end9:
  ret void
}

; Each element of A is the source of two reads.
;
;   void halves(long *restrict A, long *restrict B) {
;     for (long i = 0; i < 50; i++)
;       A[i] = i;
;     for (unsigned long i = 0; i < 100; i++)
;       B[i] = A[i / 2];
;   }
;
; CHECK-LABEL:Dependences of function 'halves':
; CHECK-NEXT:scop "halves: for.body => for.end10"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0] -> S1[o0] : 2i0 <= o0 <= 1 + 2i0 and 0 <= o0 <= 99 }
; CHECK-NOT:{{.+}}
define void @halves(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.09 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.09
  store i64 %i.09, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc, 50
  br i1 %exitcond.not, label %for.body5, label %for.body

for.body5:
  %i1.010 = phi i64 [ %inc9, %for.body5 ], [ 0, %for.body ]
  %div8 = lshr i64 %i1.010, 1
  %arrayidx6 = getelementptr inbounds i64, ptr %A, i64 %div8
  %0 = load i64, ptr %arrayidx6, align 8
  %arrayidx7 = getelementptr inbounds i64, ptr %B, i64 %i1.010
  store i64 %0, ptr %arrayidx7, align 8
  %inc9 = add nuw nsw i64 %i1.010, 1
  %exitcond11.not = icmp eq i64 %inc9, 100
  br i1 %exitcond11.not, label %for.end10, label %for.body5

for.end10:
  ret void
}

; Eight elements in turn: each is written five iterations before it is read, and overwritten three iterations after.
;
;   void ring(long *restrict A, long *restrict B) {
;     for (unsigned long i = 0; i < 100; i++) {
;       A[i % 8] = i;
;       B[i] = A[(i + 3) % 8];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'ring':
; CHECK-NEXT:scop "ring: for.body => for.end"
; CHECK-NEXT:flow 0.0 -> 1.0: { S0[i0] -> S1[5 + i0] : 0 <= i0 <= 94 }
; CHECK-NEXT:output 0.0 -> 0.0: { S0[i0] -> S0[8 + i0] : 0 <= i0 <= 91 }
; CHECK-NEXT:anti 1.0 -> 0.0: { S1[i0] -> S0[3 + i0] : 0 <= i0 <= 96 }
; CHECK-NOT:{{.+}}
define void @ring(ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.07 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %rem = and i64 %i.07, 7
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %rem
  store i64 %i.07, ptr %arrayidx, align 8
  %add = add nuw nsw i64 %i.07, 3
  %rem1 = and i64 %add, 7
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %rem1
  %0 = load i64, ptr %arrayidx2, align 8
  %arrayidx3 = getelementptr inbounds i64, ptr %B, i64 %i.07
  store i64 %0, ptr %arrayidx3, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
