; RUN: %opt %loadpoly -passes='poly<force>' -verify-each -S %s | %FileCheck %s
;
; The number of iterations of a loop with a symbolic step is computed before the check that the step is positive. The division must
; neither end the program for a step of 0 nor look at poison.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @walk(
; CHECK:       [[STEP:%.*]] = freeze i64 %s
; CHECK:       [[DIVISOR:%.*]] = call i64 @llvm.smax.i64(i64 [[STEP]], i64 1)
; CHECK:       udiv i64 {{.*}}, [[DIVISOR]]
define void @walk(i64 %n, i64 %s, ptr noalias %A) #0 {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %goes.on = icmp slt i64 %i, %n
  br i1 %goes.on, label %body, label %end

body:
  %address = getelementptr inbounds double, ptr %A, i64 %i
  store double 1.0, ptr %address, align 8
  %next = add nsw i64 %i, %s
  br label %head

end:
  ret void
}

attributes #0 = { "target-cpu"="x86-64" }
