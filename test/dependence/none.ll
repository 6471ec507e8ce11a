; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences;no-reductions>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; No dependence where no element is accessed twice.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.point = type { i64, i64 }

; Even elements are written, odd ones read.
;
;   void parity(long n, long *A) {
;     for (long i = 0; i < n; i++)
;       A[2 * i] = A[2 * i + 1];
;   }
;
; CHECK-LABEL:Dependences of function 'parity':
; CHECK-NEXT:scop "parity: for.body => for.end.loopexit"
; CHECK-NOT:{{.+}}
define void @parity(i64 %n, ptr %A) {
entry:
  %cmp5 = icmp sgt i64 %n, 0
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %mul = shl nuw nsw i64 %i.06, 1
  %add = or disjoint i64 %mul, 1
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %add
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %A, i64 %mul
  store i64 %0, ptr %arrayidx2, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Different arrays.
;
;   void copy(long n, long *restrict A, long *restrict B) {
;     for (long i = 0; i < n; i++)
;       A[i] = B[i];
;   }
;
; CHECK-LABEL:Dependences of function 'copy':
; CHECK-NEXT:scop "copy: for.body => for.end.loopexit"
; CHECK-NOT:{{.+}}
define void @copy(i64 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp4 = icmp sgt i64 %n, 0
  br i1 %cmp4, label %for.body, label %for.end

for.body:
  %i.05 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %B, i64 %i.05
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.05, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; What is read begins where what is written ends.
;
;   void ranges_apart(long *A) {
;     for (long i = 0; i < 100; i++)
;       A[i] = A[i + 100];
;   }
;
; CHECK-LABEL:Dependences of function 'ranges_apart':
; CHECK-NEXT:scop "ranges_apart: for.body => for.end"
; CHECK-NOT:{{.+}}
define void @ranges_apart(ptr %A) {
entry:
  %invariant.gep = getelementptr inbounds i8, ptr %A, i64 800
  br label %for.body

for.body:
  %i.05 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %gep = getelementptr inbounds i64, ptr %invariant.gep, i64 %i.05
  %0 = load i64, ptr %gep, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.05
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.05, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; The same with a parametric distance.
;
;   void parametric_ranges_apart(int n, long *A) {
;     for (long i = 0; i < n; i++)
;       A[i] = A[i + n];
;   }
;
; CHECK-LABEL:Dependences of function 'parametric_ranges_apart':
; CHECK-NEXT:scop "parametric_ranges_apart: for.body => for.end.loopexit"
; CHECK-NOT:{{.+}}
define void @parametric_ranges_apart(i32 %n, ptr %A) {
entry:
  %conv = sext i32 %n to i64
  %invariant.gep = getelementptr i64, ptr %A, i64 %conv
  %cmp6 = icmp sgt i32 %n, 0
  br i1 %cmp6, label %for.body, label %for.end

for.body:
  %i.07 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.07
  %0 = load i64, ptr %gep, align 8
  %arrayidx3 = getelementptr inbounds i64, ptr %A, i64 %i.07
  store i64 %0, ptr %arrayidx3, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, %conv
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; One row is read, another written.
;
;   void rows(long k, long n, double (*A)[100]) {
;     for (long j = 0; j < 100; j++)
;       A[2 * k][j] = A[2 * k + 1][j];
;   }
;
; CHECK-LABEL:Dependences of function 'rows':
; CHECK-NEXT:scop "rows: for.body => for.end"
; CHECK-NOT:{{.+}}
define void @rows(i64 %k, i64 %n, ptr %A) {
entry:
  %mul = shl nsw i64 %k, 1
  %add = or disjoint i64 %mul, 1
  br label %for.body

for.body:
  %j.06 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx1 = getelementptr inbounds [100 x double], ptr %A, i64 %add, i64 %j.06
  %0 = load double, ptr %arrayidx1, align 8
  %arrayidx4 = getelementptr inbounds [100 x double], ptr %A, i64 %mul, i64 %j.06
  store double %0, ptr %arrayidx4, align 8
  %inc = add nuw nsw i64 %j.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Elements above the diagonal are read, those below written.
;
;   void upper_to_lower(long n, double A[100][100]) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < i; j++)
;         A[i][j] = A[j][i];
;   }
;
; CHECK-LABEL:Dependences of function 'upper_to_lower':
; CHECK-NEXT:scop "upper_to_lower: for.cond1.preheader => for.end10"
; CHECK-NOT:{{.+}}
define void @upper_to_lower(i64 %n, ptr %A) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.011 = phi i64 [ 0, %entry ], [ %inc9, %for.inc8 ]
  %cmp29.not = icmp eq i64 %i.011, 0
  br i1 %cmp29.not, label %for.inc8, label %for.body4

for.body4:
  %j.010 = phi i64 [ %inc, %for.body4 ], [ 0, %for.cond1.preheader ]
  %arrayidx5 = getelementptr inbounds [100 x double], ptr %A, i64 %j.010, i64 %i.011
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %i.011, i64 %j.010
  store double %0, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.010, 1
  %exitcond.not = icmp eq i64 %inc, %i.011
  br i1 %exitcond.not, label %for.inc8, label %for.body4

for.inc8:
  %inc9 = add nuw nsw i64 %i.011, 1
  %exitcond12.not = icmp eq i64 %inc9, 100
  br i1 %exitcond12.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; 6i + 9j is divisible by three, 3k + 1 is not: the nests have nothing in common. The first has dependences with itself,
; 6 * 3 = 9 * 2 elements apart.
;
;   void divisible(long *A) {
;     for (long i = 0; i < 100; i++)
;       for (long j = 0; j < 100; j++)
;         A[6 * i + 9 * j] += 1;
;     for (long k = 0; k < 500; k++)
;       A[3 * k + 1] = 0;
;   }
;
; CHECK-LABEL:Dependences of function 'divisible':
; CHECK-NEXT:scop "divisible: for.cond1.preheader => for.end19"
; CHECK-NEXT:flow 0.1 -> 0.0: { S0[i0, i1] -> S0[3 + i0, -2 + i1] : 0 <= i0 <= 96 and 2 <= i1 <= 99 }
; CHECK-NEXT:output 0.1 -> 0.1: { S0[i0, i1] -> S0[3 + i0, -2 + i1] : 0 <= i0 <= 96 and 2 <= i1 <= 99 }
; CHECK-NOT:{{.+}}
define void @divisible(ptr %A) {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.010 = phi i64 [ 0, %entry ], [ %inc8, %for.inc7 ]
  %.idx8 = mul nuw nsw i64 %i.010, 48
  %0 = getelementptr inbounds i8, ptr %A, i64 %.idx8
  br label %for.body4

for.cond10.preheader:
  %invariant.gep = getelementptr inbounds i8, ptr %A, i64 8
  br label %for.body13

for.body4:
  %j.09 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %arrayidx.idx = mul nuw nsw i64 %j.09, 72
  %arrayidx = getelementptr inbounds i8, ptr %0, i64 %arrayidx.idx
  %1 = load i64, ptr %arrayidx, align 8
  %add6 = add nsw i64 %1, 1
  store i64 %add6, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.09, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.inc7, label %for.body4

for.inc7:
  %inc8 = add nuw nsw i64 %i.010, 1
  %exitcond12.not = icmp eq i64 %inc8, 100
  br i1 %exitcond12.not, label %for.cond10.preheader, label %for.cond1.preheader

for.body13:
  %k.011 = phi i64 [ 0, %for.cond10.preheader ], [ %inc18, %for.body13 ]
  %.idx = mul nuw nsw i64 %k.011, 24
  %gep = getelementptr inbounds i8, ptr %invariant.gep, i64 %.idx
  store i64 0, ptr %gep, align 8
  %inc18 = add nuw nsw i64 %k.011, 1
  %exitcond13.not = icmp eq i64 %inc18, 500
  br i1 %exitcond13.not, label %for.end19, label %for.body13

for.end19:
  ret void
}

; Fields of a structure: the elements differ.
;
;   void fields(long n, struct point { long x, y; } *A) {
;     for (long i = 1; i < n; i++)
;       A[i].x = A[i - 1].y;
;   }
;
; CHECK-LABEL:Dependences of function 'fields':
; CHECK-NEXT:scop "fields: for.body => for.end.loopexit"
; CHECK-NOT:{{.+}}
define void @fields(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp5 = icmp sgt i64 %n, 1
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 1, %entry ]
  %gep = getelementptr %struct.point, ptr %invariant.gep, i64 %i.06
  %0 = load i64, ptr %gep, align 8
  %arrayidx1 = getelementptr inbounds %struct.point, ptr %A, i64 %i.06
  store i64 %0, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
