; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Loops that are left by several blocks, by conditions that are affine: the domains of what comes behind an exit are cut. And those that are not modelled, each with its reason.
;
; Made from this source by clang 19 -O3, as it is before vectorization:
;
;   int returned(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       B[i][0] += 1;
;       if (i * 2 > m)
;         return i;
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i];
;     }
;     return -1;
;   }
;   void breaks(int n, int m, int k, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       A[i] += 1;
;       if (i == m)
;         break;
;       B[i] = A[i];
;       if (3 * i > k)
;         break;
;       B[i] += 2;
;     }
;   }
;   int search(int n, double A[restrict 500][500], double x) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         if (A[i][j] == x)
;           return i;
;     return -1;
;   }
;   void by_data(int n, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++) {
;         if (B[j][i] < 0)
;           break;
;         A[i][j] += B[j][i];
;       }
;   }
;   void under_condition(int n, int m, int k, double *restrict A) {
;     for (int i = 0; i < n; i++) {
;       A[i] += 1;
;       if (i > m) {
;         A[i] = 0;
;         if (i > k)
;           break;
;         A[i + 1] = 3;
;       }
;       A[i] += 3;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'returned'
; CHECK: scop "returned: for.body.us => cleanup"
; CHECK: context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK: assume in-bounds: [n, m] -> { : n <= 500 or (n >= 501 and m <= 999) } because subscripts of 'B' are inside its inner dimensions
; CHECK: assume in-bounds: [n, m] -> { : n <= 500 or (n >= 501 and m < 0) } because subscripts of 'A' are inside its inner dimensions
; CHECK: array double B[*]{{\[\[}}n, m] -> { [(500)] }]
; CHECK: array double A[*]{{\[\[}}n, m] -> { [(500)] }]
; CHECK: domain: [n, m] -> { S0[i0 = 0] : m < 0; S0[i0] : m >= 0 and 0 <= i0 < n and 2i0 <= 2 + m }
; CHECK: %{{[0-9]+}} = read [n, m] -> { S0[i0] -> B[i0, 0] }
; CHECK: write [n, m] -> { S0[i0] -> B[i0, 0] } of %{{[0-9]+}}
; CHECK: domain: [n, m] -> { S1[i0, i1] : 0 <= i0 < n and 2i0 <= m and 0 <= i1 < n }
; CHECK: %{{[0-9]+}} = read [n, m] -> { S1[i0, i1] -> B[i1, i0] }
; CHECK: %{{[0-9]+}} = read [n, m] -> { S1[i0, i1] -> A[i0, i1] }
; CHECK: write [n, m] -> { S1[i0, i1] -> A[i0, i1] } of %{{[0-9]+}}
; CHECK: domain: [n, m] -> { S2[] : m >= -2 + 2n }
; CHECK: write [n, m] -> { S2[] -> spec_select_phi[] } of invariant
; CHECK: domain: [n, m] -> { S3[] : m <= -3 + 2n }
; CHECK: write [n, m] -> { S3[] -> spec_select_phi[] } of affine
define i32 @returned(i32 noundef %n, i32 noundef %m, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef %B) {
entry:
  %cmp.not32 = icmp sgt i32 %n, 0
  br i1 %cmp.not32, label %for.body.us.preheader, label %cleanup

for.body.us.preheader:
  %0 = sext i32 %m to i64
  %wide.trip.count41 = zext nneg i32 %n to i64
  br label %for.body.us

for.body.us:
  %indvars.iv37 = phi i64 [ 0, %for.body.us.preheader ], [ %indvars.iv.next38, %for.cond3.for.cond.cleanup5_crit_edge.us ]
  %arrayidx.us = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv37
  %1 = load double, ptr %arrayidx.us, align 8
  %add.us = fadd double %1, 1.000000e+00
  store double %add.us, ptr %arrayidx.us, align 8
  %2 = shl nuw nsw i64 %indvars.iv37, 1
  %cmp2.us = icmp sgt i64 %2, %0
  br i1 %cmp2.us, label %cleanup.loopexit.split.loop.exit, label %for.body6.us.preheader

for.body6.us.preheader:
  br label %for.body6.us

for.body6.us:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body6.us ], [ 0, %for.body6.us.preheader ]
  %arrayidx10.us = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv37
  %3 = load double, ptr %arrayidx10.us, align 8
  %arrayidx14.us = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv37, i64 %indvars.iv
  %4 = load double, ptr %arrayidx14.us, align 8
  %add15.us = fadd double %3, %4
  store double %add15.us, ptr %arrayidx14.us, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count41
  br i1 %exitcond.not, label %for.cond3.for.cond.cleanup5_crit_edge.us, label %for.body6.us

for.cond3.for.cond.cleanup5_crit_edge.us:
  %indvars.iv.next38 = add nuw nsw i64 %indvars.iv37, 1
  %exitcond42.not = icmp eq i64 %indvars.iv.next38, %wide.trip.count41
  br i1 %exitcond42.not, label %cleanup.loopexit, label %for.body.us

cleanup.loopexit.split.loop.exit:
  %indvars.iv37.lcssa = phi i64 [ %indvars.iv37, %for.body.us ]
  %5 = trunc nuw nsw i64 %indvars.iv37.lcssa to i32
  br label %cleanup

cleanup.loopexit:
  br label %cleanup

cleanup:
  %spec.select = phi i32 [ -1, %entry ], [ %5, %cleanup.loopexit.split.loop.exit ], [ -1, %cleanup.loopexit ]
  ret i32 %spec.select
}

; CHECK-LABEL: SCoPs of function 'breaks'
; CHECK: scop "breaks: for.body => cleanup.loopexit"
; CHECK: context: [n, m, k] -> { : 0 < n <= 2147483647 and 0 <= m <= 4294967295 and -2147483648 <= k <= 2147483647 }
; CHECK: assume no-wrap: [n, m, k] -> { : m <= 715827882 or (n <= 715827883 and m >= 715827883) } because the condition does not exceed the integers of 32 bits
; CHECK: array double A[*]
; CHECK: array double B[*]
; CHECK: domain: [n, m, k] -> { S0[i0 = 0] : k < 0; S0[i0] : k >= 0 and 0 <= i0 < n and i0 <= m and 3i0 <= 3 + k }
; CHECK: %{{[0-9]+}} = read [n, m, k] -> { S0[i0] -> A[i0] }
; CHECK: write [n, m, k] -> { S0[i0] -> A[i0] } of %{{[0-9]+}}
; CHECK: write [n, m, k] -> { S0[i0] -> add[] } of %{{[0-9]+}}
; CHECK: domain: [n, m, k] -> { S1[i0 = 0] : m > 0 and k < 0; S1[i0] : k >= 0 and 0 <= i0 < m and i0 < n and 3i0 <= 3 + k }
; CHECK: %{{[0-9]+}} = read [n, m, k] -> { S1[i0] -> add[] }
; CHECK: write [n, m, k] -> { S1[i0] -> B[i0] } of %{{[0-9]+}}
; CHECK: domain: [n, m, k] -> { S2[i0] : 0 <= i0 < m and i0 < n and 3i0 <= k }
; CHECK: %{{[0-9]+}} = read [n, m, k] -> { S2[i0] -> add[] }
; CHECK: write [n, m, k] -> { S2[i0] -> B[i0] } of %{{[0-9]+}}
define void @breaks(i32 noundef %n, i32 noundef %m, i32 noundef %k, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef writeonly %B) {
entry:
  %cmp21 = icmp sgt i32 %n, 0
  br i1 %cmp21, label %for.body.preheader, label %cleanup

for.body.preheader:
  %0 = zext i32 %m to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end8 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %cmp1 = icmp eq i64 %indvars.iv, %0
  br i1 %cmp1, label %cleanup.loopexit, label %if.end

if.end:
  %arrayidx5 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  store double %add, ptr %arrayidx5, align 8
  %2 = trunc i64 %indvars.iv to i32
  %3 = mul i32 %2, 3
  %cmp6 = icmp sgt i32 %3, %k
  br i1 %cmp6, label %cleanup.loopexit, label %if.end8

if.end8:
  %add11 = fadd double %add, 2.000000e+00
  store double %add11, ptr %arrayidx5, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup.loopexit, label %for.body

cleanup.loopexit:
  br label %cleanup

cleanup:
  ret void
}

; CHECK-LABEL: SCoPs of function 'search'
; CHECK: rejected loop nest: multiple-exits: the loop is left together with a loop inside of it
; CHECK: rejected loop nest: multiple-exits: the loop is left together with a loop inside of it
define i32 @search(i32 noundef %n, ptr noalias nocapture noundef readonly %A, double noundef %x) {
entry:
  %cmp.not26 = icmp sgt i32 %n, 0
  br i1 %cmp.not26, label %for.cond1.preheader.us.preheader, label %cleanup10

for.cond1.preheader.us.preheader:
  %wide.trip.count34 = zext nneg i32 %n to i64
  br label %for.cond1.preheader.us

for.cond1.preheader.us:
  %indvars.iv31 = phi i64 [ 0, %for.cond1.preheader.us.preheader ], [ %indvars.iv.next32, %for.cond1.for.inc8_crit_edge.us ]
  br label %for.body4.us

for.cond1.us:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count34
  br i1 %exitcond.not, label %for.cond1.for.inc8_crit_edge.us, label %for.body4.us

for.body4.us:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader.us ], [ %indvars.iv.next, %for.cond1.us ]
  %arrayidx6.us = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv31, i64 %indvars.iv
  %0 = load double, ptr %arrayidx6.us, align 8
  %cmp7.us = fcmp oeq double %0, %x
  br i1 %cmp7.us, label %cleanup10.loopexit, label %for.cond1.us

for.cond1.for.inc8_crit_edge.us:
  %indvars.iv.next32 = add nuw nsw i64 %indvars.iv31, 1
  %exitcond35.not = icmp eq i64 %indvars.iv.next32, %wide.trip.count34
  br i1 %exitcond35.not, label %cleanup10.loopexit38, label %for.cond1.preheader.us

cleanup10.loopexit:
  %indvars.iv31.lcssa = phi i64 [ %indvars.iv31, %for.body4.us ]
  %1 = trunc nuw nsw i64 %indvars.iv31.lcssa to i32
  br label %cleanup10

cleanup10.loopexit38:
  br label %cleanup10

cleanup10:
  %spec.select = phi i32 [ -1, %entry ], [ %1, %cleanup10.loopexit ], [ -1, %cleanup10.loopexit38 ]
  ret i32 %spec.select
}

; CHECK-LABEL: SCoPs of function 'by_data'
; CHECK: %0 = loop of invariant, affine, invariant, invariant
; CHECK-NEXT: read [n] -> { S0[i0] -> B[o0, i0] : 0 <= o0 < n }
; CHECK-NEXT: read [n] -> { S0[i0] -> A[i0, o1] : 0 <= o1 < n }
; CHECK-NEXT: may write [n] -> { S0[i0] -> A[i0, o1] : 0 <= o1 < n }
; CHECK-NOT: rejected
define void @by_data(i32 noundef %n, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp32 = icmp sgt i32 %n, 0
  br i1 %cmp32, label %for.cond1.preheader.us.preheader, label %for.cond.cleanup

for.cond1.preheader.us.preheader:
  %wide.trip.count38 = zext nneg i32 %n to i64
  br label %for.cond1.preheader.us

for.cond1.preheader.us:
  %indvars.iv35 = phi i64 [ 0, %for.cond1.preheader.us.preheader ], [ %indvars.iv.next36, %cleanup.us ]
  br label %for.body4.us

for.body4.us:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader.us ], [ %indvars.iv.next, %if.end.us ]
  %arrayidx6.us = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv35
  %0 = load double, ptr %arrayidx6.us, align 8
  %cmp7.us = fcmp olt double %0, 0.000000e+00
  br i1 %cmp7.us, label %cleanup.us, label %if.end.us

if.end.us:
  %arrayidx15.us = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv35, i64 %indvars.iv
  %1 = load double, ptr %arrayidx15.us, align 8
  %add.us = fadd double %0, %1
  store double %add.us, ptr %arrayidx15.us, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count38
  br i1 %exitcond.not, label %cleanup.us, label %for.body4.us

cleanup.us:
  %indvars.iv.next36 = add nuw nsw i64 %indvars.iv35, 1
  %exitcond39.not = icmp eq i64 %indvars.iv.next36, %wide.trip.count38
  br i1 %exitcond39.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader.us

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void
}

; CHECK-LABEL: SCoPs of function 'under_condition'
; CHECK: rejected loop nest: multiple-exits: the loop may be left early, from a place that not every iteration reaches
define void @under_condition(i32 noundef %n, i32 noundef %m, i32 noundef %k, ptr noalias nocapture noundef %A) {
entry:
  %cmp23 = icmp sgt i32 %n, 0
  br i1 %cmp23, label %for.body.preheader, label %cleanup

for.body.preheader:
  %0 = sext i32 %k to i64
  %1 = sext i32 %m to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end9 ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %2 = load double, ptr %arrayidx, align 8
  %add = fadd double %2, 1.000000e+00
  %cmp1 = icmp sgt i64 %indvars.iv, %1
  br i1 %cmp1, label %if.then, label %if.end9

if.then:
  store double 0.000000e+00, ptr %arrayidx, align 8
  %cmp4 = icmp sgt i64 %indvars.iv, %0
  br i1 %cmp4, label %cleanup.loopexit, label %if.end

if.end:
  %arrayidx8 = getelementptr inbounds i8, ptr %arrayidx, i64 8
  store double 3.000000e+00, ptr %arrayidx8, align 8
  br label %if.end9

if.end9:
  %3 = phi double [ 0.000000e+00, %if.end ], [ %add, %for.body ]
  %add12 = fadd double %3, 3.000000e+00
  store double %add12, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup.loopexit, label %for.body

cleanup.loopexit:
  br label %cleanup

cleanup:
  ret void
}
