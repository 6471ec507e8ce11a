; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Functions of the C library with one kind of error may change places with others of the same kind.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'exponentials':
; CHECK:         %0 = read { S0[i0] -> A[i0] }
; CHECK-NEXT:    %1 = exp %0 (errno)
; CHECK-NEXT:    write { S0[i0] -> A[i0] } of %1
define void @exponentials(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @exp(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; A domain error and a range error.
;
; CHECK-LABEL: SCoPs of function 'both':
; CHECK-NEXT: rejected loop nest: call: the call of 'exp' may set 'errno', which other calls set to another value (the option 'no-math-errno' says that nobody looks at it)
define void @both(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %s = call double @sqrt(double %x)
  %r = call double @exp(double %s)
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; A logarithm has both.
;
; CHECK-LABEL: SCoPs of function 'logarithms':
; CHECK-NEXT: rejected loop nest: call: the call of 'log' may set 'errno' (the option 'no-math-errno' says that nobody looks at it)
define void @logarithms(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @log(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

declare double @sqrt(double) #0
declare double @exp(double) #0
declare double @log(double) #0

attributes #0 = { nounwind willreturn memory(write) }
attributes #2 = { nounwind willreturn memory(read) }
attributes #3 = { nobuiltin }

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !2, i64 0}
