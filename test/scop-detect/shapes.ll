; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Array shapes recovered from subscripts, with what must be checked for them.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void vla(int n, int m, double A[restrict n][m], double B[restrict m][n]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < m; j++)
;         A[i][j] = B[j][i];
;   }
;   void vla_three(int n, int m, int k, float A[restrict n][m][k]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < m; j++)
;         for (int l = 0; l < k; l++)
;           A[i][j][l] *= 2;
;   }
;   void linear_int(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         A[i * n + j] = B[j * n + i];
;   }
;   void linear_long(long n, double *restrict A, double *restrict B) {
;     for (long i = 0; i < n; i++)
;       for (long j = 0; j < n; j++)
;         A[i * n + j] = B[j * n + i];
;   }
;   void linear_size(unsigned long n, double *restrict A, double *restrict B) {
;     for (unsigned long i = 0; i < n; i++)
;       for (unsigned long j = 0; j < n; j++)
;         A[i * n + j] = B[j * n + i];
;   }
;   void linear_three(int n, int m, int k, float *restrict A) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < m; j++)
;         for (int l = 0; l < k; l++)
;           A[(i * m + j) * k + l] *= 2;
;   }
;   void leading_dimension(int n, int lda, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         A[i * lda + j] += 1;
;   }
;   void rows_of_100(int n, double (*A)[100], double (*B)[100]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < 100; j++)
;         A[i][j] = B[j][i];
;   }
;   void halo(int n, double A[restrict n + 2][n + 2], double B[restrict n + 2][n + 2]) {
;     for (int i = 1; i <= n; i++)
;       for (int j = 1; j <= n; j++)
;         A[i][j] = B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1];
;   }
;   void last_row_and_diagonal(int n, double A[restrict n][n]) {
;     for (int i = 0; i < n; i++) {
;       A[n - 1][i] += 1;
;       A[i][n - 1 - i] += A[i][i];
;     }
;   }
;   void steps_are_no_dimension(int n, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[16 * i] = A[i] + 1;
;   }
;   void same_base(int n, double *restrict A) {
;     double *p = A + 3;
;     double *q = A + n;
;     for (int i = 0; i < n; i++)
;       p[i] = q[i] * 2;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'vla':
; CHECK-NEXT: scop "vla: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   array double B[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   array double A[*][{{.*}}m{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     write [n, m] -> { S0[i0, i1] -> A[i0, i1] } of %0
define void @vla(i32 %n, i32 %m, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %0 = zext i32 %m to i64
  %1 = zext i32 %n to i64
  %cmp26 = icmp sgt i32 %n, 0
  br i1 %cmp26, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %cmp224 = icmp sgt i32 %m, 0
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv29 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next30, %for.cond.cleanup3 ]
  br i1 %cmp224, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:
  %invariant.gep = getelementptr inbounds double, ptr %B, i64 %indvars.iv29
  %2 = mul nuw nsw i64 %indvars.iv29, %0
  %arrayidx8 = getelementptr inbounds double, ptr %A, i64 %2
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next30 = add nuw nsw i64 %indvars.iv29, 1
  %exitcond33.not = icmp eq i64 %indvars.iv.next30, %1
  br i1 %exitcond33.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.body4 ]
  %3 = mul nuw nsw i64 %indvars.iv, %1
  %gep = getelementptr inbounds double, ptr %invariant.gep, i64 %3
  %4 = load double, ptr %gep, align 8
  %arrayidx10 = getelementptr inbounds double, ptr %arrayidx8, i64 %indvars.iv
  store double %4, ptr %arrayidx10, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'vla_three':
; CHECK-NEXT: scop "vla_three: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   context: [n, m, k] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 and -2147483648 <= k <= 2147483647 }
; CHECK-NEXT:   array float A[*][{{.*}}m{{.*}}][{{.*}}k{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m, k] -> { S0[i0, i1, i2] : 0 <= i0 < n and 0 <= i1 < m and 0 <= i2 < k }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [n, m, k] -> { S0[i0, i1, i2] -> A[i0, i1, i2] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n, m, k] -> { S0[i0, i1, i2] -> A[i0, i1, i2] } of %1
define void @vla_three(i32 %n, i32 %m, i32 %k, ptr noalias %A) #0 {
entry:
  %0 = zext i32 %k to i64
  %cmp32 = icmp sgt i32 %n, 0
  br i1 %cmp32, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %1 = zext i32 %m to i64
  %cmp230 = icmp sgt i32 %m, 0
  %cmp628 = icmp sgt i32 %k, 0
  %2 = mul nuw i64 %0, %1
  %wide.trip.count43 = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv40 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next41, %for.cond.cleanup3 ]
  br i1 %cmp230, label %for.cond5.preheader.lr.ph, label %for.cond.cleanup3

for.cond5.preheader.lr.ph:
  %3 = mul nuw nsw i64 %2, %indvars.iv40
  %arrayidx = getelementptr inbounds float, ptr %A, i64 %3
  br label %for.cond5.preheader

for.cond.cleanup:
  ret void

for.cond5.preheader:
  %indvars.iv35 = phi i64 [ 0, %for.cond5.preheader.lr.ph ], [ %indvars.iv.next36, %for.cond.cleanup7 ]
  br i1 %cmp628, label %for.body8.lr.ph, label %for.cond.cleanup7

for.body8.lr.ph:
  %4 = mul nuw nsw i64 %indvars.iv35, %0
  %arrayidx10 = getelementptr inbounds float, ptr %arrayidx, i64 %4
  br label %for.body8

for.cond.cleanup3:
  %indvars.iv.next41 = add nuw nsw i64 %indvars.iv40, 1
  %exitcond44.not = icmp eq i64 %indvars.iv.next41, %wide.trip.count43
  br i1 %exitcond44.not, label %for.cond.cleanup, label %for.cond1.preheader

for.cond.cleanup7:
  %indvars.iv.next36 = add nuw nsw i64 %indvars.iv35, 1
  %exitcond39.not = icmp eq i64 %indvars.iv.next36, %1
  br i1 %exitcond39.not, label %for.cond.cleanup3, label %for.cond5.preheader

for.body8:
  %indvars.iv = phi i64 [ 0, %for.body8.lr.ph ], [ %indvars.iv.next, %for.body8 ]
  %arrayidx12 = getelementptr inbounds float, ptr %arrayidx10, i64 %indvars.iv
  %5 = load float, ptr %arrayidx12, align 4
  %mul = fmul float %5, 2.000000e+00
  store float %mul, ptr %arrayidx12, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8
}

; CHECK-LABEL: SCoPs of function 'linear_int':
; CHECK-NEXT: scop "linear_int: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double B[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   array double A[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %0
define void @linear_int(i32 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %0 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:
  %indvars.iv29 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next30, %for.cond.cleanup3 ]
  %1 = mul nuw nsw i64 %indvars.iv29, %0
  %invariant.gep = getelementptr inbounds double, ptr %B, i64 %indvars.iv29
  %invariant.gep35 = getelementptr inbounds double, ptr %A, i64 %1
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next30 = add nuw nsw i64 %indvars.iv29, 1
  %exitcond34.not = icmp eq i64 %indvars.iv.next30, %0
  br i1 %exitcond34.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.body4 ]
  %2 = mul nuw nsw i64 %indvars.iv, %0
  %gep = getelementptr inbounds double, ptr %invariant.gep, i64 %2
  %3 = load double, ptr %gep, align 8
  %gep36 = getelementptr inbounds double, ptr %invariant.gep35, i64 %indvars.iv
  store double %3, ptr %gep36, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'linear_long':
; CHECK-NEXT: scop "linear_long: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   context: [n] -> { : n > 0 }
; CHECK-NEXT:   assume range: [n] -> { : -134217728 <= n <= 134217728 } because n is small enough for subscripts of 'B'
; CHECK-NEXT:   array double B[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   array double A[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %0
define void @linear_long(i64 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp22 = icmp sgt i64 %n, 0
  br i1 %cmp22, label %for.body4.lr.ph, label %for.cond.cleanup

for.body4.lr.ph:
  %i.023 = phi i64 [ %inc9, %for.cond.cleanup3 ], [ 0, %entry ]
  %invariant.gep = getelementptr double, ptr %B, i64 %i.023
  %mul5 = mul nuw nsw i64 %i.023, %n
  %0 = getelementptr double, ptr %A, i64 %mul5
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %inc9 = add nuw nsw i64 %i.023, 1
  %exitcond24.not = icmp eq i64 %inc9, %n
  br i1 %exitcond24.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %j.021 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %mul = mul nuw nsw i64 %j.021, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %mul
  %1 = load double, ptr %gep, align 8
  %arrayidx7 = getelementptr double, ptr %0, i64 %j.021
  store double %1, ptr %arrayidx7, align 8
  %inc = add nuw nsw i64 %j.021, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'linear_size':
; CHECK-NEXT: scop "linear_size: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   context: [n] -> { : }
; CHECK-NEXT:   assume non-negative: [n] -> { : n > 0 } because the number of iterations is not negative
; CHECK-NEXT:   assume range: [n] -> { : -134217728 <= n <= 134217728 } because n is small enough for subscripts of 'B'
; CHECK-NEXT:   array double B[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   array double A[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %0
define void @linear_size(i64 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp21.not = icmp eq i64 %n, 0
  br i1 %cmp21.not, label %for.cond.cleanup, label %for.cond1.preheader

for.cond1.preheader:
  %i.022 = phi i64 [ %inc9, %for.cond.cleanup3 ], [ 0, %entry ]
  %invariant.gep = getelementptr double, ptr %B, i64 %i.022
  %mul5 = mul i64 %i.022, %n
  %0 = getelementptr double, ptr %A, i64 %mul5
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %inc9 = add nuw i64 %i.022, 1
  %exitcond23.not = icmp eq i64 %inc9, %n
  br i1 %exitcond23.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %j.020 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %mul = mul i64 %j.020, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %mul
  %1 = load double, ptr %gep, align 8
  %arrayidx7 = getelementptr double, ptr %0, i64 %j.020
  store double %1, ptr %arrayidx7, align 8
  %inc = add nuw i64 %j.020, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'linear_three':
; CHECK-NEXT: scop "linear_three: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   context: [n, m, k] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 and -2147483648 <= k <= 2147483647 }
; CHECK-NEXT:   array float A[*][{{.*}}m{{.*}}][{{.*}}k{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m, k] -> { S0[i0, i1, i2] : 0 <= i0 < n and 0 <= i1 < m and 0 <= i2 < k }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read [n, m, k] -> { S0[i0, i1, i2] -> A[i0, i1, i2] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n, m, k] -> { S0[i0, i1, i2] -> A[i0, i1, i2] } of %1
define void @linear_three(i32 %n, i32 %m, i32 %k, ptr noalias %A) #0 {
entry:
  %cmp30 = icmp sgt i32 %n, 0
  br i1 %cmp30, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %cmp228 = icmp sgt i32 %m, 0
  %cmp626 = icmp sgt i32 %k, 0
  %0 = zext i32 %k to i64
  %1 = zext i32 %m to i64
  %wide.trip.count45 = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv41 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next42, %for.cond.cleanup3 ]
  br i1 %cmp228, label %for.cond5.preheader.lr.ph, label %for.cond.cleanup3

for.cond5.preheader.lr.ph:
  %2 = mul nuw nsw i64 %indvars.iv41, %1
  br label %for.cond5.preheader

for.cond.cleanup:
  ret void

for.cond5.preheader:
  %indvars.iv34 = phi i64 [ 0, %for.cond5.preheader.lr.ph ], [ %indvars.iv.next35, %for.cond.cleanup7 ]
  br i1 %cmp626, label %for.body8.lr.ph, label %for.cond.cleanup7

for.body8.lr.ph:
  %3 = add nuw nsw i64 %indvars.iv34, %2
  %4 = mul nuw nsw i64 %3, %0
  %invariant.gep = getelementptr inbounds float, ptr %A, i64 %4
  br label %for.body8

for.cond.cleanup3:
  %indvars.iv.next42 = add nuw nsw i64 %indvars.iv41, 1
  %exitcond46.not = icmp eq i64 %indvars.iv.next42, %wide.trip.count45
  br i1 %exitcond46.not, label %for.cond.cleanup, label %for.cond1.preheader

for.cond.cleanup7:
  %indvars.iv.next35 = add nuw nsw i64 %indvars.iv34, 1
  %exitcond40.not = icmp eq i64 %indvars.iv.next35, %1
  br i1 %exitcond40.not, label %for.cond.cleanup3, label %for.cond5.preheader

for.body8:
  %indvars.iv = phi i64 [ 0, %for.body8.lr.ph ], [ %indvars.iv.next, %for.body8 ]
  %gep = getelementptr inbounds float, ptr %invariant.gep, i64 %indvars.iv
  %5 = load float, ptr %gep, align 4
  %mul11 = fmul float %5, 2.000000e+00
  store float %mul11, ptr %gep, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8
}

; CHECK-LABEL: SCoPs of function 'leading_dimension':
; CHECK-NEXT: scop "leading_dimension: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter lda: i32 signed
; CHECK-NEXT:   context: [n, lda] -> { : 0 < n <= 2147483647 and -2147483648 <= lda <= 2147483647 }
; CHECK-NEXT:   assume range: [n, lda] -> { : -268435456 <= lda <= 268435456 } because lda is small enough for subscripts of 'A'
; CHECK-NEXT:   assume range: [n, lda] -> { : -134217728 <= n <= 134217728 } because n is small enough for subscripts of 'A'
; CHECK-NEXT:   assume in-bounds: [n, lda] -> { : lda >= n } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}lda{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, lda] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, lda] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, lda] -> { S0[i0, i1] -> A[i0, i1] } of %1
define void @leading_dimension(i32 %n, i32 %lda, ptr noalias %A) #0 {
entry:
  %cmp16 = icmp sgt i32 %n, 0
  br i1 %cmp16, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %0 = sext i32 %lda to i64
  %wide.trip.count24 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:
  %indvars.iv20 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next21, %for.cond.cleanup3 ]
  %1 = mul nsw i64 %indvars.iv20, %0
  %invariant.gep = getelementptr double, ptr %A, i64 %1
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next21 = add nuw nsw i64 %indvars.iv20, 1
  %exitcond25.not = icmp eq i64 %indvars.iv.next21, %wide.trip.count24
  br i1 %exitcond25.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %indvars.iv
  %2 = load double, ptr %gep, align 8
  %add5 = fadd double %2, 1.000000e+00
  store double %add5, ptr %gep, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count24
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'rows_of_100':
; CHECK-NEXT: scop "rows_of_100: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 100 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*][{{.*}}100{{.*}}]
; CHECK-NEXT:   array double A[*][{{.*}}100{{.*}}]
; CHECK-NEXT:   may alias: B, A
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 99 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %0
define void @rows_of_100(i32 %n, ptr %A, ptr %B) #0 {
entry:
  %cmp21 = icmp sgt i32 %n, 0
  br i1 %cmp21, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv24 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next25, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next25 = add nuw nsw i64 %indvars.iv24, 1
  %exitcond27.not = icmp eq i64 %indvars.iv.next25, %wide.trip.count
  br i1 %exitcond27.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [100 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv24
  %0 = load double, ptr %arrayidx6, align 8
  %arrayidx10 = getelementptr inbounds [100 x double], ptr %A, i64 %indvars.iv24, i64 %indvars.iv
  store double %0, ptr %arrayidx10, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 100
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'halo':
; CHECK-NEXT: scop "halo: for.body7.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume range: [n] -> { : -67108864 <= n <= 67108864 } because n is small enough for subscripts of 'B'
; CHECK-NEXT:   array double B[*][{{.*}}2 + n{{.*}}]
; CHECK-NEXT:   array double A[*][{{.*}}2 + n{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> B[i0, 1 + i1] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0, i1] -> B[2 + i0, 1 + i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     %3 = read [n] -> { S0[i0, i1] -> B[1 + i0, i1] }
; CHECK-NEXT:     %4 = fadd %2, %3
; CHECK-NEXT:     %5 = read [n] -> { S0[i0, i1] -> B[1 + i0, 2 + i1] }
; CHECK-NEXT:     %6 = fadd %4, %5
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[1 + i0, 1 + i1] } of %6
define void @halo(i32 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %add = add nsw i32 %n, 2
  %0 = zext i32 %add to i64
  %cmp.not57 = icmp slt i32 %n, 1
  br i1 %cmp.not57, label %for.cond.cleanup, label %for.cond4.preheader.lr.ph

for.cond4.preheader.lr.ph:
  %1 = add nuw i32 %n, 1
  %wide.trip.count65 = zext i32 %1 to i64
  br label %for.body7.lr.ph

for.body7.lr.ph:
  %indvars.iv60 = phi i64 [ 1, %for.cond4.preheader.lr.ph ], [ %4, %for.cond.cleanup6 ]
  %2 = add nsw i64 %indvars.iv60, -1
  %3 = mul nuw nsw i64 %2, %0
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %3
  %4 = add nuw nsw i64 %indvars.iv60, 1
  %5 = mul nuw nsw i64 %4, %0
  %arrayidx12 = getelementptr inbounds double, ptr %B, i64 %5
  %6 = mul nuw nsw i64 %indvars.iv60, %0
  %arrayidx17 = getelementptr inbounds double, ptr %B, i64 %6
  %invariant.gep = getelementptr i8, ptr %arrayidx17, i64 -8
  %arrayidx29 = getelementptr inbounds double, ptr %A, i64 %6
  br label %for.body7

for.cond.cleanup:
  ret void

for.cond.cleanup6:
  %exitcond66.not = icmp eq i64 %4, %wide.trip.count65
  br i1 %exitcond66.not, label %for.cond.cleanup, label %for.body7.lr.ph

for.body7:
  %indvars.iv = phi i64 [ 1, %for.body7.lr.ph ], [ %indvars.iv.next, %for.body7 ]
  %arrayidx9 = getelementptr inbounds double, ptr %arrayidx, i64 %indvars.iv
  %7 = load double, ptr %arrayidx9, align 8
  %arrayidx14 = getelementptr inbounds double, ptr %arrayidx12, i64 %indvars.iv
  %8 = load double, ptr %arrayidx14, align 8
  %add15 = fadd double %7, %8
  %gep = getelementptr double, ptr %invariant.gep, i64 %indvars.iv
  %9 = load double, ptr %gep, align 8
  %add21 = fadd double %add15, %9
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %arrayidx26 = getelementptr inbounds double, ptr %arrayidx17, i64 %indvars.iv.next
  %10 = load double, ptr %arrayidx26, align 8
  %add27 = fadd double %add21, %10
  %arrayidx31 = getelementptr inbounds double, ptr %arrayidx29, i64 %indvars.iv
  store double %add27, ptr %arrayidx31, align 8
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count65
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7
}

; CHECK-LABEL: SCoPs of function 'last_row_and_diagonal':
; CHECK-NEXT: scop "last_row_and_diagonal: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[-1 + n, i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[-1 + n, i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> A[i0, i0] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0] -> A[i0, -1 + n - i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S1[i0] -> A[i0, -1 + n - i0] } of %2
define void @last_row_and_diagonal(i32 %n, ptr noalias %A) #0 {
entry:
  %0 = zext i32 %n to i64
  %cmp26 = icmp sgt i32 %n, 0
  br i1 %cmp26, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %sub = add nsw i32 %n, -1
  %idxprom = zext nneg i32 %sub to i64
  %1 = mul nuw nsw i64 %idxprom, %0
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %1
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx2 = getelementptr inbounds double, ptr %arrayidx, i64 %indvars.iv
  %2 = load double, ptr %arrayidx2, align 8
  %add = fadd double %2, 1.000000e+00
  store double %add, ptr %arrayidx2, align 8
  %3 = mul nuw nsw i64 %indvars.iv, %0
  %arrayidx4 = getelementptr inbounds double, ptr %A, i64 %3
  %arrayidx6 = getelementptr inbounds double, ptr %arrayidx4, i64 %indvars.iv
  %4 = load double, ptr %arrayidx6, align 8
  %5 = sub nsw i64 %idxprom, %indvars.iv
  %arrayidx12 = getelementptr inbounds double, ptr %arrayidx4, i64 %5
  %6 = load double, ptr %arrayidx12, align 8
  %add13 = fadd double %4, %6
  store double %add13, ptr %arrayidx12, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'steps_are_no_dimension':
; CHECK-NEXT: scop "steps_are_no_dimension: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[16i0] } of %1
define void @steps_are_no_dimension(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp7 = icmp sgt i32 %n, 0
  br i1 %cmp7, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  %arrayidx2.idx = shl nsw i64 %indvars.iv, 7
  %arrayidx2 = getelementptr inbounds i8, ptr %A, i64 %arrayidx2.idx
  store double %add, ptr %arrayidx2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'same_base':
; CHECK-NEXT: scop "same_base: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[n + i0] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[3 + i0] } of %1
define void @same_base(i32 %n, ptr noalias %A) #0 {
entry:
  %add.ptr = getelementptr inbounds i8, ptr %A, i64 24
  %idx.ext = sext i32 %n to i64
  %add.ptr1 = getelementptr inbounds double, ptr %A, i64 %idx.ext
  %cmp9 = icmp sgt i32 %n, 0
  br i1 %cmp9, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %add.ptr1, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  %arrayidx3 = getelementptr inbounds double, ptr %add.ptr, i64 %indvars.iv
  store double %mul, ptr %arrayidx3, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
