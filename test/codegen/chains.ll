; Recurrences along the rows of a matrix on a processor that has masks for all vectors: rows are lanes. As many steps as there are lanes make a block: what is read is loaded row by row and
; transposed, the steps hand on a vector, what they compute is transposed and stored row by row. The steps that are left load and store lane by lane, and the last strip of rows does
; all of it with masks, or point by point on processors without them.
;
;   for (i < 100) for (j = 1 .. 999) q[i][j] = (a[i][j] - q[i][j - 1]) / 3;

; RUN: %opt %loadpoly -passes='poly<force>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;machine=haswell>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<4 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;machine=x86-64>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;machine=neoverse-n1>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;no-lanes>' -verify-each -S %s | %FileCheck --check-prefix=NONE %s

; CHECK-LABEL: define void @masks(
; CHECK:       br i1 {{.*}}, label %poly.c[[J:[0-9]+]].all, label %poly.c[[J]].some
; CHECK:       poly.c[[J]].all:
; CHECK:         call <8 x double> @llvm.masked.gather
; CHECK:         br label %poly.c[[J]].block
;
; Rows that are not there are loaded from the last one that is, and are not stored.
; CHECK:       poly.c[[J]].masked:
; CHECK:         [[SOME:%.*]] = icmp sgt <8 x i64>
; CHECK:         call <8 x double> @llvm.masked.gather{{.*}}<8 x i1> [[SOME]]
; CHECK:         call i64 @llvm.smin.i64
; CHECK:         br label %poly.c[[J]].[[MASKED:block[0-9]+]]
;
; All rows of a strip.
; CHECK:       poly.c[[J]].block:
; CHECK-NEXT:    phi i64
; CHECK-NEXT:    [[FIRST:%.*]] = phi <8 x double>
; CHECK-COUNT-16: load <4 x double>
; CHECK:         fsub <8 x double> {{.*}}, [[FIRST]]
; CHECK:         [[Q1:%.*]] = fdiv <8 x double>
; CHECK:         fsub <8 x double> {{.*}}, [[Q1]]
; CHECK-COUNT-7: fdiv <8 x double>
; CHECK-COUNT-24: shufflevector <8 x double>
; CHECK-COUNT-8: store <8 x double>
; CHECK:         br i1 {{.*}}, label %poly.c[[J]].block, label %poly.c[[J]].rest
; CHECK:       poly.c[[J]].step:
; CHECK:         call <8 x double> @llvm.masked.gather
; CHECK:         fdiv <8 x double>
; CHECK:         call void @llvm.masked.scatter
;
; CHECK:       poly.c[[J]].[[MASKED]]:
; CHECK-COUNT-16: load <4 x double>
; CHECK-COUNT-8: fdiv <8 x double>
; CHECK:         call void @llvm.masked.store

; CHECK-LABEL: define void @plain(
; CHECK-NOT:     masked
; CHECK:         fdiv <4 x double>
; CHECK:       }

; WIDTH-LABEL: define void @masks(
; WIDTH-NOT:     llvm.masked
; WIDTH:       poly.c[[J:[0-9]+]].block:
; WIDTH:         [[FIRST:%.*]] = phi [[TYPE]]
; WIDTH:         fsub [[TYPE]] {{.*}}, [[FIRST]]
; WIDTH:         [[Q1:%.*]] = fdiv [[TYPE]]
; WIDTH:         fsub [[TYPE]] {{.*}}, [[Q1]]
; WIDTH:         shufflevector [[TYPE]]
; WIDTH:         store [[TYPE]]
; WIDTH:         br i1 {{.*}}, label %poly.c[[J]].block, label %poly.c[[J]].rest
; WIDTH-NOT:     llvm.masked
; WIDTH:       }

; NONE-NOT:    masked
; NONE:        attributes

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @masks(ptr noalias noundef %q, ptr noalias noundef %a) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 1, %rows ], [ %j.next, %columns ]
  %before = add nsw i64 %j, -1
  %x.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr inbounds [1000 x double], ptr %q, i64 %i, i64 %before
  %y = load double, ptr %y.at, align 8
  %difference = fsub double %x, %y
  %z = fdiv double %difference, 3.000000e+00
  %z.at = getelementptr inbounds [1000 x double], ptr %q, i64 %i, i64 %j
  store double %z, ptr %z.at, align 8
  %j.next = add nuw nsw i64 %j, 1
  %row.ends = icmp eq i64 %j.next, 1000
  br i1 %row.ends, label %rows.latch, label %columns

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %ends = icmp eq i64 %i.next, 100
  br i1 %ends, label %exit, label %rows

exit:
  ret void
}

define void @plain(ptr noalias noundef %q, ptr noalias noundef %a) #1 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 1, %rows ], [ %j.next, %columns ]
  %before = add nsw i64 %j, -1
  %x.at = getelementptr inbounds [1000 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr inbounds [1000 x double], ptr %q, i64 %i, i64 %before
  %y = load double, ptr %y.at, align 8
  %difference = fsub double %x, %y
  %z = fdiv double %difference, 3.000000e+00
  %z.at = getelementptr inbounds [1000 x double], ptr %q, i64 %i, i64 %j
  store double %z, ptr %z.at, align 8
  %j.next = add nuw nsw i64 %j, 1
  %row.ends = icmp eq i64 %j.next, 1000
  br i1 %row.ends, label %rows.latch, label %columns

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %ends = icmp eq i64 %i.next, 100
  br i1 %ends, label %exit, label %rows

exit:
  ret void
}

attributes #0 = { "target-features"="+avx512f,+avx512vl,+avx512dq" "min-legal-vector-width"="0" }
attributes #1 = { "target-features"="+avx2" "min-legal-vector-width"="0" }
