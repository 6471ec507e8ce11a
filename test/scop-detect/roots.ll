; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops;no-math-errno>' -disable-output %s 2>&1 | %FileCheck --check-prefix=NOERRNO %s
;
; The square root may set errno to one value only. It is modelled where nothing else in the region can be errno.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; All accesses are to numbers of type double by the rules of C.
;
; CHECK-LABEL: SCoPs of function 'doubles':
; CHECK:         %0 = read { S0[i0] -> A[i0] }
; CHECK-NEXT:    %1 = sqrt %0 (errno)
; CHECK-NEXT:    write { S0[i0] -> A[i0] } of %1
; NOERRNO-LABEL: SCoPs of function 'doubles':
; NOERRNO:         %1 = sqrt %0{{$}}
define void @doubles(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; Nothing says that B is not where errno is.
;
; CHECK-LABEL: SCoPs of function 'untyped':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may set 'errno', which 'B' may overlap (the option 'no-math-errno' says that nobody looks at it)
define void @untyped(ptr %A, ptr %B) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %q = getelementptr inbounds double, ptr %B, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x)
  store double %r, ptr %q, align 8
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; Integers have the type of errno.
;
; CHECK-LABEL: SCoPs of function 'integers':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may set 'errno', which 'B' may overlap (the option 'no-math-errno' says that nobody looks at it)
define void @integers(ptr %A, ptr %B) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %q = getelementptr inbounds i32, ptr %B, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  store i32 1, ptr %q, align 4, !tbaa !4
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; Another call looks at memory.
;
; CHECK-LABEL: SCoPs of function 'observed':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may set 'errno', which another call may read (the option 'no-math-errno' says that nobody looks at it)
define void @observed(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x)
  %s = call double @look(double %r)
  store double %s, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; A function of the program with the name of the root.
;
; CHECK-LABEL: SCoPs of function 'another':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may write memory
define void @another(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x) #3
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; Nobody uses the root; only its error is seen.
;
; CHECK-LABEL: SCoPs of function 'unused':
; CHECK:         %0 = read { S0[i0] -> A[i0] }
; CHECK-NEXT:    %1 = sqrt %0 (errno)
; CHECK:         write { S1[i0] -> A[i0] } of invariant
define void @unused(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x)
  store double 0.0, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

declare double @sqrt(double) #0
declare double @look(double) #2

attributes #0 = { nounwind willreturn memory(write) }
attributes #2 = { nounwind willreturn memory(read) }
attributes #3 = { nobuiltin }

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !2, i64 0}
