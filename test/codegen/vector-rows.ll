; A loop without dependences on a processor that has masks for vectors of 64 bytes: points up to the first aligned one, whole vectors, points that
; are left. The factor that stands still is loaded once. Without masks, see row-ends.ll.
;
;   for (i < n) for (j < m) b[i][j] = a[i][j] * f[i];

; RUN: %opt %loadpoly -passes='poly<force;no-register-tile>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;no-register-tile;machine=haswell>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<4 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;no-register-tile;machine=x86-64>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;no-register-tile;machine=neoverse-n1>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s

; CHECK-LABEL: define void @masked(
; CHECK:       poly.c{{[0-9]+}}.header:
; CHECK:         load double
; CHECK-NOT:     load double
; CHECK:         ptrtoint ptr {{.*}} to i64
; CHECK:         select i1 {{.*}}, i64 {{.*}}, i64 0
; CHECK:       poly.some:
; CHECK:         [[MASK:%.*]] = icmp {{.*}}<8 x i64>
; CHECK:         call <8 x double> @llvm.masked.load{{.*}}<8 x i1> [[MASK]]
; CHECK:         fmul <8 x double>
; CHECK:         call void @llvm.masked.store{{.*}}<8 x i1> [[MASK]]
; CHECK:       poly.c{{[0-9]+}}.vector:
; CHECK-NOT:     load double
; CHECK:         load <8 x double>
; CHECK:         fmul <8 x double>
; CHECK:         store <8 x double>
; CHECK:         br i1 {{.*}}!llvm.loop [[$ID:![0-9]+]]
; CHECK:       poly.some{{[0-9]+}}:
; CHECK:         call void @llvm.masked.store

; CHECK-LABEL: define void @plain(
; CHECK:       poly.opt:
; CHECK-NOT:     <8 x double>
; CHECK:       poly.c{{[0-9]+}}.vector:
; CHECK:         fmul <4 x double>
; CHECK-NOT:     <8 x double>
; CHECK:       poly.some{{[0-9]+}}:
; CHECK:         fmul <2 x double>
; CHECK:       poly.some{{[0-9]+}}:
; CHECK:         fmul double
; CHECK:       }

; WIDTH-LABEL: define void @masked(
; WIDTH-NOT:     llvm.masked
; WIDTH:       poly.c{{[0-9]+}}.vector:
; WIDTH-NOT:     load double
; WIDTH:         load [[TYPE]]
; WIDTH:         fmul [[TYPE]]
; WIDTH:         store [[TYPE]]
; WIDTH:         br i1 {{.*}}!llvm.loop
; WIDTH:         fmul double
; WIDTH:         store double
; WIDTH-NOT:     llvm.masked
; WIDTH:       }

; CHECK:       attributes #{{[0-9]+}} = {{.*}}"min-legal-vector-width"="512"
; CHECK:       [[$ID]] = distinct !{[[$ID]], {{.*}}, [[$VECTORIZED:![0-9]+]]}
; CHECK:       [[$VECTORIZED]] = !{!"llvm.loop.isvectorized", i32 1}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @masked(i64 noundef %n, i64 noundef %m, ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %f) #0 {
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

define void @plain(i64 noundef %n, i64 noundef %m, ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %f) #1 {
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

attributes #0 = { "target-features"="+avx512f,+avx512vl,+avx512dq" "min-legal-vector-width"="0" }
attributes #1 = { "target-features"="+avx2" "min-legal-vector-width"="0" }
