; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Operands and memory for which the model has no meaning: undefined values, special address spaces, vectors of unknown length.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'undefined_value':
; CHECK-NEXT: rejected loop nest: undefined-value: an undefined value is used by
define void @undefined_value(i64 %n, ptr %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds i32, ptr %a, i64 %i
  %old = load i32, ptr %place, align 4
  %new = add i32 %old, undef
  store i32 %new, ptr %place, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: SCoPs of function 'undefined_stored':
; CHECK-NEXT: rejected loop nest: undefined-value: an undefined value is used by
define void @undefined_stored(i64 %n, ptr %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 undef, ptr %place, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: SCoPs of function 'address_space':
; CHECK-NEXT: rejected loop nest: type: {{.*}} of type ptr addrspace(1)
define void @address_space(i64 %n, ptr addrspace(1) %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 7, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: SCoPs of function 'scalable':
; CHECK-NEXT: rejected loop nest: type: a write of type <vscale x 4 x i32>
define void @scalable(i64 %n, ptr %a, <vscale x 4 x i32> %v) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds i32, ptr %a, i64 %i
  store <vscale x 4 x i32> %v, ptr %place, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
