; Which functions Poly looks at. That it does is seen by a failure that is asked for.

; RUN: %opt %loadpoly -passes='poly<debug-panic=detect>' -pass-remarks-missed=poly -disable-output %s 2>&1 | %FileCheck %s --implicit-check-not=remark:
; CHECK: remark: <unknown>:0:0: internal error at {{.*}} code left as it was
; CHECK: remark: <unknown>:0:0: function cannot be optimized: it depends on the floating-point environment
; CHECK: remark: <unknown>:0:0: function cannot be optimized: it may not use vector registers that its source does not use (noimplicitfloat)
; CHECK: remark: <unknown>:0:0: function cannot be optimized: it handles interrupts
; CHECK: remark: <unknown>:0:0: function cannot be optimized: a garbage collector may move its pointers

; Names choose too.
; RUN: %opt %loadpoly -passes='poly<debug-panic=detect;ignore-func=ordi*:strict*>' -pass-remarks-missed=poly -disable-output %s 2>&1 | count 0
; RUN: %opt %loadpoly -passes='poly<debug-panic=detect;only-func=*nary>' -pass-remarks-missed=poly -disable-output %s 2>&1 | %FileCheck --check-prefix=ONE %s --implicit-check-not=remark:
; ONE: remark: <unknown>:0:0: internal error
; RUN: %opt %loadpoly -passes='poly<debug-panic=detect;disable>' -pass-remarks-missed=poly -disable-output %s 2>&1 | count 0

define void @ordinary(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @without_loops(ptr %p) {
  store i64 0, ptr %p
  ret void
}

define void @unoptimized(ptr %p) noinline optnone {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define void @small(ptr %p) optsize {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define void @smallest(ptr %p) minsize optsize {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define void @switched_off(ptr %p) "poly"="off" {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define void @outlined(ptr %p) "poly.subfn" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @strict(ptr %p) strictfp {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define void @strict_about_registers(ptr %p) noimplicitfloat {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define x86_intrcc void @strict_interrupt(ptr byval(i64) %p) {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}

define void @strict_collected(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  br i1 undef, label %loop, label %end
end:
  ret void
}
