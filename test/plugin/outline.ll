; What becomes a function of its own, and what does not: code that means something in the frame of its function only.

; RUN: %opt %loadpoly -passes='default<O1>' -S %s | %FileCheck %s

; CHECK-LABEL: define void @in_a_section(
; CHECK:         call void @in_a_section.poly(
define void @in_a_section(ptr %p, i64 %n) section "fast" {
entry:
  %large = icmp sgt i64 %n, 10
  br i1 %large, label %first, label %original, !prof !0, !poly.new !1
first:
  store volatile i64 0, ptr %p
  br label %new
new:
  %i = phi i64 [ 0, %first ], [ %i.next, %new ]
  %a = getelementptr i64, ptr %p, i64 %i
  store volatile i64 %i, ptr %a
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end
original:
  store volatile i64 %n, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @returns_twice(
; CHECK-NOT:     .poly(
; CHECK:         call i32 @setjmp(
define void @returns_twice(ptr %p, i64 %n, ptr %where) {
entry:
  %large = icmp sgt i64 %n, 10
  br i1 %large, label %first, label %original, !prof !0, !poly.new !1
first:
  store volatile i64 0, ptr %p
  br label %new
new:
  %i = phi i64 [ 0, %first ], [ %i.next, %new ]
  %a = getelementptr i64, ptr %p, i64 %i
  store volatile i64 %i, ptr %a
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %behind
behind:
  %again = call i32 @setjmp(ptr %where) returns_twice
  store volatile i32 %again, ptr %p
  call void @ends(ptr %where)
  br label %end
original:
  store volatile i64 %n, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @memory_on_the_stack(
; CHECK-NOT:     .poly(
; CHECK:         call void @llvm.stackrestore
define void @memory_on_the_stack(ptr %p, i64 %n) {
entry:
  %large = icmp sgt i64 %n, 10
  %stack = call ptr @llvm.stacksave.p0()
  %array = alloca i64, i64 %n
  call void @ends(ptr %array)
  br i1 %large, label %first, label %original, !prof !0, !poly.new !1
first:
  store volatile i64 0, ptr %p
  br label %new
new:
  %i = phi i64 [ 0, %first ], [ %i.next, %new ]
  %a = getelementptr i64, ptr %array, i64 %i
  store volatile i64 %i, ptr %a
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %behind
behind:
  call void @llvm.stackrestore.p0(ptr %stack)
  call void @ends(ptr %p)
  br label %end
original:
  store volatile i64 %n, ptr %p
  br label %end
end:
  ret void
}

; CHECK: define internal void @in_a_section.poly({{.*}} section "fast"

declare i32 @setjmp(ptr) returns_twice
declare void @ends(ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

!0 = !{!"branch_weights", i32 5, i32 4}
!1 = !{}
