; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops;no-math-errno>' -disable-output %s 2>&1 | %FileCheck %s
;
; Mathematical functions leave their errors in errno, unless the user says that nobody looks there.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   #include <math.h>
;   void powers(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       A[i] = pow(B[i], 1.5);
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'powers':
; CHECK-NEXT: scop "powers: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %1 = pow %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
define void @powers(i32 %n, ptr noalias writeonly %A, ptr noalias readonly %B) {
entry:
  %cmp6 = icmp sgt i32 %n, 0
  br i1 %cmp6, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %call = tail call double @pow(double %0, double 1.500000e+00) #2
  %arrayidx2 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  store double %call, ptr %arrayidx2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

declare double @pow(double noundef, double noundef) #1

attributes #1 = { mustprogress nofree nounwind willreturn memory(write) }
attributes #2 = { nounwind }
