; Nothing needs checking: the original code is not reachable any more and goes away.

; RUN: %opt %loadpoly -passes='poly<force>' -verify-each -S %s | %FileCheck %s

; CHECK-LABEL: define void @clear(
; CHECK-NOT:     label %rows
; CHECK:         store float
; CHECK-NOT:     store float
; CHECK:       }
; Loops were interchanged: both are parallel, accesses are in the groups of both.
; CHECK:       ![[GROUPS:[0-9]+]] = !{![[FIRST:[0-9]+]], ![[SECOND:[0-9]+]]}
; CHECK-DAG:   !{!"llvm.loop.parallel_accesses", ![[FIRST]]}
; CHECK-DAG:   !{!"llvm.loop.parallel_accesses", ![[SECOND]]}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @clear(ptr noundef %a) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %to = getelementptr inbounds [50 x float], ptr %a, i64 %j, i64 %i
  store float 0.0, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, 40
  br i1 %j.done, label %rows.latch, label %columns

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, 50
  br i1 %i.done, label %exit, label %rows

exit:
  ret void
}
