; Variables that cannot be revived once for all iterations.
; RUN: %opt %loadpoly -passes='print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
; UNSUPPORTED: llvm22

declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; What was written before the mark is looked at in the first iteration.
; CHECK-LABEL: SCoPs of function 'used_before':
; CHECK-NEXT: rejected loop nest: allocation: the lifetime of 'v' begins inside the loop, and it is not known to be used only there
define void @used_before(i64 %n, ptr noalias %a) {
entry:
  %v = alloca [8 x double]
  store double 1.0, ptr %v
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load double, ptr %v
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  call void @llvm.lifetime.start.p0(i64 64, ptr %v)
  store double 2.0, ptr %v
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}

; The address goes away.
; CHECK-LABEL: SCoPs of function 'escapes':
; CHECK-NEXT: rejected loop nest: allocation:
define void @escapes(i64 %n, ptr noalias %a) {
entry:
  %v = alloca [8 x double]
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.lifetime.start.p0(i64 64, ptr %v)
  %q = getelementptr inbounds ptr, ptr %a, i64 %i
  store ptr %v, ptr %q
  call void @llvm.lifetime.end.p0(i64 64, ptr %v)
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}

; The lifetime only ends inside: nothing needs to be done.
; CHECK-LABEL: SCoPs of function 'ends_only':
; CHECK: write [n] -> { S0[i0] -> a[i0] }
define void @ends_only(i64 %n, ptr noalias %a) {
entry:
  %v = alloca [8 x double]
  call void @llvm.lifetime.start.p0(i64 64, ptr %v)
  store double 2.0, ptr %v
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load double, ptr %v
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %last, label %loop

last:
  call void @llvm.lifetime.end.p0(i64 64, ptr %v)
  br label %done

done:
  ret void
}
