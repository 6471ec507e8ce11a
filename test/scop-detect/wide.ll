; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Integers of more than 64 bits.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void counter(__int128 n, double *restrict A) {
;     for (__int128 i = 0; i < n; i++)
;       A[i] += 1;
;   }
;   void loaded(const __int128 *restrict n, int m, double *restrict A) {
;     __int128 bound = *n;
;     for (int i = 0; i < m; i++)
;       if (i < bound)
;         A[i] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'counter':
; CHECK-NEXT: scop "counter: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n_coerce0: i64 unsigned
; CHECK-NEXT:   parameter n_coerce1: i64 unsigned
; CHECK-NEXT:   context: [n_coerce0, n_coerce1] -> { : n_coerce0 >= 0 and 18446744073709551616n_coerce1 > -n_coerce0 and n_coerce1 >= 0 }
; CHECK-NEXT:   assume range: [n_coerce0, n_coerce1] -> { : n_coerce0 <= 1125899906842624 } because n_coerce0 is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume no-wrap: [n_coerce0, n_coerce1] -> { : n_coerce1 <= 0 } because an integer of 128 bits has a value of 64
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n_coerce0, n_coerce1] -> { S0[i0] : 0 <= i0 < n_coerce0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n_coerce0, n_coerce1] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n_coerce0, n_coerce1] -> { S0[i0] -> A[i0] } of %1
define void @counter(i64 noundef %n.coerce0, i64 noundef %n.coerce1, ptr noalias nocapture noundef %A) #0 {
entry:
  %n.sroa.2.0.insert.ext = zext i64 %n.coerce1 to i128
  %n.sroa.2.0.insert.shift = shl nuw i128 %n.sroa.2.0.insert.ext, 64
  %n.sroa.0.0.insert.ext = zext i64 %n.coerce0 to i128
  %n.sroa.0.0.insert.insert = or disjoint i128 %n.sroa.2.0.insert.shift, %n.sroa.0.0.insert.ext
  %cmp3 = icmp sgt i128 %n.sroa.0.0.insert.insert, 0
  br i1 %cmp3, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret void

for.body:                                         ; preds = %entry, %for.body
  %i.04 = phi i128 [ %inc, %for.body ], [ 0, %entry ]
  %idxprom = trunc i128 %i.04 to i64
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %idxprom
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %inc = add nuw nsw i128 %i.04, 1
  %cmp = icmp slt i128 %inc, %n.sroa.0.0.insert.insert
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

; CHECK-LABEL: SCoPs of function 'loaded':
; CHECK-NEXT: scop "loaded: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter p0: i64 unsigned
; CHECK-NEXT:   parameter p1: i64 signed
; CHECK-NEXT:   context: [m, p0, p1] -> { : 0 < m <= 2147483647 and p0 >= 0 }
; CHECK-NEXT:   assume range: [m, p0, p1] -> { : p0 <= 1125899906842624 } because p0 is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume no-wrap: [m, p0, p1] -> { : p1 = 0 } because an integer of 128 bits has a value of 64
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [m, p0, p1] -> { S0[i0] : 0 <= i0 < p0 and i0 < m }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [m, p0, p1] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [m, p0, p1] -> { S0[i0] -> A[i0] } of %1
define void @loaded(ptr noalias nocapture noundef readonly %n, i32 noundef %m, ptr noalias nocapture noundef %A) #0 {
entry:
  %0 = load i128, ptr %n, align 16
  %cmp4 = icmp sgt i32 %m, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext nneg i32 %m to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.inc ]
  %conv = zext nneg i64 %indvars.iv to i128
  %cmp1 = icmp sgt i128 %0, %conv
  br i1 %cmp1, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}


attributes #0 = { "target-cpu"="x86-64" }
