; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Counters that do not run in steps of one.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void step_three(int n, double *restrict A) {
;     for (int i = 0; i < n; i += 3)
;       A[i] += 1;
;   }
;   void downwards(int n, double *restrict A) {
;     for (int i = n - 1; i >= 0; i--)
;       A[i] += 1;
;   }
;   void odd_and_even(int n, double *restrict A) {
;     for (int i = 1; i < n; i += 2)
;       A[2 * i + 1] = A[2 * i];
;   }
;   void not_equal(long n, int *restrict A) {
;     for (long i = 0; i != n; i++)
;       A[i] = i;
;   }
;   void pointers(double *p, double *end) {
;     for (; p != end; p++)
;       *p += 1;
;   }
;   void nested_steps(long n, double A[restrict][1000]) {
;     for (long i = 0; i < n; i += 4)
;       for (long j = i; j < n; j += 2)
;         A[i][j] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'step_three':
; CHECK-NEXT: scop "step_three: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 3i0 < n and i0 >= 0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[3i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[3i0] } of %1
define void @step_three(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp4 = icmp sgt i32 %n, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 3
  %cmp = icmp ult i64 %indvars.iv.next, %0
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'downwards':
; CHECK-NEXT: scop "downwards: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[-1 + n - i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[-1 + n - i0] } of %1
define void @downwards(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp3 = icmp sgt i32 %n, 0
  br i1 %cmp3, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ %0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %indvars.iv.next = add nsw i64 %indvars.iv, -1
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv.next
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %cmp = icmp ugt i64 %indvars.iv, 1
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'odd_and_even':
; CHECK-NEXT: scop "odd_and_even: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 2 <= n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 2i0 <= -2 + n and i0 >= 0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[2 + 4i0] }
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[3 + 4i0] } of %0
define void @odd_and_even(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp9 = icmp sgt i32 %n, 1
  br i1 %cmp9, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %1 = shl nuw nsw i64 %indvars.iv, 1
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %1
  %2 = load double, ptr %arrayidx, align 8
  %3 = or disjoint i64 %1, 1
  %arrayidx3 = getelementptr inbounds double, ptr %A, i64 %3
  store double %2, ptr %arrayidx3, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 2
  %cmp = icmp ult i64 %indvars.iv.next, %0
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'not_equal':
; CHECK-NEXT: scop "not_equal: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   context: [n] -> { : }
; CHECK-NEXT:   assume range: [n] -> { : -1125899906842624 <= n <= 1125899906842624 } because n is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume non-negative: [n] -> { : n > 0 } because the number of iterations is not negative
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @not_equal(i64 %n, ptr noalias %A) #1 {
entry:
  %cmp.not4 = icmp eq i64 %n, 0
  br i1 %cmp.not4, label %for.cond.cleanup, label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.05 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %conv = trunc i64 %i.05 to i32
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %i.05
  store i32 %conv, ptr %arrayidx, align 4
  %inc = add nuw nsw i64 %i.05, 1
  %cmp.not = icmp eq i64 %inc, %n
  br i1 %cmp.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'pointers':
; CHECK-NEXT: scop "pointers: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter p_address_end_address: i64 signed
; CHECK-NEXT:   context: [p_address_end_address] -> { : p_address_end_address >= 0 }
; CHECK-NEXT:   assume range: [p_address_end_address] -> { : p_address_end_address <= 1125899906842624 } because p_address_end_address is small enough for loop counters of 64 bits
; CHECK-NEXT:   array double p[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [p_address_end_address] -> { S0[i0] : 0 <= i0 <= p_address_end_address }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [p_address_end_address] -> { S0[i0] -> p[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [p_address_end_address] -> { S0[i0] -> p[i0] } of %1
define void @pointers(ptr %p, ptr %end) #2 {
entry:
  %cmp.not3 = icmp eq ptr %p, %end
  br i1 %cmp.not3, label %for.end, label %for.body

for.body:
  %p.addr.04 = phi ptr [ %incdec.ptr, %for.body ], [ %p, %entry ]
  %0 = load double, ptr %p.addr.04, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %p.addr.04, align 8
  %incdec.ptr = getelementptr inbounds i8, ptr %p.addr.04, i64 8
  %cmp.not = icmp eq ptr %incdec.ptr, %end
  br i1 %cmp.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'nested_steps':
; CHECK-NEXT: scop "nested_steps: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   context: [n] -> { : n > 0 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 4004 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array double A[*][{{.*}}4004{{.*}}]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : i0 >= 0 and 2i1 < n - 4i0 and i1 >= 0 }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> A[i0, 2i1] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, 2i1] } of %1
define void @nested_steps(i64 %n, ptr noalias %A) #0 {
entry:
  %cmp17 = icmp sgt i64 %n, 0
  br i1 %cmp17, label %for.cond1.preheader, label %for.cond.cleanup

for.cond1.preheader:
  %i.018 = phi i64 [ %add8, %for.cond.cleanup3 ], [ 0, %entry ]
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %add8 = add nuw nsw i64 %i.018, 4
  %cmp = icmp slt i64 %add8, %n
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup

for.body4:
  %j.016 = phi i64 [ %i.018, %for.cond1.preheader ], [ %add6, %for.body4 ]
  %arrayidx5 = getelementptr inbounds [1000 x double], ptr %A, i64 %i.018, i64 %j.016
  %0 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx5, align 8
  %add6 = add nuw nsw i64 %j.016, 2
  %cmp2 = icmp slt i64 %add6, %n
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: write) }
attributes #2 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) }
