; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Blocks of memory that are filled or copied by one call, and accesses of different sizes to one array.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void cleared_rows(int n, double A[restrict n][n], double *restrict x) {
;     for (int i = 0; i < n; i++) {
;       for (int j = 0; j < n; j++)
;         A[i][j] = 0;
;       for (int k = 0; k < n; k++)
;         for (int j = 0; j < n; j++)
;           A[i][j] += x[k] * x[j];
;     }
;   }
;   void copied_part(int n, int m, double A[restrict 40][40], double *restrict x) {
;     for (int i = 0; i < n; i++) {
;       for (int j = 0; j < m; j++)
;         A[i][j + 1] = x[j];
;       x[i] += A[i][i];
;     }
;   }
;   void cleared_matrix(int n, double A[restrict 30][30]) {
;     for (int i = 0; i < 30; i++)
;       for (int j = 0; j < 30; j++)
;         A[i][j] = 0;
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < 30; j++)
;         A[i][j] += i * j;
;   }
;   void bytes(int n, int *restrict A, char *restrict B) {
;     for (int i = 0; i < n; i++) {
;       __builtin_memset(A + i, B[i], 4);
;       A[i] += i;
;     }
;   }
;   void half_an_element(int n, int *restrict A) {
;     for (int i = 0; i < n; i++) {
;       __builtin_memset((char *)(A + i) + 1, 0, 2);
;       A[i] += i;
;     }
;   }
;   struct particle {
;     double position;
;     int kind;
;     short charge;
;   };
;   void mixed(int n, struct particle *restrict P, double *restrict A) {
;     for (int i = 0; i < n; i++) {
;       P[i].position += A[i];
;       P[i].kind += 1;
;       P[i].charge = P[i].kind;
;     }
;   }
;   void halves(int n, long *restrict A) {
;     for (int i = 0; i < n; i++) {
;       A[i] += i;
;       ((int *)A)[i] = 7;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.particle = type { double, i32, i16 }

; CHECK-LABEL: SCoPs of function 'cleared_rows':
; CHECK-NEXT: scop "cleared_rows: for.cond10.preheader.lr.ph => for.end29.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*][{{[[]}}n] -> { [(n)] }]
; CHECK-NEXT:   array double x[*]
; CHECK-NEXT:   scalar double s0 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0, o1] : 0 <= o1 < n } of invariant at affine, invariant, invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0, i1] -> x[i1] }
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> s0[] } of %0
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0, i1, i2] : 0 <= i0 < n and 0 <= i1 < n and 0 <= i2 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 1, i2, 0]
; CHECK-NEXT:     %0 = read [n] -> { S2[i0, i1, i2] -> s0[] }
; CHECK-NEXT:     %1 = read [n] -> { S2[i0, i1, i2] -> x[i2] }
; CHECK-NEXT:     %2 = read [n] -> { S2[i0, i1, i2] -> A[i0, i2] }
; CHECK-NEXT:     %3 = llvm.fmuladd.f64 %0, %1, %2
; CHECK-NEXT:     write [n] -> { S2[i0, i1, i2] -> A[i0, i2] } of %3
define void @cleared_rows(i32 %n, ptr noalias %A, ptr noalias readonly %x) {
entry:
  %0 = zext i32 %n to i64
  %cmp53 = icmp sgt i32 %n, 0
  br i1 %cmp53, label %for.cond1.preheader.lr.ph, label %for.end29

for.cond1.preheader.lr.ph:
  %1 = shl nuw nsw i64 %0, 3
  br label %for.cond10.preheader.lr.ph

for.cond10.preheader.lr.ph:
  %indvar = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvar.next, %for.inc27 ]
  %2 = mul i64 %1, %indvar
  %scevgep = getelementptr i8, ptr %A, i64 %2
  tail call void @llvm.memset.p0.i64(ptr align 8 %scevgep, i8 0, i64 %1, i1 false)
  %3 = mul nuw nsw i64 %indvar, %0
  %arrayidx18 = getelementptr inbounds double, ptr %A, i64 %3
  br label %for.cond10.preheader

for.cond10.preheader:
  %indvars.iv57 = phi i64 [ 0, %for.cond10.preheader.lr.ph ], [ %indvars.iv.next58, %for.inc24 ]
  %arrayidx14 = getelementptr inbounds double, ptr %x, i64 %indvars.iv57
  %4 = load double, ptr %arrayidx14, align 8
  br label %for.body12

for.body12:
  %indvars.iv = phi i64 [ 0, %for.cond10.preheader ], [ %indvars.iv.next, %for.body12 ]
  %arrayidx16 = getelementptr inbounds double, ptr %x, i64 %indvars.iv
  %5 = load double, ptr %arrayidx16, align 8
  %arrayidx20 = getelementptr inbounds double, ptr %arrayidx18, i64 %indvars.iv
  %6 = load double, ptr %arrayidx20, align 8
  %7 = tail call double @llvm.fmuladd.f64(double %4, double %5, double %6)
  store double %7, ptr %arrayidx20, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.inc24, label %for.body12

for.inc24:
  %indvars.iv.next58 = add nuw nsw i64 %indvars.iv57, 1
  %exitcond61.not = icmp eq i64 %indvars.iv.next58, %0
  br i1 %exitcond61.not, label %for.inc27, label %for.cond10.preheader

for.inc27:
  %indvar.next = add nuw nsw i64 %indvar, 1
  %exitcond64.not = icmp eq i64 %indvar.next, %0
  br i1 %exitcond64.not, label %for.end29, label %for.cond10.preheader.lr.ph

for.end29:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double) #1

; CHECK-LABEL: SCoPs of function 'copied_part':
; CHECK-NEXT: scop "copied_part: for.cond1.preheader => for.end17.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n, m] -> { : m <= 39 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   assume in-bounds: [n, m] -> { : n <= 40 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{[[]}}n, m] -> { [(40)] }]
; CHECK-NEXT:   array double x[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0] : m > 0 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0] -> x[o0] : 0 <= o0 < m }
; CHECK-NEXT:     write [n, m] -> { S0[i0] -> A[i0, o1] : 0 < o1 <= m } of %0 at affine, invariant, invariant, invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n, m] -> { S1[i0] -> A[i0, i0] }
; CHECK-NEXT:     %1 = read [n, m] -> { S1[i0] -> x[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, m] -> { S1[i0] -> x[i0] } of %2
define void @copied_part(i32 %n, i32 %m, ptr noalias %A, ptr noalias %x) {
entry:
  %cmp30 = icmp sgt i32 %n, 0
  br i1 %cmp30, label %for.cond1.preheader.lr.ph, label %for.end17

for.cond1.preheader.lr.ph:
  %cmp228 = icmp sgt i32 %m, 0
  %0 = zext i32 %m to i64
  %1 = shl nuw nsw i64 %0, 3
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvar = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvar.next, %for.end ]
  br i1 %cmp228, label %for.body3.lr.ph, label %for.end

for.body3.lr.ph:
  %2 = mul nuw nsw i64 %indvar, 320
  %3 = or disjoint i64 %2, 8
  %scevgep = getelementptr i8, ptr %A, i64 %3
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %scevgep, ptr align 8 %x, i64 %1, i1 false)
  br label %for.end

for.end:
  %arrayidx11 = getelementptr inbounds [40 x double], ptr %A, i64 %indvar, i64 %indvar
  %4 = load double, ptr %arrayidx11, align 8
  %arrayidx13 = getelementptr inbounds double, ptr %x, i64 %indvar
  %5 = load double, ptr %arrayidx13, align 8
  %add14 = fadd double %4, %5
  store double %add14, ptr %arrayidx13, align 8
  %indvar.next = add nuw nsw i64 %indvar, 1
  %exitcond.not = icmp eq i64 %indvar.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end17, label %for.cond1.preheader

for.end17:
  ret void
}

; CHECK-LABEL: SCoPs of function 'cleared_matrix':
; CHECK-NEXT: scop "cleared_matrix: for.cond14.preheader => for.end26.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*][{{[[]}}n] -> { [(30)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 29 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = uitofp affine
; CHECK-NEXT:     %1 = read [n] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %1, %0
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %2
define void @cleared_matrix(i32 %n, ptr noalias %A) {
entry:
  tail call void @llvm.memset.p0.i64(ptr nonnull align 8 dereferenceable(7200) %A, i8 0, i64 7200, i1 false)
  %cmp1141 = icmp sgt i32 %n, 0
  br i1 %cmp1141, label %for.cond14.preheader.preheader, label %for.end26

for.cond14.preheader.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond14.preheader

for.cond14.preheader:
  %indvars.iv47 = phi i64 [ 0, %for.cond14.preheader.preheader ], [ %indvars.iv.next48, %for.inc24 ]
  br label %for.body16

for.body16:
  %indvars.iv = phi i64 [ 0, %for.cond14.preheader ], [ %indvars.iv.next, %for.body16 ]
  %0 = mul nuw nsw i64 %indvars.iv, %indvars.iv47
  %1 = trunc nuw i64 %0 to i32
  %conv = uitofp nneg i32 %1 to double
  %arrayidx20 = getelementptr inbounds [30 x double], ptr %A, i64 %indvars.iv47, i64 %indvars.iv
  %2 = load double, ptr %arrayidx20, align 8
  %add = fadd double %2, %conv
  store double %add, ptr %arrayidx20, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 30
  br i1 %exitcond.not, label %for.inc24, label %for.body16

for.inc24:
  %indvars.iv.next48 = add nuw nsw i64 %indvars.iv47, 1
  %exitcond50.not = icmp eq i64 %indvars.iv.next48, %wide.trip.count
  br i1 %exitcond50.not, label %for.end26, label %for.cond14.preheader

for.end26:
  ret void
}

; CHECK-LABEL: SCoPs of function 'bytes':
; CHECK-NEXT: scop "bytes: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i8 B[*]
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %1 = zext %0
; CHECK-NEXT:     %2 = shl %1, invariant
; CHECK-NEXT:     %3 = or %2, %1
; CHECK-NEXT:     %4 = shl %3, invariant
; CHECK-NEXT:     %5 = or %3, %4
; CHECK-NEXT:     %6 = add %5, affine
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %6
define void @bytes(i32 %n, ptr noalias writeonly %A, ptr noalias readonly %B) {
entry:
  %cmp9 = icmp sgt i32 %n, 0
  br i1 %cmp9, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %add.ptr = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %arrayidx = getelementptr inbounds i8, ptr %B, i64 %indvars.iv
  %0 = load i8, ptr %arrayidx, align 1
  %1 = zext i8 %0 to i32
  %2 = shl nuw nsw i32 %1, 8
  %3 = or disjoint i32 %2, %1
  %4 = shl nuw i32 %3, 16
  %5 = or disjoint i32 %3, %4
  %6 = trunc nuw nsw i64 %indvars.iv to i32
  %add = add nsw i32 %5, %6
  store i32 %add, ptr %add.ptr, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg) #2

; CHECK-LABEL: SCoPs of function 'half_an_element':
; CHECK-NEXT: scop "half_an_element: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array b16 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     may write [n] -> { S0[i0] -> A[o0] } of invariant at affine
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> A[o0] : 2i0 <= o0 <= 1 + 2i0 } at affine
; CHECK-NEXT:     %1 = add %0, affine
; CHECK-NEXT:     write [n] -> { S1[i0] -> A[o0] : 2i0 <= o0 <= 1 + 2i0 } of %1 at affine
define void @half_an_element(i32 %n, ptr noalias %A) {
entry:
  %cmp7 = icmp sgt i32 %n, 0
  br i1 %cmp7, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %add.ptr = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %add.ptr1 = getelementptr inbounds i8, ptr %add.ptr, i64 1
  store i16 0, ptr %add.ptr1, align 1
  %0 = load i32, ptr %add.ptr, align 4
  %1 = trunc nuw nsw i64 %indvars.iv to i32
  %add = add nsw i32 %0, %1
  store i32 %add, ptr %add.ptr, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'mixed':
; CHECK-NEXT: scop "mixed: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array b16 P[*][{{[[]}}n] -> { [(8)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0] -> P[i0, o1] : 0 <= o1 <= 3 } at affine
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S0[i0] -> P[i0, o1] : 0 <= o1 <= 3 } of %2 at affine
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> P[i0, o1] : 4 <= o1 <= 5 } at affine
; CHECK-NEXT:     %1 = add %0, invariant
; CHECK-NEXT:     write [n] -> { S1[i0] -> P[i0, o1] : 4 <= o1 <= 5 } of %1 at affine
; CHECK-NEXT:     %3 = trunc %1
; CHECK-NEXT:     write [n] -> { S1[i0] -> P[i0, 6] } of %3
define void @mixed(i32 %n, ptr noalias %P, ptr noalias readonly %A) {
entry:
  %cmp20 = icmp sgt i32 %n, 0
  br i1 %cmp20, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds %struct.particle, ptr %P, i64 %indvars.iv
  %1 = load double, ptr %arrayidx2, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx2, align 8
  %kind = getelementptr inbounds i8, ptr %arrayidx2, i64 8
  %2 = load i32, ptr %kind, align 8
  %add5 = add nsw i32 %2, 1
  store i32 %add5, ptr %kind, align 8
  %conv = trunc i32 %add5 to i16
  %charge = getelementptr inbounds i8, ptr %arrayidx2, i64 12
  store i16 %conv, ptr %charge, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'halves':
; CHECK-NEXT: scop "halves: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array b32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[o0] : 2i0 <= o0 <= 1 + 2i0 } at affine
; CHECK-NEXT:     %1 = add %0, affine
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[o0] : 2i0 <= o0 <= 1 + 2i0 } of %1 at affine
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     write [n] -> { S1[i0] -> A[i0] } of invariant
define void @halves(i32 %n, ptr noalias %A) {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %indvars.iv
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %0, %indvars.iv
  store i64 %add, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  store i32 7, ptr %arrayidx2, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #3

attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
