; Every loop of which the function does not return has a remark of its own, also one inside of another one.
; RUN: %opt %loadpoly -passes=poly -pass-remarks-missed=poly -disable-output %s 2>&1 | %FileCheck %s

; CHECK-COUNT-2: remark: {{.*}}: loops not optimized: the function does not return from here
; CHECK-NOT: remark
define void @endless(ptr %a, i1 %c, i1 %d) {
entry:
  br i1 %d, label %outer, label %exit

outer:
  store i32 1, ptr %a
  br label %inner

inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  %next = add i32 %i, 1
  br i1 %c, label %inner, label %outer

exit:
  ret void
}
