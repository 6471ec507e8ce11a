; Sums along rows of a matrix, a row in each lane: as many columns as there are lanes are loaded at a time, each row in two halves, and transposed in
; registers. What is left of the rows is loaded lane by lane.
;
;   for (i < 64) for (j < n) y[i] += a[i][j] * x[j];

; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=1:1>' -verify-each -S %s | %FileCheck %s

; CHECK-LABEL: define void @sums(
; CHECK:       poly.c[[J:[0-9]+]].squares:
; CHECK:         [[ROW0:%.*]] = load <2 x float>, ptr
; CHECK:         [[ROW2:%.*]] = load <2 x float>, ptr
; CHECK:         shufflevector <2 x float> [[ROW0]], <2 x float> [[ROW2]], <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-COUNT-6: load <2 x float>, ptr
; CHECK:         shufflevector <4 x float> {{.*}} <i32 0, i32 4, i32 2, i32 6>
; CHECK:         shufflevector <4 x float> {{.*}} <i32 1, i32 5, i32 3, i32 7>
; CHECK-COUNT-4: fmul <4 x float>
; CHECK:         br i1 {{.*}}, label %poly.c[[J]].squares, label %poly.c[[J]].rest
; CHECK:       poly.c[[J]].rest:
; CHECK:       poly.c[[J]].tile:
; CHECK-COUNT-4: insertelement <4 x float>
; CHECK:         fmul <4 x float>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @sums(i64 noundef %n, ptr noalias noundef %a, ptr noalias noundef %x, ptr noalias noundef %y) #0 {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %rows, label %exit

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %y.at = getelementptr inbounds float, ptr %y, i64 %i
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %a.at = getelementptr inbounds [100 x float], ptr %a, i64 %i, i64 %j
  %element = load float, ptr %a.at, align 4
  %x.at = getelementptr inbounds float, ptr %x, i64 %j
  %factor = load float, ptr %x.at, align 4
  %sum = load float, ptr %y.at, align 4
  %product = fmul float %element, %factor
  %next = fadd float %sum, %product
  store float %next, ptr %y.at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %n
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, 64
  br i1 %i.again, label %rows, label %exit

exit:
  ret void
}

attributes #0 = { nounwind }
