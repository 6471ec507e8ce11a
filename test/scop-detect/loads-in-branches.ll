; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Bounds that are loaded again behind a write under a condition on data: the load can be executed before the loops, because the program has loaded from there already;
; not if a call in between may have freed the memory.
;
; Made from this source by clang 19 -O2, as it is before vectorization (the load behind the call taken out):
;
;   void look(void);
;   void bound_in_branch(int n, int *m, int *x, int *y) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < *m; j++)
;         if (y[i] > j)
;           x[i * 4 + j] = y[i + j];
;   }
;   void perhaps_freed(int n, int *m, int *x, int *y) {
;     int before = *m;
;     look();
;     if (before > 0 && n > 0)
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < *m; j++)
;         if (y[i] > j)
;           x[i * 4 + j] = y[i + j];
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'bound_in_branch':
; CHECK-NEXT: scop "bound_in_branch: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter _pre: i32 signed
; CHECK-NEXT:   context: [n, _pre] -> { : 0 < n <= 2147483647 and -2147483648 <= _pre <= 2147483647 }
; CHECK-NEXT:   assume no-wrap: [n, _pre] -> { : n <= 1073741824 or (n >= 1073741825 and _pre <= 0) } because a subscript of 'x' does not exceed the integers of 30 bits
; CHECK-NEXT:   array i32 y[*]
; CHECK-NEXT:   array i32 x[*]
; CHECK-NEXT:   load i32 _pre34 from m if [n, _pre] -> { : n <= 1073741824 or (n >= 1073741825 and _pre <= 0) }
; CHECK-NEXT:   may alias: y, x
; CHECK-NEXT:   may alias: x, m
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, _pre] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < _pre }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, _pre] -> { S0[i0, i1] -> y[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     %2 = icmp affine, %1
; CHECK-NEXT:     if %2: %3 = read [n, _pre] -> { S0[i0, i1] -> y[i0 + i1] }
; CHECK-NEXT:     if %2: may write [n, _pre] -> { S0[i0, i1] -> x[4i0 + i1] } of %3
define void @bound_in_branch(i32 %n, ptr readonly %m, ptr writeonly %x, ptr readonly %y) {
entry:
  %cmp25 = icmp sgt i32 %n, 0
  br i1 %cmp25, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  %.pre = load i32, ptr %m, align 4
  br label %for.cond1.preheader

for.cond1.preheader:
  %0 = phi i32 [ %.pre, %for.cond1.preheader.preheader ], [ %4, %for.cond.cleanup3 ]
  %1 = phi i32 [ %.pre, %for.cond1.preheader.preheader ], [ %5, %for.cond.cleanup3 ]
  %indvars.iv30 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next31, %for.cond.cleanup3 ]
  %cmp223 = icmp sgt i32 %1, 0
  br i1 %cmp223, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %indvars.iv30
  %2 = shl i64 %indvars.iv30, 2
  %3 = and i64 %2, 4294967292
  %invariant.gep = getelementptr inbounds i32, ptr %y, i64 %indvars.iv30
  %invariant.gep35 = getelementptr inbounds i32, ptr %x, i64 %3
  br label %for.body4

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.cond.cleanup3.loopexit:
  %.lcssa = phi i32 [ %10, %for.inc ]
  br label %for.cond.cleanup3

for.cond.cleanup3:
  %4 = phi i32 [ %0, %for.cond1.preheader ], [ %.lcssa, %for.cond.cleanup3.loopexit ]
  %5 = phi i32 [ %1, %for.cond1.preheader ], [ %.lcssa, %for.cond.cleanup3.loopexit ]
  %indvars.iv.next31 = add nuw nsw i64 %indvars.iv30, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next31, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader

for.body4:
  %6 = phi i32 [ %0, %for.body4.lr.ph ], [ %10, %for.inc ]
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %7 = load i32, ptr %arrayidx, align 4
  %8 = sext i32 %7 to i64
  %cmp5 = icmp slt i64 %indvars.iv, %8
  br i1 %cmp5, label %if.then, label %for.inc

if.then:
  %gep = getelementptr inbounds i32, ptr %invariant.gep, i64 %indvars.iv
  %9 = load i32, ptr %gep, align 4
  %gep36 = getelementptr inbounds i32, ptr %invariant.gep35, i64 %indvars.iv
  store i32 %9, ptr %gep36, align 4
  %.pre34 = load i32, ptr %m, align 4
  br label %for.inc

for.inc:
  %10 = phi i32 [ %6, %for.body4 ], [ %.pre34, %if.then ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %11 = sext i32 %10 to i64
  %cmp2 = icmp slt i64 %indvars.iv.next, %11
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3.loopexit
}

; CHECK-LABEL: SCoPs of function 'perhaps_freed':
; CHECK-NEXT: scop "perhaps_freed: for.cond3.preheader => if.end17.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   assume non-negative: [n] -> { : n > 0 } because the number of iterations is not negative
; CHECK-NEXT:   array i32 y[*]
; CHECK-NEXT:   array i32 x[*]
; CHECK-NEXT:   array i32 m[*]
; CHECK-NEXT:   scalar i32 s0 (phi)
; CHECK-NEXT:   scalar i32 s1 (phi)
; CHECK-NEXT:   may overlap: y, x
; CHECK-NEXT:   may overlap: x, m
; CHECK-NEXT:   statement S_entry
; CHECK-NEXT:     domain: [n] -> { S_entry[] }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [n] -> { S_entry[] -> s0[] } of invariant
; CHECK-NEXT:     write [n] -> { S_entry[] -> s1[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> s1[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0] -> s0[] }
; CHECK-NEXT:     %2 = icmp %0, invariant
; CHECK-NEXT:     if %2: %3 = loop of %1, affine, affine, affine, invariant
; CHECK-NEXT:       read [n] -> { S1[i0] -> y[i0] }
; CHECK-NEXT:       read [n] -> { S1[i0] -> y[o0] }
; CHECK-NEXT:       read [n] -> { S1[i0] -> m[0] }
; CHECK-NEXT:       may write [n] -> { S1[i0] -> x[o0] }
; CHECK-NEXT:     if %2: %4 = result of %3
; CHECK-NEXT:     if %2: %5 = %4
; CHECK-NEXT:     %6 = not %2
; CHECK-NEXT:     %7 = %6 ? %1 : %5
; CHECK-NEXT:     %8 = %6 ? %0 : %5
; CHECK-NEXT:     write [n] -> { S1[i0] -> s0[] } of %7
; CHECK-NEXT:     write [n] -> { S1[i0] -> s1[] } of %8
define void @perhaps_freed(i32 %n, ptr readonly %m, ptr writeonly %x, ptr readonly %y) {
entry:
  %0 = load i32, ptr %m, align 4
  tail call void @look()
  %cmp = icmp sgt i32 %0, 0
  %cmp1 = icmp sgt i32 %n, 0
  %or.cond = and i1 %cmp1, %cmp
  br i1 %or.cond, label %for.cond3.preheader.preheader, label %if.end17

for.cond3.preheader.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond3.preheader

for.cond3.preheader:
  %1 = phi i32 [ %0, %for.cond3.preheader.preheader ], [ %5, %for.cond.cleanup5 ]
  %2 = phi i32 [ %0, %for.cond3.preheader.preheader ], [ %6, %for.cond.cleanup5 ]
  %indvars.iv35 = phi i64 [ 0, %for.cond3.preheader.preheader ], [ %indvars.iv.next36, %for.cond.cleanup5 ]
  %cmp429 = icmp sgt i32 %2, 0
  br i1 %cmp429, label %for.body6.lr.ph, label %for.cond.cleanup5

for.body6.lr.ph:
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %indvars.iv35
  %3 = shl i64 %indvars.iv35, 2
  %4 = and i64 %3, 4294967292
  %invariant.gep = getelementptr inbounds i32, ptr %y, i64 %indvars.iv35
  %invariant.gep40 = getelementptr inbounds i32, ptr %x, i64 %4
  br label %for.body6

for.cond.cleanup5.loopexit:
  %.lcssa = phi i32 [ %11, %for.inc ]
  br label %for.cond.cleanup5

for.cond.cleanup5:
  %5 = phi i32 [ %1, %for.cond3.preheader ], [ %.lcssa, %for.cond.cleanup5.loopexit ]
  %6 = phi i32 [ %2, %for.cond3.preheader ], [ %.lcssa, %for.cond.cleanup5.loopexit ]
  %indvars.iv.next36 = add nuw nsw i64 %indvars.iv35, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next36, %wide.trip.count
  br i1 %exitcond.not, label %if.end17.loopexit, label %for.cond3.preheader

for.body6:
  %7 = phi i32 [ %1, %for.body6.lr.ph ], [ %11, %for.inc ]
  %indvars.iv = phi i64 [ 0, %for.body6.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %8 = load i32, ptr %arrayidx, align 4
  %9 = sext i32 %8 to i64
  %cmp7 = icmp slt i64 %indvars.iv, %9
  br i1 %cmp7, label %if.then8, label %for.inc

if.then8:
  %gep = getelementptr inbounds i32, ptr %invariant.gep, i64 %indvars.iv
  %10 = load i32, ptr %gep, align 4
  %gep41 = getelementptr inbounds i32, ptr %invariant.gep40, i64 %indvars.iv
  store i32 %10, ptr %gep41, align 4
  %.pre39 = load i32, ptr %m, align 4
  br label %for.inc

for.inc:
  %11 = phi i32 [ %7, %for.body6 ], [ %.pre39, %if.then8 ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %12 = sext i32 %11 to i64
  %cmp4 = icmp slt i64 %indvars.iv.next, %12
  br i1 %cmp4, label %for.body6, label %for.cond.cleanup5.loopexit

if.end17.loopexit:
  br label %if.end17

if.end17:
  ret void
}

declare void @look()
