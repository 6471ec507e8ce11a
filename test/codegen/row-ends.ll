; The points at the ends of rows on processors without masks. A row that is at least a vector and does not read what it writes begins and ends with vectors that overlap others, whose points are
; computed twice. Other rows begin with a whole vector and end with pieces of half as many lanes each, down to a point.
;
;   for (i < n) for (j < m) b[i][j] = a[i][j] * f[i];
;   for (i < n) for (j < m) a[i][j] = a[i][j] * f[i];

; RUN: %opt %loadpoly -passes='poly<force;no-register-tile;machine=haswell>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;no-register-tile;machine=skylake-avx512>' -verify-each -S %s | %FileCheck --check-prefix=MASKS %s

; CHECK-LABEL: define void @apart(
; CHECK:       poly.some:
; CHECK:         fmul <4 x double>
; CHECK:       poly.c{{[0-9]+}}.vector:
; CHECK:       poly.overlap:
; CHECK-NEXT:    getelementptr double, ptr
; CHECK-NEXT:    load <4 x double>
; CHECK-NOT:     select
; CHECK-NOT:     load
; CHECK:         store <4 x double>
; CHECK:       poly.pieces:
; CHECK-NOT:     <4 x double>
; CHECK:         fmul <2 x double>
; CHECK-NOT:     <4 x double>
; CHECK:         fmul double
; CHECK:       }

; CHECK-LABEL: define void @in_place(
; CHECK-NOT:   poly.overlap
; CHECK:       poly.c{{[0-9]+}}.vector:
; CHECK:         fmul <4 x double>
; CHECK-NOT:     fmul <4 x double>
; CHECK:         fmul <2 x double>
; CHECK:         fmul double
; CHECK-NOT:   poly.overlap
; CHECK:       }

; MASKS-LABEL: define void @apart(
; MASKS-NOT:   poly.overlap
; MASKS:       llvm.masked.store
; MASKS-LABEL: define void @in_place(
; MASKS-NOT:   poly.overlap
; MASKS:       llvm.masked.store

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @apart(i64 noundef %n, i64 noundef %m, ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %f) {
entry:
  %some = icmp sgt i64 %n, 0
  %any = icmp sgt i64 %m, 0
  %both = and i1 %some, %any
  br i1 %both, label %rows, label %exit

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %f.at = getelementptr inbounds double, ptr %f, i64 %i
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %a.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %a.at, align 8
  %y = load double, ptr %f.at, align 8
  %z = fmul double %x, %y
  %b.at = getelementptr inbounds [1000 x double], ptr %b, i64 %i, i64 %j
  store double %z, ptr %b.at, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %m
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %rows, label %exit

exit:
  ret void
}

define void @in_place(i64 noundef %n, i64 noundef %m, ptr noalias noundef %a, ptr noalias noundef %f) {
entry:
  %some = icmp sgt i64 %n, 0
  %any = icmp sgt i64 %m, 0
  %both = and i1 %some, %any
  br i1 %both, label %rows, label %exit

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %f.at = getelementptr inbounds double, ptr %f, i64 %i
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %a.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %a.at, align 8
  %y = load double, ptr %f.at, align 8
  %z = fmul double %x, %y
  store double %z, ptr %a.at, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %m
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %rows, label %exit

exit:
  ret void
}
