; A full register tile: results are loaded before the reduced loop, kept in PHI nodes, and stored behind it. What does not depend on columns is computed
; once for each row; everything else in vectors. What columns load is
; prefetched.
;
;   for (i < n) for (j < n) for (k < n) c[i][j] += a[i][k] * 3.0 * b[k][j];

; RUN: %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;no-register-tile>' -verify-each -S %s | %FileCheck --check-prefix=OFF %s

; CHECK-LABEL: define void @product(
; CHECK:       poly.c[[K:[0-9]+]].preheader:
; CHECK:         [[OLD0:%.*]] = load <2 x double>, ptr {{.*}}, align 8, !alias.scope
; CHECK:         [[OLD1:%.*]] = load <2 x double>, ptr {{.*}}, align 8, !alias.scope
; CHECK:       poly.c[[K]].tile:
; CHECK:         phi <2 x double> [ [[OLD0]], %poly.c[[K]].preheader ], [ [[NEW0:%.*]], %poly.c[[K]].tile ]
; CHECK:         phi <2 x double> [ [[OLD1]], %poly.c[[K]].preheader ], [ [[NEW1:%.*]], %poly.c[[K]].tile ]
; CHECK:         fmul double %{{.*}}, 3.0
; CHECK:         call void @llvm.prefetch
; CHECK:         load <2 x double>
; CHECK:         shufflevector <2 x double>
; CHECK:         fmul <2 x double>
; CHECK:         [[NEW0]] = fadd <2 x double>
; CHECK-NOT:     load <2 x double>
; CHECK-NOT:     llvm.prefetch
; CHECK:         fmul double %{{.*}}, 3.0
; CHECK:         [[NEW1]] = fadd <2 x double>
; CHECK-NOT:     store
; CHECK:         br i1 {{.*}}, label %poly.c[[K]].done, label %poly.c[[K]].tile
; CHECK:       poly.c[[K]].done:
; CHECK:         [[END0:%.*]] = phi <2 x double> [ [[NEW0]]
; CHECK:         [[END1:%.*]] = phi <2 x double> [ [[NEW1]]
; CHECK:         store <2 x double> [[END0]]
; CHECK:         store <2 x double> [[END1]]

; OFF-LABEL: define void @product(
; OFF:       poly.opt:
; OFF-NOT:     phi <2 x double>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @product(i64 noundef %n, ptr noundef %a, ptr noundef %b, ptr noundef %c) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %rows, label %exit

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
  %x3 = fmul double %x, 3.0
  %b.at = getelementptr inbounds [100 x double], ptr %b, i64 %k, i64 %j
  %y = load double, ptr %b.at, align 8
  %c.at = getelementptr inbounds [100 x double], ptr %c, i64 %i, i64 %j
  %z = load double, ptr %c.at, align 8
  %xy = fmul double %x3, %y
  %sum = fadd double %z, %xy
  store double %sum, ptr %c.at, align 8
  %k.next = add nuw nsw i64 %k, 1
  %k.again = icmp slt i64 %k.next, %n
  br i1 %k.again, label %reduced, label %columns.latch

columns.latch:
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
