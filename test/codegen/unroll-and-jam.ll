; Neighbouring rows: eight rows at a time where they are independent. Loads of the same element by several rows are one load:
; ten rows in the middle, and the neighbours to the left and right in eight. A row that needs what the one before it has computed is executed alone.
;
;   for (i) for (j) b[i][j] = a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j];

; RUN: %opt %loadpoly -passes='poly<force;no-tile;no-register-tile>' -verify-each -S %s | %FileCheck %s

; RUN: %opt %loadpoly -passes='poly<force;no-tile;no-register-tile;machine=haswell>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<4 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;no-tile;no-register-tile;machine=x86-64>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;no-tile;no-register-tile;machine=neoverse-n1>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s

; CHECK-LABEL: define void @independent(
; CHECK:       poly.c0.rows:
; CHECK:         [[ROW:%.*]] = phi i64
; CHECK:         add nsw i64 [[ROW]], 8
; CHECK:       poly.c1.vector:
; CHECK-COUNT-26: load <8 x double>
; CHECK-NOT:     load <8 x double>
; CHECK:         store <8 x double>
; CHECK:         br i1
; CHECK:       poly.c1.vector{{[0-9]+}}:
; CHECK-COUNT-5: load <8 x double>
; CHECK-NOT:     load <8 x double>
; CHECK:         store <8 x double>
; CHECK:       }

; Without masks, the first points are a vector that overlaps the next one.
; WIDTH-LABEL: define void @independent(
; WIDTH-NOT:     llvm.masked
; WIDTH:       poly.c0.rows:
; WIDTH:         [[ROW:%.*]] = phi i64
; WIDTH:         add nsw i64 [[ROW]], 8
; WIDTH:       poly.some{{[0-9]*}}:
; WIDTH-COUNT-26: load [[TYPE]]
; WIDTH-NOT:     load [[TYPE]]
; WIDTH:       poly.c1.vector:
; WIDTH-COUNT-26: load [[TYPE]]
; WIDTH-NOT:     load [[TYPE]]
; WIDTH:         br i1
; WIDTH:       poly.c1.vector{{[0-9]+}}:
; WIDTH-COUNT-5: load [[TYPE]]
; WIDTH-NOT:     load [[TYPE]]
; WIDTH:         store [[TYPE]]
; WIDTH-NOT:     llvm.masked
; WIDTH:       }

; CHECK-LABEL: define void @dependent(
; CHECK-NOT:   poly.c0.rows:
; CHECK:       poly.c1.vector:
; CHECK-NOT:   poly.c0.rows:
; CHECK:       }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @independent(i64 noundef %n, i64 noundef %m, ptr noalias noundef %a, ptr noalias noundef %b) #0 {
entry:
  %some = icmp sgt i64 %n, 1
  %any = icmp sgt i64 %m, 1
  %both = and i1 %some, %any
  br i1 %both, label %rows, label %exit

rows:
  %i = phi i64 [ 1, %entry ], [ %i.next, %rows.latch ]
  %i.next = add nuw nsw i64 %i, 1
  %i.before = add nsw i64 %i, -1
  br label %columns

columns:
  %j = phi i64 [ 1, %rows ], [ %j.next, %columns ]
  %j.next = add nuw nsw i64 %j, 1
  %j.before = add nsw i64 %j, -1
  %at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j
  %left.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j.before
  %right.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j.next
  %below.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i.next, i64 %j
  %above.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i.before, i64 %j
  %here = load double, ptr %at, align 8
  %left = load double, ptr %left.at, align 8
  %right = load double, ptr %right.at, align 8
  %below = load double, ptr %below.at, align 8
  %above = load double, ptr %above.at, align 8
  %two = fadd double %here, %left
  %three = fadd double %two, %right
  %four = fadd double %three, %below
  %five = fadd double %four, %above
  %b.at = getelementptr inbounds [1000 x double], ptr %b, i64 %i, i64 %j
  store double %five, ptr %b.at, align 8
  %j.again = icmp slt i64 %j.next, %m
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %rows, label %exit

exit:
  ret void
}

; a[i][j] += a[i - 1][j]
define void @dependent(i64 noundef %n, i64 noundef %m, ptr noalias noundef %a) #0 {
entry:
  %some = icmp sgt i64 %n, 1
  %any = icmp sgt i64 %m, 0
  %both = and i1 %some, %any
  br i1 %both, label %rows, label %exit

rows:
  %i = phi i64 [ 1, %entry ], [ %i.next, %rows.latch ]
  %i.next = add nuw nsw i64 %i, 1
  %i.before = add nsw i64 %i, -1
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j
  %above.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i.before, i64 %j
  %here = load double, ptr %at, align 8
  %above = load double, ptr %above.at, align 8
  %sum = fadd double %here, %above
  store double %sum, ptr %at, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %m
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %rows, label %exit

exit:
  ret void
}

attributes #0 = { "target-features"="+avx512f,+avx512vl,+avx512dq" "min-legal-vector-width"="0" }
