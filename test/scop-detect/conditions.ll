; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Affine conditions.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void both(int n, int k, double A[restrict][256]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         if (i + j < k && i > j)
;           A[i][j] *= 2;
;   }
;   void either(int n, int k, double A[restrict][256]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         if (i + j < k || i > j)
;           A[i][j] *= 2;
;   }
;   void remainder_is(int n, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       if (i % 3 == 1)
;         A[i] *= 2;
;   }
;   void two_sides(int n, int k, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       if (i < k)
;         A[i] += 1;
;       else
;         B[i] = A[i - 1] * 3;
;       B[i] += 1;
;     }
;   }
;   void range_test(int n, unsigned k, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       if ((unsigned)(i - 10) < k)
;         A[i] += 1;
;   }
;   void cases(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       switch (i) {
;       case 3: A[i] += 1; break;
;       case 5:
;       case 7: B[i] *= 2; break;
;       default: A[i] *= B[i]; break;
;       }
;   }
;   void parameter_only(int n, _Bool flag, int k, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         if (flag != (k > 3))
;           A[i] += j;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'both':
; CHECK-NEXT: scop "both: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   context: [n, k] -> { : 0 < n <= 2147483647 and -2147483648 <= k <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n, k] -> { : n <= 257 or (n >= 258 and k <= 513) } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}256{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, k] -> { S0[i0, i1] : i0 < n and 0 <= i1 < i0 and i1 < k - i0 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, k] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n, k] -> { S0[i0, i1] -> A[i0, i1] } of %1
define void @both(i32 %n, i32 %k, ptr noalias %A) #0 {
entry:
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %0 = sext i32 %k to i64
  %wide.trip.count30 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:
  %indvars.iv27 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next28, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next28 = add nuw nsw i64 %indvars.iv27, 1
  %exitcond31.not = icmp eq i64 %indvars.iv.next28, %wide.trip.count30
  br i1 %exitcond31.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %1 = add nuw nsw i64 %indvars.iv, %indvars.iv27
  %cmp5 = icmp slt i64 %1, %0
  %cmp6 = icmp ugt i64 %indvars.iv27, %indvars.iv
  %or.cond = and i1 %cmp6, %cmp5
  br i1 %or.cond, label %if.then, label %for.inc

if.then:
  %arrayidx8 = getelementptr inbounds [256 x double], ptr %A, i64 %indvars.iv27, i64 %indvars.iv
  %2 = load double, ptr %arrayidx8, align 8
  %mul = fmul double %2, 2.000000e+00
  store double %mul, ptr %arrayidx8, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count30
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'either':
; CHECK-NEXT: scop "either: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   context: [n, k] -> { : 0 < n <= 2147483647 and -2147483648 <= k <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n, k] -> { : n <= 256 or (n = 257 and k <= 256) } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}256{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, k] -> { S0[i0, i1] : (i0 < n and 0 <= i1 < i0) or (0 <= i0 < n and 0 <= i1 < k - i0 and i1 < n) }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, k] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n, k] -> { S0[i0, i1] -> A[i0, i1] } of %1
define void @either(i32 %n, i32 %k, ptr noalias %A) #0 {
entry:
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %0 = sext i32 %k to i64
  %wide.trip.count30 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:
  %indvars.iv27 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next28, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next28 = add nuw nsw i64 %indvars.iv27, 1
  %exitcond31.not = icmp eq i64 %indvars.iv.next28, %wide.trip.count30
  br i1 %exitcond31.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %1 = add nuw nsw i64 %indvars.iv, %indvars.iv27
  %cmp5 = icmp slt i64 %1, %0
  %cmp6 = icmp ugt i64 %indvars.iv27, %indvars.iv
  %or.cond = or i1 %cmp6, %cmp5
  br i1 %or.cond, label %if.then, label %for.inc

if.then:
  %arrayidx8 = getelementptr inbounds [256 x double], ptr %A, i64 %indvars.iv27, i64 %indvars.iv
  %2 = load double, ptr %arrayidx8, align 8
  %mul = fmul double %2, 2.000000e+00
  store double %mul, ptr %arrayidx8, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count30
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'remainder_is':
; CHECK-NEXT: scop "remainder_is: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : (i0) mod 3 = 1 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
define void @remainder_is(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp5 = icmp sgt i32 %n, 0
  br i1 %cmp5, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  %rem = urem i32 %0, 3
  %cmp1 = icmp eq i32 %rem, 1
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %mul = fmul double %1, 2.000000e+00
  store double %mul, ptr %arrayidx, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'two_sides':
; CHECK-NEXT: scop "two_sides: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   context: [n, k] -> { : 0 < n <= 2147483647 and -2147483648 <= k <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   scalar double s0 (phi)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, k] -> { S0[i0] : k <= i0 < n and i0 >= 0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, k] -> { S0[i0] -> A[-1 + i0] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n, k] -> { S0[i0] -> s0[] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, k] -> { S1[i0] : 0 <= i0 < k and i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n, k] -> { S1[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, k] -> { S1[i0] -> A[i0] } of %1
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n, k] -> { S2[i0] : 0 <= i0 < k and i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     %0 = read [n, k] -> { S2[i0] -> B[i0] }
; CHECK-NEXT:     write [n, k] -> { S2[i0] -> s0[] } of %0
; CHECK-NEXT:   statement S3
; CHECK-NEXT:     domain: [n, k] -> { S3[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 3]
; CHECK-NEXT:     %0 = read [n, k] -> { S3[i0] -> s0[] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, k] -> { S3[i0] -> B[i0] } of %1
define void @two_sides(i32 %n, i32 %k, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp17 = icmp sgt i32 %n, 0
  br i1 %cmp17, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = sext i32 %k to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end ]
  %cmp1 = icmp slt i64 %indvars.iv, %0
  br i1 %cmp1, label %if.then, label %if.else

if.then:
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %arrayidx7.phi.trans.insert = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %.pre = load double, ptr %arrayidx7.phi.trans.insert, align 8
  br label %if.end

if.else:
  %gep = getelementptr double, ptr %invariant.gep, i64 %indvars.iv
  %2 = load double, ptr %gep, align 8
  %mul = fmul double %2, 3.000000e+00
  br label %if.end

if.end:
  %3 = phi double [ %mul, %if.else ], [ %.pre, %if.then ]
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %add8 = fadd double %3, 1.000000e+00
  store double %add8, ptr %arrayidx7, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'range_test':
; CHECK-NEXT: scop "range_test: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter k: i32 unsigned
; CHECK-NEXT:   context: [n, k] -> { : 0 < n <= 2147483647 and 0 <= k <= 4294967295 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, k] -> { S0[i0] : (10 <= i0 < n and i0 <= 9 + k) or (0 <= i0 <= -4294967287 + k and i0 < n) }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, k] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, k] -> { S0[i0] -> A[i0] } of %1
define void @range_test(i32 %n, i32 %k, ptr noalias %A) #0 {
entry:
  %cmp5 = icmp sgt i32 %n, 0
  br i1 %cmp5, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %0 = trunc i64 %indvars.iv to i32
  %1 = add i32 %0, -10
  %cmp1 = icmp ult i32 %1, %k
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %2 = load double, ptr %arrayidx, align 8
  %add = fadd double %2, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'cases':
; CHECK-NEXT: scop "cases: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0 = 5] : n >= 6; S0[i0 = 7] : n >= 8 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> B[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0 = 3] : n >= 4 }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S1[i0] -> A[i0] } of %1
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0] : 0 <= i0 < n and i0 <= 2; S2[i0 = 4] : n >= 5; S2[i0 = 6] : n >= 7; S2[i0] : 8 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     %0 = read [n] -> { S2[i0] -> B[i0] }
; CHECK-NEXT:     %1 = read [n] -> { S2[i0] -> A[i0] }
; CHECK-NEXT:     %2 = fmul %0, %1
; CHECK-NEXT:     write [n] -> { S2[i0] -> A[i0] } of %2
define void @cases(i32 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp17 = icmp sgt i32 %n, 0
  br i1 %cmp17, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  switch i32 %0, label %sw.default [
    i32 3, label %sw.bb
    i32 5, label %sw.bb1
    i32 7, label %sw.bb1
  ]

sw.bb:
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  br label %for.inc

sw.bb1:
  %arrayidx3 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %2 = load double, ptr %arrayidx3, align 8
  %mul = fmul double %2, 2.000000e+00
  store double %mul, ptr %arrayidx3, align 8
  br label %for.inc

sw.default:
  %arrayidx5 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %3 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %4 = load double, ptr %arrayidx7, align 8
  %mul8 = fmul double %3, %4
  store double %mul8, ptr %arrayidx7, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'parameter_only':
; CHECK-NEXT: scop "parameter_only: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter flag: i1 unsigned
; CHECK-NEXT:   parameter p0: i1 unsigned
; CHECK-NEXT:   context: [n, flag, p0] -> { : 0 < n <= 2147483647 and 0 <= flag <= 1 and 0 <= p0 <= 1 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, flag, p0] -> { S0[i0, i1] : (flag + p0) mod 2 = 0 and 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = uitofp affine
; CHECK-NEXT:     %1 = read [n, flag, p0] -> { S0[i0, i1] -> A[i0] }
; CHECK-NEXT:     %2 = fadd %1, %0
; CHECK-NEXT:     write [n, flag, p0] -> { S0[i0, i1] -> A[i0] } of %2
define void @parameter_only(i32 %n, i1 zeroext %flag, i32 %k, ptr noalias %A) #0 {
entry:
  %cmp20 = icmp sgt i32 %n, 0
  br i1 %cmp20, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %0 = icmp slt i32 %k, 4
  %cmp7.not = xor i1 %0, %flag
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond23.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond23.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %j.019 = phi i32 [ 0, %for.body4.lr.ph ], [ %inc, %for.inc ]
  br i1 %cmp7.not, label %for.inc, label %if.then

if.then:
  %conv9 = uitofp nneg i32 %j.019 to double
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, %conv9
  store double %add, ptr %arrayidx, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i32 %j.019, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
