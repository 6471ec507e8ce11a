; LLVM IR without debug information: names of its own, and no lines.
; REQUIRES: poly
; RUN: %program-poly explain %s -- --poly-plugin=%poly --poly-clang=%clang --poly-opts=machine=x86-64-v3 | %FileCheck %s
; CHECK: transpose, 2 loops: optimized
; CHECK-NEXT: (there are no line numbers: compile the IR from a source with -g)
; CHECK: languages.ll: 2 loops optimized, 0 left as written
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @transpose(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %from = getelementptr [4000 x double], ptr %b, i64 %j, i64 %i
  %value = load double, ptr %from
  %to = getelementptr [4000 x double], ptr %a, i64 %i, i64 %j
  store double %value, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 4000
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4000
  br i1 %again, label %rows, label %exit

exit:
  ret void
}
