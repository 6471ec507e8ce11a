; Loads that are executed before the region: each behind a branch that the original would execute one, without the metadata of the original, frozen;
; compared with what the program has loaded before.
;
;   struct matrix { int rows, columns; };
;   void conditional(int n, const struct matrix *s, int *x) {   // 0 < n
;     for (int i = 0; i < n; i++)
;       if (i > 7)
;         for (int j = 0; j < s->columns; j++)
;           x[j] += i;
;   }
;   void known(int *bound, int *x) {   // the first load of *bound stands before the call
;     if (*bound > 0) elsewhere();
;     for (int i = 0; i < *bound; i++)
;       x[i] += 1;
;   }

; RUN: %opt %loadpoly -passes='poly<force;process-unprofitable>' -verify-each -S %s | %FileCheck %s

; CHECK-LABEL: define void @conditional(
; CHECK-NOT:     load
; CHECK:         [[LATE:%.*]] = icmp {{(samesign )?}}ugt i32 %n, 8
; CHECK-NEXT:    br i1 [[LATE]], label %poly.load, label %[[ORIGINAL:.*]]
; CHECK:       poly.load:
; CHECK-NEXT:    load i32, ptr %{{.*}}, align 4{{$}}
; CHECK-NEXT:    freeze i32
; CHECK:         icmp {{(samesign )?}}ule i128
; CHECK:         br i1 {{.*}}, label %poly.{{.*}}, label %[[ORIGINAL]]

; CHECK-LABEL: define void @known(
; CHECK:         call void @elsewhere()
; CHECK:         [[LOADED:%.*]] = load i32, ptr %bound, align 4
; CHECK-NEXT:    [[VALUE:%.*]] = freeze i32 [[LOADED]]
; CHECK:         [[SAME:%.*]] = icmp eq i32 [[VALUE]]
; CHECK:         br i1 [[SAME]], label %poly.same, label

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @conditional(i32 noundef %n, ptr noundef %s, ptr noundef %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %before, label %end

before:
  %columns = getelementptr inbounds i8, ptr %s, i64 4
  br label %outer

outer:
  %i = phi i32 [ 0, %before ], [ %i.next, %latch ]
  %late = icmp ugt i32 %i, 7
  br i1 %late, label %row, label %latch

row:
  %first = load i32, ptr %columns, align 4, !range !0
  %runs = icmp sgt i32 %first, 0
  br i1 %runs, label %inner, label %latch

inner:
  %j = phi i64 [ 0, %row ], [ %j.next, %inner ]
  %address = getelementptr inbounds i32, ptr %x, i64 %j
  %old = load i32, ptr %address, align 4
  %new = add i32 %old, %i
  store i32 %new, ptr %address, align 4
  %j.next = add nuw nsw i64 %j, 1
  %again = load i32, ptr %columns, align 4, !range !0
  %wide = sext i32 %again to i64
  %more = icmp slt i64 %j.next, %wide
  br i1 %more, label %inner, label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %goes = icmp slt i32 %i.next, %n
  br i1 %goes, label %outer, label %end

end:
  ret void
}

define void @known(ptr noundef %bound, ptr noundef %x) {
entry:
  %first = load i32, ptr %bound, align 4
  %some = icmp sgt i32 %first, 0
  br i1 %some, label %enter, label %end

enter:
  call void @elsewhere()
  br label %loop

loop:
  %i = phi i64 [ 0, %enter ], [ %i.next, %loop ]
  %address = getelementptr inbounds i32, ptr %x, i64 %i
  %old = load i32, ptr %address, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr %address, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = load i32, ptr %bound, align 4
  %wide = sext i32 %again to i64
  %more = icmp slt i64 %i.next, %wide
  br i1 %more, label %loop, label %end

end:
  ret void
}

declare void @elsewhere()

!0 = !{i32 -5, i32 100}
