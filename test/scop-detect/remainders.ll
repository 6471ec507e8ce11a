; Remainders by what is the same in the whole region: the dividend or one divisor less, where it is
; known or assumed to be below twice the divisor.
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; (i + n - 1) % n of integers of 32 bits: the dividend is known to be in the range.
; CHECK-LABEL: SCoPs of function 'before':
; CHECK-NEXT:  scop "before: loop => exit.loopexit"
; CHECK-NEXT:  parameter n: i32 signed
; CHECK-NEXT:  context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:  assume no-wrap: [n] -> { : n <= 1073741824 } because a subscript of 'a' does not exceed the integers of 32 bits
; CHECK-NEXT:  array double a[*]
; CHECK-NEXT:  array double b[*]
; CHECK-NEXT:  may alias: a, b
; CHECK-NEXT:  statement S0
; CHECK-NEXT:  domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:  order: [0, i0, 0]
; CHECK-NEXT:  %0 = read [n] -> { S0[i0] -> a[-1 + n + i0] : i0 <= 0; S0[i0] -> a[-1 + i0] : i0 > 0 }
define void @before(ptr %a, ptr %b, i32 %n) {
entry:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = add nsw i32 %i, %n
  %dividend = add nsw i32 %sum, -1
  %rest = srem i32 %dividend, %n
  %place = sext i32 %rest to i64
  %from = getelementptr inbounds double, ptr %a, i64 %place
  %value = load double, ptr %from
  %here = zext nneg i32 %i to i64
  %to = getelementptr inbounds double, ptr %b, i64 %here
  store double %value, ptr %to
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; (start + i) % n of unsigned integers: the start is assumed to be in the ring.
; CHECK-LABEL: SCoPs of function 'ring':
; CHECK:       assume non-negative: [n, start] -> { : start >= 0 } because a subscript of 'a' is not negative
; CHECK-NEXT:  assume no-wrap: [n, start] -> { : start <= n } because a subscript of 'a' has no remainder of twice the divisor or more
; CHECK:       %0 = read [n, start] -> { S0[i0] -> a[start + i0] : i0 < n - start; S0[i0] -> a[-n + start + i0] : i0 >= n - start }
define void @ring(ptr %a, ptr %b, i64 %n, i64 %start) {
entry:
  %positive = icmp ne i64 %n, 0
  br i1 %positive, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %dividend = add i64 %i, %start
  %rest = urem i64 %dividend, %n
  %from = getelementptr inbounds double, ptr %a, i64 %rest
  %value = load double, ptr %from
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %value, ptr %to
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; (3 * i) % n is data: for no useful size is it a remainder of less than 2 n.
; CHECK-LABEL: SCoPs of function 'multiples':
; CHECK-NOT:   assume no-wrap
; CHECK:       %0 = srem affine, invariant
; CHECK:       read [n] -> { S0[i0] -> a[o0] } at
define void @multiples(ptr %a, ptr %b, i32 %n) {
entry:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %dividend = mul nsw i32 %i, 3
  %rest = srem i32 %dividend, %n
  %place = sext i32 %rest to i64
  %from = getelementptr inbounds double, ptr %a, i64 %place
  %value = load double, ptr %from
  %here = zext nneg i32 %i to i64
  %to = getelementptr inbounds double, ptr %b, i64 %here
  store double %value, ptr %to
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
