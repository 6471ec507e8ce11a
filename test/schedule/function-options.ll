; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule;kept*/scheduler=original>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: env POLY_OPTS='kept*/scheduler=original' %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<kept*/scheduler=original>' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=PIPELINE %s
; RUN: %opt %loadpoly -passes='poly' -pass-remarks-missed=poly -disable-output %s 2>&1 | %FileCheck --check-prefix=WRONG %s
;
; Options for some functions: by name, and by an attribute.
;
; PIPELINE: poly<kept*/scheduler=original>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: Schedules of function 'fused'
; CHECK: schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(i0)] }]"
define void @fused(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %a, align 8
  %y = fmul double %x, 2.000000e+00
  %b = getelementptr inbounds double, ptr %B, i64 %i
  store double %y, ptr %b, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 100
  br i1 %more, label %first, label %second

second:
  %j = phi i64 [ 0, %first ], [ %j.next, %second ]
  %d = getelementptr inbounds double, ptr %B, i64 %j
  %z = load double, ptr %d, align 8
  %w = fadd double %z, 1.000000e+00
  %c = getelementptr inbounds double, ptr %C, i64 %j
  store double %w, ptr %c, align 8
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ne i64 %j.next, 100
  br i1 %again, label %second, label %end

end:
  ret void
}

; CHECK-LABEL: Schedules of function 'kept_by_name'
; CHECK: sequence:
; CHECK: schedule: "[{ S0[i0] -> [(i0)] }]"
; CHECK: schedule: "[{ S1[i0] -> [(i0)] }]"
define void @kept_by_name(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %a, align 8
  %y = fmul double %x, 2.000000e+00
  %b = getelementptr inbounds double, ptr %B, i64 %i
  store double %y, ptr %b, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 100
  br i1 %more, label %first, label %second

second:
  %j = phi i64 [ 0, %first ], [ %j.next, %second ]
  %d = getelementptr inbounds double, ptr %B, i64 %j
  %z = load double, ptr %d, align 8
  %w = fadd double %z, 1.000000e+00
  %c = getelementptr inbounds double, ptr %C, i64 %j
  store double %w, ptr %c, align 8
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ne i64 %j.next, 100
  br i1 %again, label %second, label %end

end:
  ret void
}

; CHECK-LABEL: Schedules of function 'apart_by_attribute'
; CHECK: sequence:
; CHECK: schedule: "[{ S0[i0] -> [(i0)] }]"
; CHECK: schedule: "[{ S1[i0] -> [(i0)] }]"
define void @apart_by_attribute(ptr noalias %A, ptr noalias %B, ptr noalias %C) "poly"="fuse=no" {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %a, align 8
  %y = fmul double %x, 2.000000e+00
  %b = getelementptr inbounds double, ptr %B, i64 %i
  store double %y, ptr %b, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 100
  br i1 %more, label %first, label %second

second:
  %j = phi i64 [ 0, %first ], [ %j.next, %second ]
  %d = getelementptr inbounds double, ptr %B, i64 %j
  %z = load double, ptr %d, align 8
  %w = fadd double %z, 1.000000e+00
  %c = getelementptr inbounds double, ptr %C, i64 %j
  store double %w, ptr %c, align 8
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ne i64 %j.next, 100
  br i1 %again, label %second, label %end

end:
  ret void
}

; WRONG: function cannot be optimized: its attribute 'poly': unknown option 'often'
define void @wrong(ptr noalias %A, ptr noalias %B, ptr noalias %C) "poly"="often" {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %a, align 8
  %y = fmul double %x, 2.000000e+00
  %b = getelementptr inbounds double, ptr %B, i64 %i
  store double %y, ptr %b, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 100
  br i1 %more, label %first, label %second

second:
  %j = phi i64 [ 0, %first ], [ %j.next, %second ]
  %d = getelementptr inbounds double, ptr %B, i64 %j
  %z = load double, ptr %d, align 8
  %w = fadd double %z, 1.000000e+00
  %c = getelementptr inbounds double, ptr %C, i64 %j
  store double %w, ptr %c, align 8
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ne i64 %j.next, 100
  br i1 %again, label %second, label %end

end:
  ret void
}
