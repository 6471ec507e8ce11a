; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --check-prefix=ORDER %s
;
; Functions of the C library with one kind of error may change places with others of the same kind; calls that may set different errors keep their order.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'exponentials':
; CHECK:         %0 = read { S0[i0] -> A[i0] }
; CHECK-NEXT:    %1 = exp %0 (errno)
; CHECK-NEXT:    write { S0[i0] -> A[i0] } of %1
;
; ORDER-LABEL: Dependences of function 'exponentials':
; ORDER-NOT: output
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

; A domain error and a range error: the calls stay in order.
;
; CHECK-LABEL: SCoPs of function 'both':
; CHECK:       scalar i32 errno (errno, used after the region)
; CHECK:         %0 = read { S0[i0] -> A[i0] }
; CHECK-NEXT:    %1 = sqrt %0 (errno)
; CHECK-NEXT:    may write { S0[i0] -> errno[] } of %1
; CHECK-NEXT:    %3 = exp %1 (errno)
; CHECK-NEXT:    may write { S0[i0] -> errno[] } of %3
; CHECK-NEXT:    write { S0[i0] -> A[i0] } of %3
;
; ORDER-LABEL: Dependences of function 'both':
; ORDER-NEXT: scop "both
; ORDER-NEXT: output 0.1 -> 0.2: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 99 }
; ORDER-NEXT: output 0.2 -> 0.1: { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 <= 99 }
; ORDER-NOT: output
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
; CHECK:         %1 = log %0 (errno)
; CHECK-NEXT:    may write { S0[i0] -> errno[] } of %1
;
; ORDER-LABEL: Dependences of function 'logarithms':
; ORDER: output 0.1 -> 0.1:
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

; Nobody uses the result, but the error stays.
;
; CHECK-LABEL: SCoPs of function 'unused':
; CHECK:         %1 = log %0 (errno)
; CHECK-NEXT:    may write { S0[i0] -> errno[] } of %1
; CHECK-NEXT:    %3 = fadd %0, invariant
define void @unused(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @log(double %x)
  %s = fadd double %x, 1.0
  store double %s, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; A loop that is executed as a whole.
;
; CHECK-LABEL: SCoPs of function 'whole':
; CHECK:         = loop (errno) of
; CHECK-NEXT:      may write { S{{.*}} -> errno[] }
define void @whole(ptr %A) mustprogress {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  br label %inner
inner:
  %y = phi double [ %x, %body ], [ %r, %inner ]
  %r = call double @log(double %y)
  %again = fcmp ogt double %r, 2.0
  br i1 %again, label %inner, label %latch
latch:
  store double %r, ptr %p, align 8, !tbaa !0
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; Integers that are certainly not errno: fresh memory, arrays of the module, a restrict parameter.
;
; CHECK-LABEL: SCoPs of function 'elsewhere':
; CHECK-NEXT: scop "elsewhere
define void @elsewhere(ptr %A, ptr noalias %B) {
entry:
  %C = alloca [100 x i32], align 4
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %q = getelementptr inbounds i32, ptr %B, i64 %i
  %c = getelementptr inbounds i32, ptr %C, i64 %i
  %g = getelementptr inbounds [100 x i32], ptr @G, i64 0, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @log(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  store i32 1, ptr %q, align 4, !tbaa !4
  store i32 2, ptr %c, align 4, !tbaa !4
  store i32 3, ptr %g, align 4, !tbaa !4
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

; A single integer of the module may be errno, and so may an array of another module.
;
; CHECK-LABEL: SCoPs of function 'somewhere':
; CHECK-NEXT: rejected loop nest: call: the call of 'log' may set 'errno', which 'I' may overlap
; CHECK-LABEL: SCoPs of function 'outside':
; CHECK-NEXT: rejected loop nest: call: the call of 'log' may set 'errno', which 'H' may overlap
define void @somewhere(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @log(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  store i32 1, ptr @I, align 4, !tbaa !4
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

define void @outside(ptr %A) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds double, ptr %A, i64 %i
  %q = getelementptr inbounds [100 x i32], ptr @H, i64 0, i64 %i
  %x = load double, ptr %p, align 8, !tbaa !0
  %r = call double @log(double %x)
  store double %r, ptr %p, align 8, !tbaa !0
  store i32 1, ptr %q, align 4, !tbaa !4
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %end, label %body
end:
  ret void
}

@G = internal global [100 x i32] zeroinitializer
@H = external global [100 x i32]
@I = global i32 0

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
