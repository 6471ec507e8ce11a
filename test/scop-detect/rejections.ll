; RUN: env POLY_OPTS=no-whole-loops %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Why a loop nest is not modelled (if loops that cannot be are not executed as a whole, which whole-loops.ll is about).
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   double sqrt(double);
;   double outside(double);
;   void call(int n, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[i] = outside(A[i]);
;   }
;   void errno_call(int n, double *A) {
;     for (int i = 0; i < n; i++)
;       A[i] = sqrt(A[i]);
;   }
;   void volatile_write(int n, volatile int *A) {
;     for (int i = 0; i < n; i++)
;       A[i] = i;
;   }
;   void atomic_add(int n, _Atomic int *A) {
;     for (int i = 0; i < n; i++)
;       A[i] += 1;
;   }
;   void inline_assembler(int n, int *A) {
;     for (int i = 0; i < n; i++) {
;       A[i] += 1;
;       __asm__("nop" : "+r"(n));
;     }
;   }
;   void data_condition(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++)
;       if (A[i] > 0)
;         B[i] += A[i];
;   }
;   void indirect(int n, int *restrict I, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[I[i]] += 1;
;   }
;   int search(int n, int *A) {
;     int i;
;     for (i = 0; i < n; i++)
;       if (A[i] == 7)
;         break;
;     return i;
;   }
;   void unknown_count(int *A) {
;     while (*A)
;       *A++ += 1;
;   }
;   void squares(int n, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[i * i] += 1;
;   }
;   void geometric(int n, double *restrict A) {
;     for (int i = 1; i < n; i *= 2)
;       A[i] += 1;
;   }
;   void doubly_bounded(int n, double A[restrict][100]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < i * n; j++)
;         A[i][j] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'call':
; CHECK-NEXT: rejected loop nest: call: the call of 'outside' may write memory
define void @call(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp7 = icmp sgt i32 %n, 0
  br i1 %cmp7, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %call = tail call double @outside(double %0) #10
  store double %call, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare double @outside(double noundef) #1

; CHECK-LABEL: SCoPs of function 'errno_call':
; CHECK-NEXT: rejected loop nest: call: the call of 'sqrt' may set 'errno', which 'A' may overlap (the option 'no-math-errno' says that nobody looks at it)
define void @errno_call(i32 %n, ptr %A) #2 {
entry:
  %cmp7 = icmp sgt i32 %n, 0
  br i1 %cmp7, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %call = tail call double @sqrt(double %0) #10
  store double %call, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare double @sqrt(double noundef) #3

; CHECK-LABEL: SCoPs of function 'volatile_write':
; CHECK-NEXT: rejected loop nest: ordering: a volatile write
define void @volatile_write(i32 %n, ptr %A) #4 {
entry:
  %cmp4 = icmp sgt i32 %n, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  store volatile i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'atomic_add':
; CHECK-NEXT: rejected loop nest: ordering: 'atomicrmw' synchronizes with other threads
define void @atomic_add(i32 %n, ptr %A) #5 {
entry:
  %cmp3 = icmp sgt i32 %n, 0
  br i1 %cmp3, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = atomicrmw add ptr %arrayidx, i32 1 seq_cst, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'inline_assembler':
; CHECK-NEXT: rejected loop nest: call: inline assembler is not modelled
define void @inline_assembler(i32 %n, ptr %A) #6 {
entry:
  %cmp4 = icmp sgt i32 %n, 0
  br i1 %cmp4, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ 0, %entry ]
  %n.addr.05 = phi i32 [ %1, %for.body ], [ %n, %entry ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %0, 1
  store i32 %add, ptr %arrayidx, align 4
  %1 = tail call i32 asm "nop", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %n.addr.05) #11
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %2 = sext i32 %1 to i64
  %cmp = icmp slt i64 %indvars.iv.next, %2
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'data_condition':
; CHECK-NEXT: scop "data_condition: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     if %1: %2 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     if %1: %3 = fadd %0, %2
; CHECK-NEXT:     if %1: may write [n] -> { S0[i0] -> B[i0] } of %3
define void @data_condition(i32 %n, ptr noalias %A, ptr noalias %B) #7 {
entry:
  %cmp11 = icmp sgt i32 %n, 0
  br i1 %cmp11, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 0.000000e+00
  br i1 %cmp1, label %if.then, label %for.inc

if.then:
  %arrayidx5 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %1 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx5, align 8
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'indirect':
; CHECK-NEXT: scop "indirect: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 I[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> I[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     %2 = getelementptr invariant, %1
; CHECK-NEXT:     %3 = read [n] -> { S0[i0] -> A[o0] } at %2
; CHECK-NEXT:     %4 = fadd %3, invariant
; CHECK-NEXT:     may write [n] -> { S0[i0] -> A[o0] } of %4 at %2
define void @indirect(i32 %n, ptr noalias %I, ptr noalias %A) #7 {
entry:
  %cmp5 = icmp sgt i32 %n, 0
  br i1 %cmp5, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %I, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom1 = sext i32 %0 to i64
  %arrayidx2 = getelementptr inbounds double, ptr %A, i64 %idxprom1
  %1 = load double, ptr %arrayidx2, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx2, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'search':
; CHECK-NEXT: rejected loop nest: multiple-exits: the loop may be left early: the condition depends on the value loaded from 'A'
define i32 @search(i32 %n, ptr %A) #8 {
entry:
  %cmp5 = icmp sgt i32 %n, 0
  br i1 %cmp5, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp eq i32 %0, 7
  br i1 %cmp1, label %for.end.loopexit.split.loop.exit, label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end.loopexit.split.loop.exit:
  %1 = trunc nuw nsw i64 %indvars.iv to i32
  br label %for.end

for.end:
  %i.0.lcssa = phi i32 [ 0, %entry ], [ %1, %for.end.loopexit.split.loop.exit ], [ %n, %for.inc ]
  ret i32 %i.0.lcssa
}

; CHECK-LABEL: SCoPs of function 'unknown_count':
; CHECK-NEXT: rejected loop nest: unknown-trip-count: it is not known how often the loop runs: its exit depends on the value loaded from 'A.addr.03'
define void @unknown_count(ptr %A) #9 {
entry:
  %0 = load i32, ptr %A, align 4
  %tobool.not2 = icmp eq i32 %0, 0
  br i1 %tobool.not2, label %while.end, label %while.body

while.body:
  %1 = phi i32 [ %2, %while.body ], [ %0, %entry ]
  %A.addr.03 = phi ptr [ %incdec.ptr, %while.body ], [ %A, %entry ]
  %incdec.ptr = getelementptr inbounds i8, ptr %A.addr.03, i64 4
  %add = add nsw i32 %1, 1
  store i32 %add, ptr %A.addr.03, align 4
  %2 = load i32, ptr %incdec.ptr, align 4
  %tobool.not = icmp eq i32 %2, 0
  br i1 %tobool.not, label %while.end, label %while.body

while.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'squares':
; CHECK-NEXT: scop "squares: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = mul affine, affine
; CHECK-NEXT:     %1 = getelementptr invariant, %0
; CHECK-NEXT:     %2 = read [n] -> { S0[i0] -> A[o0] } at %1
; CHECK-NEXT:     %3 = fadd %2, invariant
; CHECK-NEXT:     may write [n] -> { S0[i0] -> A[o0] } of %3 at %1
define void @squares(i32 %n, ptr noalias %A) #7 {
entry:
  %cmp4 = icmp sgt i32 %n, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %0 = mul nuw nsw i64 %indvars.iv, %indvars.iv
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %0
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'geometric':
; CHECK-NEXT: rejected loop nest: unknown-trip-count: it is not known how often the loop runs: its exit depends on 'mul'
define void @geometric(i32 %n, ptr noalias %A) #7 {
entry:
  %cmp3 = icmp sgt i32 %n, 1
  br i1 %cmp3, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.04 = phi i32 [ %mul, %for.body ], [ 1, %entry ]
  %idxprom = zext nneg i32 %i.04 to i64
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %idxprom
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %mul = shl nsw i32 %i.04, 1
  %cmp = icmp slt i32 %mul, %n
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'doubly_bounded':
; CHECK-NEXT: scop "doubly_bounded: for.body4 => for.cond.cleanup3.loopexit"
; CHECK-NEXT:   parameter indvars_iv25_n_0: i64 signed
; CHECK-NEXT:   parameter indvars_iv25: i64 signed
; CHECK-NEXT:   context: [indvars_iv25_n_0, indvars_iv25] -> { : indvars_iv25_n_0 >= -1 and 0 <= indvars_iv25 <= 2147483646 }
; CHECK-NEXT:   assume range: [indvars_iv25_n_0, indvars_iv25] -> { : indvars_iv25_n_0 <= 1125899906842624 } because indvars_iv25_n_0 is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume non-negative: [indvars_iv25_n_0, indvars_iv25] -> { : indvars_iv25_n_0 >= 0 } because the number of iterations is not negative
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [indvars_iv25_n_0, indvars_iv25] -> { S0[i0] : 0 <= i0 <= indvars_iv25_n_0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [indvars_iv25_n_0, indvars_iv25] -> { S0[i0] -> A[100indvars_iv25 + i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [indvars_iv25_n_0, indvars_iv25] -> { S0[i0] -> A[100indvars_iv25 + i0] } of %1
; CHECK-NEXT: rejected loop nest: non-affine-condition: the condition of a branch grows by a step that is not constant
define void @doubly_bounded(i32 %n, ptr noalias %A) #7 {
entry:
  %cmp18 = icmp sgt i32 %n, 0
  br i1 %cmp18, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  %0 = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv25 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next26, %for.cond.cleanup3 ]
  %indvars.iv23 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next24, %for.cond.cleanup3 ]
  %1 = trunc i64 %indvars.iv25 to i32
  %2 = mul i32 %1, %n
  %cmp216 = icmp sgt i32 %2, 0
  br i1 %cmp216, label %for.body4, label %for.cond.cleanup3

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next26 = add nuw nsw i64 %indvars.iv25, 1
  %indvars.iv.next24 = add nuw nsw i64 %indvars.iv23, %0
  %exitcond32.not = icmp eq i64 %indvars.iv.next26, %0
  br i1 %exitcond32.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body4 ], [ 0, %for.cond1.preheader ]
  %arrayidx6 = getelementptr inbounds [100 x double], ptr %A, i64 %indvars.iv25, i64 %indvars.iv
  %3 = load double, ptr %arrayidx6, align 8
  %add = fadd double %3, 1.000000e+00
  store double %add, ptr %arrayidx6, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %indvars.iv23
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { nofree nounwind memory(write, argmem: readwrite) }
attributes #3 = { mustprogress nofree nounwind willreturn memory(write) }
attributes #4 = { nofree norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #5 = { nofree norecurse nounwind memory(argmem: readwrite) }
attributes #6 = { nounwind memory(argmem: readwrite) }
attributes #7 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #8 = { nofree norecurse nosync nounwind memory(argmem: read) }
attributes #9 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) }
attributes #10 = { nounwind }
attributes #11 = { nounwind memory(none) }
