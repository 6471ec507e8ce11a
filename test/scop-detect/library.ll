; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; A call is one of the C library's function if that is declared as the library declares it, and if nothing says that it is another one.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: SCoPs of function 'library':
; CHECK:         %1 = sqrt %0 (errno)
define void @library(ptr %A) {
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

; CHECK-LABEL: SCoPs of function 'no_builtin_call':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may write memory
define void @no_builtin_call(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @sqrt(double %x) nobuiltin
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'no_builtins':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may write memory
define void @no_builtins(ptr %A) "no-builtins" {
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

; CHECK-LABEL: SCoPs of function 'no_builtin_root':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may write memory
define void @no_builtin_root(ptr %A) "no-builtin-sqrt" {
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

; The library's has a double.
;
; CHECK-LABEL: SCoPs of function 'other_prototype':
; CHECK-NEXT: rejected loop nest: call: the call of 'exp' may write memory
define void @other_prototype(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds float, ptr %A, i64 %i
  %x = load float, ptr %p, align 4, !tbaa !3
  %r = call float @exp(float %x)
  store float %r, ptr %p, align 4, !tbaa !3
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; The program's own, that another one may replace.
;
; CHECK-LABEL: SCoPs of function 'defined':
; CHECK-NEXT: rejected loop nest: call: the call of 'cos' may write memory
define void @defined(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @cos(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; A function called like an instruction is another one.
;
; CHECK-LABEL: SCoPs of function 'pure':
; CHECK:         %2 = @add %0, %1
define void @pure(ptr %A, ptr %B) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds i32, ptr %A, i64 %i
  %x = load i32, ptr %B, align 4
  %y = load i32, ptr %p, align 4
  %r = call i32 @add(i32 %x, i32 %y)
  store i32 %r, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

declare double @sqrt(double) nounwind willreturn
declare float @exp(float) nounwind willreturn
declare i32 @add(i32, i32) nounwind willreturn memory(none)

define weak double @cos(double %x) nounwind willreturn noinline {
  store double %x, ptr @state
  ret double %x
}

@state = global double 0.0

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"Simple C/C++ TBAA"}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !2, i64 0}
