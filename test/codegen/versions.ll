; The new code stands beside the original behind a check of the byte ranges of two arrays that may overlap.
;
;   void copy(long n, double *a, double *b) {   // 0 < n
;     for (long i = 0; i < n; i++)
;       b[i] = a[i];
;   }

; RUN: %opt %loadpoly -passes='poly<force>' -verify-each -S %s | %FileCheck %s

; n has 64 bits and no bounds: it is tested before anything is computed from it.
; CHECK-LABEL: define void @copy(
; CHECK:         [[SMALL:%.*]] = icmp ult i64 %n, 1125899906842625
; CHECK:         br i1 [[SMALL]], label %poly.check.alias, label %[[ORIGINAL:[^,]*]], !prof ![[SIDES:[0-9]+]], !poly.new
; CHECK:       [[ORIGINAL]]:
; CHECK:         load double, ptr %from
; CHECK-NOT:     !alias.scope
; CHECK:         store double %x, ptr %to
; Addresses are compared in 128 bits: their sums with sizes cannot wrap around.
; CHECK:       poly.check.alias:
; CHECK:         shl nuw nsw i64 %n, 3
; CHECK:         icmp {{(samesign )?}}ule i128
; CHECK:         [[DISJOINT:%.*]] = or i1
; CHECK:         br i1 [[DISJOINT]], label %poly.opt, label %[[ORIGINAL]], !prof ![[SIDES]], !poly.new

; CHECK:       poly.opt:
; CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata ![[A:[0-9]+]])
; CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata ![[B:[0-9]+]])
; CHECK:         load double, {{.*}}, !alias.scope ![[A]], !noalias ![[B]], !llvm.access.group ![[GROUP:[0-9]+]]
; CHECK:         store double {{.*}}, !alias.scope ![[B]], !noalias ![[A]], !llvm.access.group ![[GROUP]]
; CHECK:         br i1 {{.*}}, !llvm.loop ![[LOOP:[0-9]+]]

; Which side is new is known by the larger weight, whatever passes make of the branch.
; CHECK:       ![[SIDES]] = !{!"branch_weights", i32 5, i32 4}
; CHECK:       ![[GROUP]] = distinct !{}
; CHECK:       ![[LOOP]] = distinct !{![[LOOP]], !{{[0-9]+}}, ![[PARALLEL:[0-9]+]]
; CHECK:       ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", ![[GROUP]]}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @copy(i64 noundef %n, ptr noundef %a, ptr noundef %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  br label %loop

loop:
  %i = phi i64 [ 0, %preheader ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %from, align 8
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %x, ptr %to, align 8
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit.loopexit

exit.loopexit:
  br label %exit

exit:
  ret void
}
