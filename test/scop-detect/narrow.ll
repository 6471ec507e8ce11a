; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Counters of 8 and 16 bits against wider bounds.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   #include <stdint.h>
;   void byte_counter(int n, double *restrict A) {
;     for (uint8_t i = 0; i < n; i++)
;       A[i] += 1;
;   }
;   void short_counter(int n, double *restrict A) {
;     for (uint16_t i = 3; i <= n; i += 2)
;       A[i] += 1;
;   }
;   void signed_byte(long n, long m, double *restrict A) {
;     for (int8_t i = -5; i < n; i++)
;       for (uint8_t j = 0; j != m; j++)
;         A[20 * i + j] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'byte_counter':
; CHECK-NEXT: scop "byte_counter: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume finite-loop: [n] -> { : n <= 255 } because the counter of the loop reaches its bound
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
define void @byte_counter(i32 %n, ptr noalias %A) {
entry:
  %cmp4 = icmp sgt i32 %n, 0
  br i1 %cmp4, label %for.body, label %for.end

for.body:
  %i.05 = phi i8 [ %inc, %for.body ], [ 0, %entry ]
  %idxprom = zext i8 %i.05 to i64
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %idxprom
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %inc = add i8 %i.05, 1
  %conv = zext i8 %inc to i32
  %cmp = icmp ult i32 %conv, %n
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'short_counter':
; CHECK-NEXT: scop "short_counter: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 3 <= n <= 2147483647 }
; CHECK-NEXT:   assume finite-loop: [n] -> { : n <= 65534 } because the counter of the loop reaches its bound
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 2i0 <= -3 + n and i0 >= 0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[3 + 2i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[3 + 2i0] } of %1
define void @short_counter(i32 %n, ptr noalias %A) {
entry:
  %cmp.not7 = icmp slt i32 %n, 3
  br i1 %cmp.not7, label %for.end, label %for.body

for.body:
  %i.08 = phi i16 [ %add3, %for.body ], [ 3, %entry ]
  %idxprom = zext i16 %i.08 to i64
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %idxprom
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %add3 = add i16 %i.08, 2
  %conv = zext i16 %add3 to i32
  %cmp.not = icmp ugt i32 %conv, %n
  br i1 %cmp.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'signed_byte':
; CHECK-NEXT: scop "signed_byte: for.cond2.preheader => for.end12.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter m: i64 signed
; CHECK-NEXT:   context: [n, m] -> { : n >= -4 }
; CHECK-NEXT:   assume finite-loop: [n, m] -> { : n <= 127 } because the counter of the loop reaches its bound
; CHECK-NEXT:   assume finite-loop: [n, m] -> { : 0 <= m <= 255 } because the counter of the loop reaches its bound
; CHECK-NEXT:   assume in-bounds: [n, m] -> { : m <= 0 or 0 < m <= -236 + 256*floor((255 + m)/256) } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{[[]}}n, m] -> { [(20)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0, i1] : m > 0 and 0 <= i0 <= 4 + n and 0 <= i1 <= 255 + m - 256*floor((255 + m)/256) }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0, i1] -> A[-5 + i0, i1] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n, m] -> { S0[i0, i1] -> A[-5 + i0, i1] } of %1
define void @signed_byte(i64 %n, i64 %m, ptr noalias %A) {
entry:
  %cmp20 = icmp sgt i64 %n, -5
  br i1 %cmp20, label %for.cond2.preheader.lr.ph, label %for.end12

for.cond2.preheader.lr.ph:
  %cmp4.not17 = icmp eq i64 %m, 0
  br label %for.cond2.preheader

for.cond2.preheader:
  %conv22 = phi i64 [ -5, %for.cond2.preheader.lr.ph ], [ %conv, %for.inc10 ]
  %i.021 = phi i8 [ -5, %for.cond2.preheader.lr.ph ], [ %inc11, %for.inc10 ]
  br i1 %cmp4.not17, label %for.inc10, label %for.body6.lr.ph

for.body6.lr.ph:
  %.idx = mul nsw i64 %conv22, 160
  %0 = getelementptr i8, ptr %A, i64 %.idx
  br label %for.body6

for.body6:
  %conv319 = phi i64 [ 0, %for.body6.lr.ph ], [ %conv3, %for.body6 ]
  %j.018 = phi i8 [ 0, %for.body6.lr.ph ], [ %inc, %for.body6 ]
  %arrayidx = getelementptr double, ptr %0, i64 %conv319
  %1 = load double, ptr %arrayidx, align 8
  %add9 = fadd double %1, 1.000000e+00
  store double %add9, ptr %arrayidx, align 8
  %inc = add i8 %j.018, 1
  %conv3 = zext i8 %inc to i64
  %cmp4.not = icmp eq i64 %conv3, %m
  br i1 %cmp4.not, label %for.inc10, label %for.body6

for.inc10:
  %inc11 = add i8 %i.021, 1
  %conv = sext i8 %inc11 to i64
  %cmp = icmp slt i64 %conv, %n
  br i1 %cmp, label %for.cond2.preheader, label %for.end12

for.end12:
  ret void
}
