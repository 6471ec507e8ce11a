; A factor whose lanes are rows of a matrix is copied to a buffer by the first full tile of a column of tiles, if there is memory; the others
; find it there. The buffer is freed behind the loops.
;
;   for (i < 64) for (j < 64) for (k < 64) c[i][j] += a[i][k] * b[j][k];

; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1;no-pack>' -verify-each -S %s | %FileCheck --check-prefix=OFF %s
; RUN: sed 's/{ nounwind }/{ nounwind "no-builtins" }/' %s | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -verify-each -S \
; RUN:   | %FileCheck --check-prefix=OFF %s

; CHECK-LABEL: define void @product(
; CHECK:         [[BUFFER:%poly.buffer]] = {{.*}}call ptr @malloc(i64
; CHECK:         call void @free(ptr {{.*}}[[BUFFER]])
; CHECK:       poly.c[[K:[0-9]+]].buffer:
; CHECK:         br i1 %poly.packed{{.*}}, label %poly.c[[K]].packed, label %poly.c[[K]].
; CHECK:       poly.c[[K]].panel:
; CHECK:         load double
; CHECK:         load double
; CHECK:         store <2 x double> {{.*}}, align 16
; CHECK:       poly.c[[K]].tile:
; CHECK:         load <2 x double>, {{.*}}, align 16

; OFF-LABEL: define void @product(
; OFF-NOT:   @malloc
; OFF:       .tile:
; OFF-NOT:   @free

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @product(ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %c) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.latch ]
  br label %reduced

reduced:
  %k = phi i64 [ 0, %columns ], [ %k.next, %reduced ]
  %a.at = getelementptr inbounds [100 x double], ptr %a, i64 %i, i64 %k
  %x = load double, ptr %a.at, align 8
  %b.at = getelementptr inbounds [100 x double], ptr %b, i64 %j, i64 %k
  %y = load double, ptr %b.at, align 8
  %c.at = getelementptr inbounds [100 x double], ptr %c, i64 %i, i64 %j
  %z = load double, ptr %c.at, align 8
  %xy = fmul double %x, %y
  %sum = fadd double %z, %xy
  store double %sum, ptr %c.at, align 8
  %k.next = add nuw nsw i64 %k, 1
  %k.again = icmp slt i64 %k.next, 64
  br i1 %k.again, label %reduced, label %columns.latch

columns.latch:
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, 64
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, 64
  br i1 %i.again, label %rows, label %exit

exit:
  ret void
}

attributes #0 = { nounwind }
