; A sweep in place on a processor that has masks for all vectors: diagonals are lanes. In steps in which all lanes have points, what lies below and to the right is
; loaded, what lies above and to the left is handed on by the step before, and the lane at the border loads what no lane hands on to it. The points
; of the other steps are executed one by one. Processors without masks have shorter vectors, and load and store lane by lane.
;
;   for (t < steps) for (i < 1999) for (j < 1999) a[i][j] = (a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j]) / 9;

; RUN: %opt %loadpoly -passes='poly<force>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;machine=haswell>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<4 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;machine=x86-64>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;machine=neoverse-n1>' -verify-each -S %s | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
;
; As the function's own target has them:
; RUN: sed -e 's/x86_64/aarch64/' -e '/^target datalayout/d' -e 's/"target-features"="[^"]*"/"target-features"="+neon"/' %s > %t.ll
; RUN: %opt %loadpoly -passes='poly<force>' -verify-each -S %t.ll | %FileCheck --check-prefix=WIDTH -DTYPE='<2 x double>' %s
; RUN: %opt %loadpoly -passes='poly<force;no-lanes>' -verify-each -S %s | %FileCheck --check-prefix=NONE %s

; CHECK-LABEL: define void @masks(
; CHECK:       poly.c{{[0-9]+}}.all:
; CHECK:         call <8 x double> @llvm.masked.gather
; CHECK:       poly.c{{[0-9]+}}.some:
; CHECK:       poly.c{{[0-9]+}}.header:
; CHECK-NOT:     x double>
; CHECK:         fdiv double
; CHECK-NOT:     x double>
; CHECK:         store double
; CHECK:       poly.c{{[0-9]+}}.step{{[0-9]+}}:
; CHECK:         phi <8 x double>
; CHECK:         load double
; CHECK:         insertelement <8 x double> %
; CHECK:         call <8 x double> @llvm.masked.gather
; CHECK:         fdiv <8 x double> [[SUM:%.*]],
; CHECK:         call void @llvm.masked.scatter
; CHECK:         shufflevector <8 x double>
; CHECK:         br i1

; CHECK-LABEL: define void @plain(
; CHECK-NOT:     llvm.masked
; CHECK:         fdiv <4 x double>
; CHECK:       }

; WIDTH-LABEL: define void @masks(
; WIDTH-NOT:     llvm.masked
; WIDTH:       poly.c{{[0-9]+}}.all:
; WIDTH:         load double
; WIDTH:         insertelement [[TYPE]]
; WIDTH:       poly.c{{[0-9]+}}.some:
; WIDTH:       poly.c{{[0-9]+}}.header:
; WIDTH-NOT:     x double>
; WIDTH:         fdiv double
; WIDTH-NOT:     x double>
; WIDTH:         store double
; WIDTH:       poly.c{{[0-9]+}}.step{{[0-9]+}}:
; WIDTH:         phi [[TYPE]]
; WIDTH:         load double
; WIDTH:         insertelement [[TYPE]] %
; WIDTH:         fdiv [[TYPE]]
; WIDTH:         extractelement [[TYPE]]
; WIDTH:         store double
; WIDTH:         shufflevector [[TYPE]]
; WIDTH:         br i1
; WIDTH-NOT:     llvm.masked
; WIDTH:       }

; NONE-NOT:    masked
; NONE:        attributes

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @masks(i64 noundef %steps, ptr noundef %a) #0 {
entry:
  %any = icmp sgt i64 %steps, 0
  br i1 %any, label %times, label %exit

times:
  %t = phi i64 [ 0, %entry ], [ %t.next, %times.latch ]
  br label %rows

rows:
  %i = phi i64 [ 1, %times ], [ %i.next, %rows.latch ]
  %above = add nsw i64 %i, -1
  %below = add nuw nsw i64 %i, 1
  br label %columns

columns:
  %j = phi i64 [ 1, %rows ], [ %right, %columns ]
  %left = add nsw i64 %j, -1
  %right = add nuw nsw i64 %j, 1
  %x.at = getelementptr inbounds [2000 x double], ptr %a, i64 %above, i64 %right
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr inbounds [2000 x double], ptr %a, i64 %i, i64 %left
  %y = load double, ptr %y.at, align 8
  %xy = fadd double %x, %y
  %z.at = getelementptr inbounds [2000 x double], ptr %a, i64 %i, i64 %right
  %z = load double, ptr %z.at, align 8
  %xyz = fadd double %xy, %z
  %w.at = getelementptr inbounds [2000 x double], ptr %a, i64 %below, i64 %j
  %w = load double, ptr %w.at, align 8
  %sum = fadd double %xyz, %w
  %mean = fdiv double %sum, 9.000000e+00
  %at = getelementptr inbounds [2000 x double], ptr %a, i64 %i, i64 %j
  store double %mean, ptr %at, align 8
  %more = icmp ult i64 %right, 1999
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %more.rows = icmp ult i64 %i.next, 1999
  br i1 %more.rows, label %rows, label %times.latch

times.latch:
  %t.next = add nuw nsw i64 %t, 1
  %more.times = icmp slt i64 %t.next, %steps
  br i1 %more.times, label %times, label %exit

exit:
  ret void
}

define void @plain(i64 noundef %steps, ptr noundef %a) #1 {
entry:
  %any = icmp sgt i64 %steps, 0
  br i1 %any, label %times, label %exit

times:
  %t = phi i64 [ 0, %entry ], [ %t.next, %times.latch ]
  br label %rows

rows:
  %i = phi i64 [ 1, %times ], [ %i.next, %rows.latch ]
  %above = add nsw i64 %i, -1
  %below = add nuw nsw i64 %i, 1
  br label %columns

columns:
  %j = phi i64 [ 1, %rows ], [ %right, %columns ]
  %left = add nsw i64 %j, -1
  %right = add nuw nsw i64 %j, 1
  %x.at = getelementptr inbounds [2000 x double], ptr %a, i64 %above, i64 %right
  %x = load double, ptr %x.at, align 8
  %y.at = getelementptr inbounds [2000 x double], ptr %a, i64 %i, i64 %left
  %y = load double, ptr %y.at, align 8
  %xy = fadd double %x, %y
  %z.at = getelementptr inbounds [2000 x double], ptr %a, i64 %i, i64 %right
  %z = load double, ptr %z.at, align 8
  %xyz = fadd double %xy, %z
  %w.at = getelementptr inbounds [2000 x double], ptr %a, i64 %below, i64 %j
  %w = load double, ptr %w.at, align 8
  %sum = fadd double %xyz, %w
  %mean = fdiv double %sum, 9.000000e+00
  %at = getelementptr inbounds [2000 x double], ptr %a, i64 %i, i64 %j
  store double %mean, ptr %at, align 8
  %more = icmp ult i64 %right, 1999
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %more.rows = icmp ult i64 %i.next, 1999
  br i1 %more.rows, label %rows, label %times.latch

times.latch:
  %t.next = add nuw nsw i64 %t, 1
  %more.times = icmp slt i64 %t.next, %steps
  br i1 %more.times, label %times, label %exit

exit:
  ret void
}

attributes #0 = { "target-features"="+avx512f,+avx512vl,+avx512dq" "min-legal-vector-width"="0" }
attributes #1 = { "target-features"="+avx2" "min-legal-vector-width"="0" }
