; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Subscripts that are not affine: the access may touch every element of its array, and its address is data.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void gather(int n, int m, double *restrict A, double *restrict B, int *restrict I) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < m; j++)
;         A[j] += B[I[i]];
;   }
;   void histogram(int n, int *restrict H, int *restrict I) {
;     for (int i = 0; i < n; i++)
;       H[I[i]]++;
;   }
;   void product(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         A[i] += B[i * j];
;   }
;   void row_of_a_table(int n, double (*restrict A)[40], int *restrict I) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < 40; j++)
;         A[i][j] += A[I[i]][j];
;   }
;   void may_overlap(int n, double *A, double *B, int *restrict I) {
;     for (int i = 0; i < n; i++)
;       A[I[i]] = B[i];
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'gather':
; CHECK-NEXT: scop "gather: for.cond1.preheader => for.end10.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   array i32 I[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   scalar double s0 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0] : m > 0 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0] -> I[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     %2 = getelementptr invariant, %1
; CHECK-NEXT:     %3 = read [n, m] -> { S0[i0] -> B[o0] } at %2
; CHECK-NEXT:     write [n, m] -> { S0[i0] -> s0[] } of %3
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S1[i0, i1] -> s0[] }
; CHECK-NEXT:     %1 = read [n, m] -> { S1[i0, i1] -> A[i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, m] -> { S1[i0, i1] -> A[i1] } of %2
define void @gather(i32 %n, i32 %m, ptr noalias %A, ptr noalias readonly %B, ptr noalias readonly %I) {
entry:
  %cmp17 = icmp sgt i32 %n, 0
  br i1 %cmp17, label %for.cond1.preheader.lr.ph, label %for.end10

for.cond1.preheader.lr.ph:
  %cmp215 = icmp sgt i32 %m, 0
  %wide.trip.count23 = zext nneg i32 %n to i64
  %wide.trip.count = zext nneg i32 %m to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv20 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next21, %for.inc8 ]
  br i1 %cmp215, label %for.body3.lr.ph, label %for.inc8

for.body3.lr.ph:
  %arrayidx = getelementptr inbounds i32, ptr %I, i64 %indvars.iv20
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom4 = sext i32 %0 to i64
  %arrayidx5 = getelementptr inbounds double, ptr %B, i64 %idxprom4
  %1 = load double, ptr %arrayidx5, align 8
  br label %for.body3

for.body3:
  %indvars.iv = phi i64 [ 0, %for.body3.lr.ph ], [ %indvars.iv.next, %for.body3 ]
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %2 = load double, ptr %arrayidx7, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx7, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.inc8, label %for.body3

for.inc8:
  %indvars.iv.next21 = add nuw nsw i64 %indvars.iv20, 1
  %exitcond24.not = icmp eq i64 %indvars.iv.next21, %wide.trip.count23
  br i1 %exitcond24.not, label %for.end10, label %for.cond1.preheader

for.end10:
  ret void
}

; CHECK-LABEL: SCoPs of function 'histogram':
; CHECK-NEXT: scop "histogram: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 I[*]
; CHECK-NEXT:   array i32 H[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> I[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     %2 = getelementptr invariant, %1
; CHECK-NEXT:     %3 = read [n] -> { S0[i0] -> H[o0] } at %2
; CHECK-NEXT:     %4 = add %3, invariant
; CHECK-NEXT:     may write [n] -> { S0[i0] -> H[o0] } of %4 at %2
define void @histogram(i32 %n, ptr noalias %H, ptr noalias readonly %I) {
entry:
  %cmp6 = icmp sgt i32 %n, 0
  br i1 %cmp6, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %I, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom1 = sext i32 %0 to i64
  %arrayidx2 = getelementptr inbounds i32, ptr %H, i64 %idxprom1
  %1 = load i32, ptr %arrayidx2, align 4
  %inc = add nsw i32 %1, 1
  store i32 %inc, ptr %arrayidx2, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'product':
; CHECK-NEXT: scop "product: for.body3.lr.ph => for.end8.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   scalar double add17_phi (phi)
; CHECK-NEXT:   scalar double add (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     write [n] -> { S0[i0] -> add17_phi[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0, i1] -> add17_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0, i1] -> B[o0] } at affine
; CHECK-NEXT:     %2 = fadd %1, %0
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> add[] } of %2
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> add17_phi[] } of %2
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     %0 = read [n] -> { S2[i0] -> add[] }
; CHECK-NEXT:     write [n] -> { S2[i0] -> A[i0] } of %0
define void @product(i32 %n, ptr noalias %A, ptr noalias readonly %B) {
entry:
  %cmp18 = icmp sgt i32 %n, 0
  br i1 %cmp18, label %for.cond1.preheader.lr.ph, label %for.end8

for.cond1.preheader.lr.ph:
  %wide.trip.count25 = zext nneg i32 %n to i64
  br label %for.body3.lr.ph

for.body3.lr.ph:
  %indvars.iv22 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next23, %for.inc6 ]
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %indvars.iv22
  %arrayidx5.promoted = load double, ptr %arrayidx5, align 8
  br label %for.body3

for.body3:
  %indvars.iv = phi i64 [ 0, %for.body3.lr.ph ], [ %indvars.iv.next, %for.body3 ]
  %add17 = phi double [ %arrayidx5.promoted, %for.body3.lr.ph ], [ %add, %for.body3 ]
  %0 = mul nuw nsw i64 %indvars.iv, %indvars.iv22
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %0
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, %add17
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count25
  br i1 %exitcond.not, label %for.inc6, label %for.body3

for.inc6:
  store double %add, ptr %arrayidx5, align 8
  %indvars.iv.next23 = add nuw nsw i64 %indvars.iv22, 1
  %exitcond26.not = icmp eq i64 %indvars.iv.next23, %wide.trip.count25
  br i1 %exitcond26.not, label %for.end8, label %for.body3.lr.ph

for.end8:
  ret void
}

; CHECK-LABEL: SCoPs of function 'row_of_a_table':
; CHECK-NEXT: scop "row_of_a_table: for.cond1.preheader => for.end14.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 I[*]
; CHECK-NEXT:   array double A[*][{{[[]}}n] -> { [(40)] }]
; CHECK-NEXT:   scalar i64 idxprom4 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> I[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     write [n] -> { S0[i0] -> idxprom4[] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 39 }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0, i1] -> idxprom4[] }
; CHECK-NEXT:     %1 = getelementptr invariant, %0, affine
; CHECK-NEXT:     %2 = read [n] -> { S1[i0, i1] -> A[o0, o1] : 0 <= o1 <= 39 } at %1
; CHECK-NEXT:     %3 = read [n] -> { S1[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %4 = fadd %2, %3
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> A[i0, i1] } of %4
define void @row_of_a_table(i32 %n, ptr noalias %A, ptr noalias readonly %I) {
entry:
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.cond1.preheader.preheader, label %for.end14

for.cond1.preheader.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv26 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next27, %for.inc12 ]
  %arrayidx = getelementptr inbounds i32, ptr %I, i64 %indvars.iv26
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom4 = sext i32 %0 to i64
  br label %for.body3

for.body3:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %for.body3 ]
  %arrayidx7 = getelementptr inbounds [40 x double], ptr %A, i64 %idxprom4, i64 %indvars.iv
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx11 = getelementptr inbounds [40 x double], ptr %A, i64 %indvars.iv26, i64 %indvars.iv
  %2 = load double, ptr %arrayidx11, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 40
  br i1 %exitcond.not, label %for.inc12, label %for.body3

for.inc12:
  %indvars.iv.next27 = add nuw nsw i64 %indvars.iv26, 1
  %exitcond29.not = icmp eq i64 %indvars.iv.next27, %wide.trip.count
  br i1 %exitcond29.not, label %for.end14, label %for.cond1.preheader

for.end14:
  ret void
}

; CHECK-LABEL: SCoPs of function 'may_overlap':
; CHECK-NEXT: scop "may_overlap: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array i32 I[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   may overlap: B, A
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0] -> I[i0] }
; CHECK-NEXT:     %2 = sext %1
; CHECK-NEXT:     %3 = getelementptr invariant, %2
; CHECK-NEXT:     may write [n] -> { S0[i0] -> A[o0] } of %0 at %3
define void @may_overlap(i32 %n, ptr writeonly %A, ptr readonly %B, ptr noalias readonly %I) {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds i32, ptr %I, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx2, align 4
  %idxprom3 = sext i32 %1 to i64
  %arrayidx4 = getelementptr inbounds double, ptr %A, i64 %idxprom3
  store double %0, ptr %arrayidx4, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
