; Switches over data: a unit with conditions that compare with cases.
; RUN: %opt %loadpoly -passes='print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: SCoPs of function 'three_ways':
; CHECK: domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK: %[[X:[0-9]+]] = read [n] -> { S0[i0] -> b[i0] }
; CHECK: %[[TWO:[0-9]+]] = %[[X]] in {-7}
; CHECK: if %[[TWO]]: may write [n] -> { S0[i0] -> a[1 + i0] } of invariant
; CHECK: %[[ONE:[0-9]+]] = %[[X]] in {1, 5}
; CHECK: if %[[ONE]]: may write [n] -> { S0[i0] -> a[i0] } of invariant
; CHECK: %[[REST:[0-9]+]] = %[[X]] not in {1, 5, -7}
; CHECK: if %[[REST]]: may write [n] -> { S0[i0] -> a[2 + i0] } of invariant
define void @three_ways(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %a, i64 %i
  switch i32 %x, label %rest [ i32 1, label %one
                               i32 5, label %one
                               i32 -7, label %two ]

one:
  store i32 10, ptr %q
  br label %latch

two:
  %q1 = getelementptr inbounds i32, ptr %q, i64 1
  store i32 20, ptr %q1
  br label %latch

rest:
  %q2 = getelementptr inbounds i32, ptr %q, i64 2
  store i32 30, ptr %q2
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}

; A default that does nothing before 'unreachable' is never taken.
; CHECK-LABEL: SCoPs of function 'no_default':
; CHECK: in {1}
; CHECK: in {0}
define void @no_default(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %a, i64 %i
  switch i32 %x, label %never [ i32 0, label %zero
                                i32 1, label %one ]

zero:
  store i32 10, ptr %q
  br label %latch

one:
  store i32 20, ptr %q
  br label %latch

never:
  unreachable

latch:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}

; An end of the program under a condition on data cannot be checked before.
; CHECK-LABEL: SCoPs of function 'ends_inside':
; CHECK-NEXT: rejected loop nest: non-affine-condition
declare void @abort() noreturn
define void @ends_inside(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds i32, ptr %b, i64 %i
  %x = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %a, i64 %i
  switch i32 %x, label %latch [ i32 0, label %zero
                                i32 1, label %bad ]

zero:
  store i32 10, ptr %q
  br label %latch

bad:
  call void @abort()
  unreachable

latch:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}
