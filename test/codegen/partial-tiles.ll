; A partial register tile: blocks of four rows and then single rows, columns by masks. The sum is a PHI node in the source; its values are
; those of the array.
;
;   for (i < n) for (j < n) { s = c[i][j]; for (k < n) s += a[i][k] * b[k][j]; c[i][j] = s; }

; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1;machine=x86-64>' -verify-each -S %s | %FileCheck --check-prefix=SHORT %s
; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1;machine=neoverse-n1>' -verify-each -S %s | %FileCheck --check-prefix=SHORT %s

; CHECK-LABEL: define void @product(
; A full tile.
; CHECK:       poly.c{{[0-9]+}}.tile:
; CHECK:         phi <4 x double>
; CHECK:         phi <4 x double>
; CHECK-NOT:     phi <4 x double>
; CHECK:       poly.c{{[0-9]+}}.done:
; CHECK:         store <4 x double>
; A partial one.
; CHECK:       poly.block:
; CHECK:         %poly.first = phi i64
; CHECK:       poly.block{{[0-9]+}}:
; CHECK:         [[COLUMN:%.*]] = phi i64
; CHECK:         [[MASK:%.*]] = icmp {{.*}}<4 x i64>
; CHECK-COUNT-8: call <4 x double> @llvm.masked.load
; CHECK:       poly.c{{[0-9]+}}.tile:
; CHECK:         call <4 x double> @llvm.masked.load{{.*}}<4 x i1> [[MASK]]
; Eight for a block, two for a row.
; CHECK-COUNT-10: call void @llvm.masked.store
; CHECK-NOT:     call void @llvm.masked.store
; CHECK:       }

; Vectors of 16 bytes have no masks: blocks of two vectors, then single columns, four rows and one row at a time.
; SHORT-LABEL: define void @product(
; SHORT-NOT:     llvm.masked
; SHORT:       poly.c{{[0-9]+}}.tile:
; SHORT-COUNT-2: = phi <2 x double> [
; SHORT:       poly.c{{[0-9]+}}.tile:
; SHORT-COUNT-8: = phi <2 x double> [
; SHORT:       poly.c{{[0-9]+}}.tile{{[0-9]+}}:
; SHORT-COUNT-4: = phi double [
; SHORT:       poly.c{{[0-9]+}}.tile{{[0-9]+}}:
; SHORT-COUNT-2: = phi <2 x double> [
; SHORT:       poly.c{{[0-9]+}}.tile{{[0-9]+}}:
; SHORT:         = phi double [
; SHORT-NOT:     llvm.masked
; SHORT:       }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @product(i64 noundef %n, ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %c) "target-features"="+avx2" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %rows, label %exit

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.latch ]
  %c.at = getelementptr inbounds [100 x double], ptr %c, i64 %i, i64 %j
  %start = load double, ptr %c.at, align 8
  br label %reduced

reduced:
  %k = phi i64 [ 0, %columns ], [ %k.next, %reduced ]
  %s = phi double [ %start, %columns ], [ %sum, %reduced ]
  %a.at = getelementptr inbounds [100 x double], ptr %a, i64 %i, i64 %k
  %x = load double, ptr %a.at, align 8
  %b.at = getelementptr inbounds [100 x double], ptr %b, i64 %k, i64 %j
  %y = load double, ptr %b.at, align 8
  %xy = fmul double %x, %y
  %sum = fadd double %s, %xy
  %k.next = add nuw nsw i64 %k, 1
  %k.again = icmp slt i64 %k.next, %n
  br i1 %k.again, label %reduced, label %columns.latch

columns.latch:
  store double %sum, ptr %c.at, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %n
  br i1 %j.again, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %rows, label %exit.loopexit

exit.loopexit:
  br label %exit

exit:
  ret void
}
