; RUN: env POLY_OPTS=no-whole-loops %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Values that are merged where several ways meet.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void chosen_bound(int n, int m, int which, double a[restrict 60][60]) {
;     int end;
;     if (which > 3) {
;       for (int i = 0; i < n; i++)
;         a[i][0] += 1;
;       end = n;
;     } else {
;       for (int i = 0; i < m; i++)
;         a[0][i] += 2;
;       end = m - which;
;     }
;     for (int i = 0; i < end; i++)
;       a[i][1] += 3;
;   }
;   void chosen_condition(int n, int m, int which, double a[restrict 60][60]) {
;     _Bool go_on;
;     if (which > 3) {
;       for (int i = 0; i < n; i++)
;         a[i][0] += 1;
;       go_on = m > 7;
;     } else {
;       for (int i = 0; i < m; i++)
;         a[0][i] += 2;
;       go_on = m < n;
;     }
;     if (go_on)
;       for (int i = 0; i < n; i++)
;         a[i][1] += 3;
;   }
;   void chosen_start(int n, int which, double *restrict a) {
;     double *start;
;     if (which > 3) {
;       for (int i = 0; i < n; i++)
;         a[i] += 1;
;       start = a + n;
;     } else {
;       for (int i = 0; i < n; i++)
;         a[2 * i] += 2;
;       start = a + 3 * which;
;     }
;     for (int i = 0; i < n; i++)
;       start[i] += 3;
;   }
;   void by_data(int n, double *restrict a) {
;     for (int i = 0; i < n; i++) {
;       int end = 5;
;       if (a[i] > 0) {
;         a[i] = 0;
;         end = 7;
;       }
;       for (int j = 0; j < end; j++)
;         a[i + j] += 1;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'chosen_bound':
; CHECK-NEXT: scop "chosen_bound: entry.branch => for.cond.cleanup18"
; CHECK-NEXT:   parameter which: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [which, m, n] -> { : -2147483648 <= which <= 2147483647 and -2147483648 <= m <= 2147483647 and -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   assume no-wrap: [which, m, n] -> { : which >= 4 or (which <= 3 and m >= -2147483648 + which) } because the condition of a branch does not fall below the integers of 32 bits
; CHECK-NEXT:   assume no-wrap: [which, m, n] -> { : m <= 2147483647 + which } because the condition of a branch does not exceed the integers of 32 bits
; CHECK-NEXT:   array double a[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [which, m, n] -> { S0[i0] : which <= 3 and 0 <= i0 < m }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [which, m, n] -> { S0[i0] -> a[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, m, n] -> { S0[i0] -> a[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [which, m, n] -> { S1[i0] : which >= 4 and 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [which, m, n] -> { S1[i0] -> a[60i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, m, n] -> { S1[i0] -> a[60i0] } of %1
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [which, m, n] -> { S2[i0] : (which <= 3 and 0 <= i0 < -which + m) or (which >= 4 and 0 <= i0 < n) }
; CHECK-NEXT:     order: [2, i0, 0]
; CHECK-NEXT:     %0 = read [which, m, n] -> { S2[i0] -> a[1 + 60i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, m, n] -> { S2[i0] -> a[1 + 60i0] } of %1
define void @chosen_bound(i32 noundef %n, i32 noundef %m, i32 noundef %which, ptr noalias nocapture noundef %a) #0 {
entry:
  %cmp = icmp sgt i32 %which, 3
  br i1 %cmp, label %for.cond.preheader, label %for.cond4.preheader

for.cond4.preheader:                              ; preds = %entry
  %cmp512 = icmp sgt i32 %m, 0
  br i1 %cmp512, label %for.body7.preheader, label %for.cond.cleanup6

for.body7.preheader:                              ; preds = %for.cond4.preheader
  %wide.trip.count = zext nneg i32 %m to i64
  br label %for.body7

for.cond.preheader:                               ; preds = %entry
  %cmp114 = icmp sgt i32 %n, 0
  br i1 %cmp114, label %for.body.preheader, label %for.cond.cleanup18

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count22 = zext nneg i32 %n to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv19 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next20, %for.body ]
  %arrayidx = getelementptr inbounds [60 x double], ptr %a, i64 %indvars.iv19
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next20 = add nuw nsw i64 %indvars.iv19, 1
  %exitcond23.not = icmp eq i64 %indvars.iv.next20, %wide.trip.count22
  br i1 %exitcond23.not, label %if.end, label %for.body

for.cond.cleanup6:                                ; preds = %for.body7, %for.cond4.preheader
  %sub = sub nsw i32 %m, %which
  br label %if.end

for.body7:                                        ; preds = %for.body7.preheader, %for.body7
  %indvars.iv = phi i64 [ 0, %for.body7.preheader ], [ %indvars.iv.next, %for.body7 ]
  %arrayidx10 = getelementptr inbounds [60 x double], ptr %a, i64 0, i64 %indvars.iv
  %1 = load double, ptr %arrayidx10, align 8
  %add11 = fadd double %1, 2.000000e+00
  store double %add11, ptr %arrayidx10, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7

if.end:                                           ; preds = %for.body, %for.cond.cleanup6
  %end.0 = phi i32 [ %sub, %for.cond.cleanup6 ], [ %n, %for.body ]
  %cmp1716 = icmp sgt i32 %end.0, 0
  br i1 %cmp1716, label %for.body19.preheader, label %for.cond.cleanup18

for.body19.preheader:                             ; preds = %if.end
  %wide.trip.count27 = zext nneg i32 %end.0 to i64
  br label %for.body19

for.cond.cleanup18:                               ; preds = %for.body19, %for.cond.preheader, %if.end
  ret void

for.body19:                                       ; preds = %for.body19.preheader, %for.body19
  %indvars.iv24 = phi i64 [ 0, %for.body19.preheader ], [ %indvars.iv.next25, %for.body19 ]
  %arrayidx22 = getelementptr inbounds [60 x double], ptr %a, i64 %indvars.iv24, i64 1
  %2 = load double, ptr %arrayidx22, align 8
  %add23 = fadd double %2, 3.000000e+00
  store double %add23, ptr %arrayidx22, align 8
  %indvars.iv.next25 = add nuw nsw i64 %indvars.iv24, 1
  %exitcond28.not = icmp eq i64 %indvars.iv.next25, %wide.trip.count27
  br i1 %exitcond28.not, label %for.cond.cleanup18, label %for.body19
}

; CHECK-LABEL: SCoPs of function 'chosen_condition':
; CHECK-NEXT: scop "chosen_condition: entry.branch => if.end31"
; CHECK-NEXT:   parameter which: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [which, m, n] -> { : -2147483648 <= which <= 2147483647 and -2147483648 <= m <= 2147483647 and -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   array double a[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [which, m, n] -> { S0[i0] : which <= 3 and 0 <= i0 < m }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [which, m, n] -> { S0[i0] -> a[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, m, n] -> { S0[i0] -> a[i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [which, m, n] -> { S1[i0] : which >= 4 and 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [which, m, n] -> { S1[i0] -> a[60i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, m, n] -> { S1[i0] -> a[60i0] } of %1
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [which, m, n] -> { S2[i0] : (which <= 3 and n > m and 0 <= i0 < n) or (which >= 4 and m >= 8 and 0 <= i0 < n) }
; CHECK-NEXT:     order: [2, i0, 0]
; CHECK-NEXT:     %0 = read [which, m, n] -> { S2[i0] -> a[1 + 60i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, m, n] -> { S2[i0] -> a[1 + 60i0] } of %1
define void @chosen_condition(i32 noundef %n, i32 noundef %m, i32 noundef %which, ptr noalias nocapture noundef %a) #0 {
entry:
  %cmp = icmp sgt i32 %which, 3
  br i1 %cmp, label %for.cond.preheader, label %for.cond5.preheader

for.cond5.preheader:                              ; preds = %entry
  %cmp613 = icmp sgt i32 %m, 0
  br i1 %cmp613, label %for.body8.preheader, label %if.end

for.body8.preheader:                              ; preds = %for.cond5.preheader
  %wide.trip.count = zext nneg i32 %m to i64
  br label %for.body8

for.cond.preheader:                               ; preds = %entry
  %cmp115 = icmp sgt i32 %n, 0
  br i1 %cmp115, label %for.body.preheader, label %if.end31

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count24 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %cmp3 = icmp sgt i32 %m, 7
  %or.cond19 = and i1 %cmp3, %cmp115
  br i1 %or.cond19, label %for.body23.preheader, label %if.end31

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv21 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next22, %for.body ]
  %arrayidx = getelementptr inbounds [60 x double], ptr %a, i64 %indvars.iv21
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next22 = add nuw nsw i64 %indvars.iv21, 1
  %exitcond25.not = icmp eq i64 %indvars.iv.next22, %wide.trip.count24
  br i1 %exitcond25.not, label %for.cond.cleanup, label %for.body

for.body8:                                        ; preds = %for.body8.preheader, %for.body8
  %indvars.iv = phi i64 [ 0, %for.body8.preheader ], [ %indvars.iv.next, %for.body8 ]
  %arrayidx11 = getelementptr inbounds [60 x double], ptr %a, i64 0, i64 %indvars.iv
  %1 = load double, ptr %arrayidx11, align 8
  %add12 = fadd double %1, 2.000000e+00
  store double %add12, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %if.end, label %for.body8

if.end:                                           ; preds = %for.body8, %for.cond5.preheader
  %cmp16 = icmp slt i32 %m, %n
  %cmp2117 = icmp sgt i32 %n, 0
  %or.cond = and i1 %cmp16, %cmp2117
  br i1 %or.cond, label %for.body23.preheader, label %if.end31

for.body23.preheader:                             ; preds = %if.end, %for.cond.cleanup
  %wide.trip.count29 = zext nneg i32 %n to i64
  br label %for.body23

for.body23:                                       ; preds = %for.body23.preheader, %for.body23
  %indvars.iv26 = phi i64 [ 0, %for.body23.preheader ], [ %indvars.iv.next27, %for.body23 ]
  %arrayidx26 = getelementptr inbounds [60 x double], ptr %a, i64 %indvars.iv26, i64 1
  %2 = load double, ptr %arrayidx26, align 8
  %add27 = fadd double %2, 3.000000e+00
  store double %add27, ptr %arrayidx26, align 8
  %indvars.iv.next27 = add nuw nsw i64 %indvars.iv26, 1
  %exitcond30.not = icmp eq i64 %indvars.iv.next27, %wide.trip.count29
  br i1 %exitcond30.not, label %if.end31, label %for.body23

if.end31:                                         ; preds = %for.body23, %for.cond.preheader, %for.cond.cleanup, %if.end
  ret void
}

; CHECK-LABEL: SCoPs of function 'chosen_start':
; CHECK-NEXT: scop "chosen_start: entry.branch => for.cond.cleanup19"
; CHECK-NEXT:   parameter which: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [which, n] -> { : -2147483648 <= which <= 2147483647 and -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   assume no-wrap: [which, n] -> { : which >= -715827882 or (which <= -715827883 and n <= 0) } because a subscript of 'a' does not fall below the integers of 32 bits
; CHECK-NEXT:   array double a[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [which, n] -> { S0[i0] : which <= 3 and 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [which, n] -> { S0[i0] -> a[2i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, n] -> { S0[i0] -> a[2i0] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [which, n] -> { S1[i0] : which >= 4 and 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [which, n] -> { S1[i0] -> a[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, n] -> { S1[i0] -> a[i0] } of %1
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [which, n] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [2, i0, 0]
; CHECK-NEXT:     %0 = read [which, n] -> { S2[i0] -> a[n + i0] : which >= 4 and n > 0; S2[i0] -> a[3which + i0] : which <= 3 and n > 0 }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [which, n] -> { S2[i0] -> a[n + i0] : which >= 4 and n > 0; S2[i0] -> a[3which + i0] : which <= 3 and n > 0 } of %1
define void @chosen_start(i32 noundef %n, i32 noundef %which, ptr noalias nocapture noundef %a) #0 {
entry:
  %cmp = icmp sgt i32 %which, 3
  %cmp116 = icmp sgt i32 %n, 0
  br i1 %cmp, label %for.cond.preheader, label %for.cond3.preheader

for.cond3.preheader:                              ; preds = %entry
  br i1 %cmp116, label %for.body6.preheader, label %for.cond.cleanup5

for.body6.preheader:                              ; preds = %for.cond3.preheader
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body6

for.cond.preheader:                               ; preds = %entry
  br i1 %cmp116, label %for.body.preheader, label %for.cond.cleanup19

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count25 = zext nneg i32 %n to i64
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv22 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next23, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %a, i64 %indvars.iv22
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %indvars.iv.next23 = add nuw nsw i64 %indvars.iv22, 1
  %exitcond26.not = icmp eq i64 %indvars.iv.next23, %wide.trip.count25
  br i1 %exitcond26.not, label %if.end, label %for.body

for.cond.cleanup5:                                ; preds = %for.body6, %for.cond3.preheader
  %mul13 = mul nsw i32 %which, 3
  br label %if.end

for.body6:                                        ; preds = %for.body6.preheader, %for.body6
  %indvars.iv = phi i64 [ 0, %for.body6.preheader ], [ %indvars.iv.next, %for.body6 ]
  %arrayidx8.idx = shl nsw i64 %indvars.iv, 4
  %arrayidx8 = getelementptr inbounds i8, ptr %a, i64 %arrayidx8.idx
  %1 = load double, ptr %arrayidx8, align 8
  %add9 = fadd double %1, 2.000000e+00
  store double %add9, ptr %arrayidx8, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6

if.end:                                           ; preds = %for.body, %for.cond.cleanup5
  %idx.ext.pn.in = phi i32 [ %mul13, %for.cond.cleanup5 ], [ %n, %for.body ]
  %idx.ext.pn = sext i32 %idx.ext.pn.in to i64
  %start.0 = getelementptr inbounds double, ptr %a, i64 %idx.ext.pn
  %cmp1818 = icmp sgt i32 %n, 0
  br i1 %cmp1818, label %for.body20.preheader, label %for.cond.cleanup19

for.body20.preheader:                             ; preds = %if.end
  %wide.trip.count30 = zext nneg i32 %n to i64
  br label %for.body20

for.cond.cleanup19:                               ; preds = %for.body20, %for.cond.preheader, %if.end
  ret void

for.body20:                                       ; preds = %for.body20.preheader, %for.body20
  %indvars.iv27 = phi i64 [ 0, %for.body20.preheader ], [ %indvars.iv.next28, %for.body20 ]
  %arrayidx22 = getelementptr inbounds double, ptr %start.0, i64 %indvars.iv27
  %2 = load double, ptr %arrayidx22, align 8
  %add23 = fadd double %2, 3.000000e+00
  store double %add23, ptr %arrayidx22, align 8
  %indvars.iv.next28 = add nuw nsw i64 %indvars.iv27, 1
  %exitcond31.not = icmp eq i64 %indvars.iv.next28, %wide.trip.count30
  br i1 %exitcond31.not, label %for.cond.cleanup19, label %for.body20
}

; CHECK-LABEL: SCoPs of function 'by_data':
; CHECK-NEXT: scop "by_data: for.body7 => for.cond.cleanup6"
; CHECK-NEXT:   parameter end_0: i64 signed
; CHECK-NEXT:   parameter indvars_iv14: i64 signed
; CHECK-NEXT:   context: [end_0, indvars_iv14] -> { : 5 <= end_0 <= 7 and 0 <= indvars_iv14 <= 2147483646 }
; CHECK-NEXT:   array double a[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [end_0, indvars_iv14] -> { S0[i0] : 0 <= i0 < end_0 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [end_0, indvars_iv14] -> { S0[i0] -> a[indvars_iv14 + i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [end_0, indvars_iv14] -> { S0[i0] -> a[indvars_iv14 + i0] } of %1
; CHECK-NEXT: rejected loop nest: non-affine-trip-count: the number of iterations depends on 'end.0', which is computed inside the region
define void @by_data(i32 noundef %n, ptr noalias nocapture noundef %a) #0 {
entry:
  %cmp10 = icmp sgt i32 %n, 0
  br i1 %cmp10, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count17 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup6, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.cond.cleanup6
  %indvars.iv14 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next15, %for.cond.cleanup6 ]
  %arrayidx = getelementptr inbounds double, ptr %a, i64 %indvars.iv14
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp ogt double %0, 0.000000e+00
  br i1 %cmp1, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  store double 0.000000e+00, ptr %arrayidx, align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  %end.0 = phi i64 [ 7, %if.then ], [ 5, %for.body ]
  %invariant.gep = getelementptr inbounds double, ptr %a, i64 %indvars.iv14
  br label %for.body7

for.cond.cleanup6:                                ; preds = %for.body7
  %indvars.iv.next15 = add nuw nsw i64 %indvars.iv14, 1
  %exitcond18.not = icmp eq i64 %indvars.iv.next15, %wide.trip.count17
  br i1 %exitcond18.not, label %for.cond.cleanup, label %for.body

for.body7:                                        ; preds = %if.end, %for.body7
  %indvars.iv = phi i64 [ 0, %if.end ], [ %indvars.iv.next, %for.body7 ]
  %gep = getelementptr inbounds double, ptr %invariant.gep, i64 %indvars.iv
  %1 = load double, ptr %gep, align 8
  %add10 = fadd double %1, 1.000000e+00
  store double %add10, ptr %gep, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %end.0
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7
}


attributes #0 = { "target-cpu"="x86-64" }
