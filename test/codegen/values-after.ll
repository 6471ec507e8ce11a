; Values that a region leaves behind come from the code that has run: an accumulator, the last counter, one of two exits' values.

; RUN: %opt %loadpoly -passes='poly<force;process-unprofitable>' -verify-each -S %s | %FileCheck %s

; CHECK-LABEL: define double @sum(
; CHECK:         br i1 %{{.*}}, label %poly.opt, label
; The merge: what the original computed, and what the new code computed. The number of iterations is known without a loop.
; CHECK-DAG:     %t.last.merge = phi double [ %{{.*}}, %[[NEW:.*]] ], [ %t.lcssa, %[[OLD:.*]] ]
; CHECK-DAG:     %next.last.merge = phi i64 [ %n, %[[NEW]] ], [ %next.lcssa, %[[OLD]] ]
; CHECK:         ret double
; The accumulator stays in a register.
; CHECK:         phi double [ 1.000000e+00, %poly.opt ], [ %[[T:.*]], %{{.*}} ]
; CHECK:         %[[T]] = fadd double

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define double @sum(i64 noundef %n, ptr noundef %a, ptr noundef %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  br label %loop

loop:
  %i = phi i64 [ 0, %preheader ], [ %next, %loop ]
  %s = phi double [ 1.0, %preheader ], [ %t, %loop ]
  %from = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %from, align 8
  %t = fadd double %s, %x
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %t, ptr %to, align 8
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit.loopexit

exit.loopexit:
  %t.last = phi double [ %t, %loop ]
  %next.last = phi i64 [ %next, %loop ]
  br label %exit

exit:
  %result = phi double [ 0.0, %entry ], [ %t.last, %exit.loopexit ]
  %count = phi i64 [ 0, %entry ], [ %next.last, %exit.loopexit ]
  %as.double = sitofp i64 %count to double
  %both = fadd double %result, %as.double
  ret double %both
}
