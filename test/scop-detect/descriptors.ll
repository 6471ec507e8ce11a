; RUN: %opt %loadpoly -passes='print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s

; What Fortran's compilers make of the sizes of arrays.

; The strides of three dimensions in bytes, in a descriptor: columns have no gaps, planes hold whole
; columns.
; CHECK-LABEL: SCoPs of function 'planes':
; CHECK: assume in-bounds: [n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { : 8s1_0 = s1 } because 's1' is a multiple of 8
; CHECK: assume in-bounds: [n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { : 8s2_0 = s2 } because 's2' is a multiple of 8
; CHECK: assume in-bounds: [n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { : -7 + s2 <= 8s2_s1_0 <= 7 + s2 } because 's2_0' is a multiple of 's1_0'
; CHECK: assume in-bounds: [n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { : s1 >= -7 + 8n and s2_s1 >= m } because subscripts of 'data' are inside its inner dimensions
; CHECK: array double data[*]{{\[\[}}n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { [(s2_s1)] }]{{\[\[}}n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { [(s1_0)] }]
; CHECK: write [n, m, l, s1, s2, s1_0, s2_0, s2_s1, s2_s1_0] -> { S0[i0, i1, i2] -> data[i2, i1, i0] } of %1
define void @planes(ptr %descriptor, i64 %n, i64 %m, i64 %l) {
entry:
  %at1 = getelementptr i8, ptr %descriptor, i64 64
  %at2 = getelementptr i8, ptr %descriptor, i64 88
  %s1 = load i64, ptr %at1
  %s2 = load i64, ptr %at2
  %data = load ptr, ptr %descriptor
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = getelementptr double, ptr %data, i64 %i
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.end ]
  %column = mul i64 %s1, %j
  br label %layers
layers:
  %k = phi i64 [ 0, %columns ], [ %k.next, %layers ]
  %plane = mul i64 %s2, %k
  %bytes = add i64 %plane, %column
  %elements = ashr i64 %bytes, 3
  %p = getelementptr double, ptr %row, i64 %elements
  %x = load double, ptr %p, !tbaa !0
  %y = fadd double %x, 1.0
  store double %y, ptr %p, !tbaa !0
  %k.next = add nuw nsw i64 %k, 1
  %k.end = icmp eq i64 %k.next, %l
  br i1 %k.end, label %columns.end, label %layers
columns.end:
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %m
  br i1 %j.end, label %rows.end, label %columns
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %n
  br i1 %i.end, label %exit, label %rows
exit:
  ret void
}

; A leading dimension of which nothing is known: a negative one is none.
; CHECK-LABEL: SCoPs of function 'leading':
; CHECK: assume in-bounds: [n, m, lda] -> { : lda >= n } because subscripts of 'a' are inside its inner dimensions
; CHECK: array double a[*]{{\[\[}}n, m, lda] -> { [(lda)] }]
; CHECK: write [n, m, lda] -> { S0[i0, i1] -> a[i1, i0] } of %1
define void @leading(ptr %a, i32 %n, i32 %m, i32 %lda) {
entry:
  %size = call i32 @llvm.smax.i32(i32 %lda, i32 0)
  %stride = zext nneg i32 %size to i64
  %last = zext nneg i32 %n to i64
  %end = zext nneg i32 %m to i64
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = getelementptr double, ptr %a, i64 %i
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %column = mul nuw nsw i64 %j, %stride
  %p = getelementptr double, ptr %row, i64 %column
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %end
  br i1 %j.end, label %rows.end, label %columns
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %last
  br i1 %i.end, label %exit, label %rows
exit:
  ret void
}

; Columns with rows from one number to another: the greater one is not known.
; CHECK-LABEL: SCoPs of function 'from_to':
; CHECK: array double a[*]{{\[\[}}last, first, m] -> { [(1 + last - first)] }]
; CHECK: write [last, first, m] -> { S0[i0, i1] -> a[i1, i0] } of %1
define void @from_to(ptr %a, i32 %first, i32 %last, i64 %m) {
entry:
  %low = sext i32 %first to i64
  %high = sext i32 %last to i64
  %distance = sub nsw i64 %high, %low
  %rows.number = add nsw i64 %distance, 1
  %stride = call i64 @llvm.smax.i64(i64 %rows.number, i64 0)
  %some = icmp sgt i64 %distance, -1
  br i1 %some, label %rows.head, label %exit
rows.head:
  br label %rows
rows:
  %i = phi i64 [ 0, %rows.head ], [ %i.next, %rows.end ]
  %row = getelementptr double, ptr %a, i64 %i
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %column = mul nsw i64 %j, %stride
  %p = getelementptr double, ptr %row, i64 %column
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %m
  br i1 %j.end, label %rows.end, label %columns
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %rows.number
  br i1 %i.end, label %exit.head, label %rows
exit.head:
  br label %exit
exit:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.smax.i64(i64, i64)

!0 = !{!1, !1, i64 0}
!1 = !{!"real", !2}
!2 = !{!"root"}
