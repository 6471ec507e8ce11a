; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; What cannot be modelled but is not thought to run often: assumed not to run.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   int printf(const char *, ...);
;   void traced(int n, int row, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       if (i == row)
;         printf("row %d\n", i);
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i];
;     }
;   }
;   void often(int n, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       if (i % 100 == 50)
;         printf("row %d\n", i);
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i];
;     }
;   }
;   void first(int n, int m, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++) {
;         if (j < m)
;           printf("row %d\n", i);
;         A[i][j] += B[j][i];
;       }
;   }
;   void likely(int n, int row, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       if (__builtin_expect(i == row, 1))
;         printf("row %d\n", i);
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i];
;     }
;   }
;   int returned(int n, int limit, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       if (i > limit) {
;         printf("row %d\n", i);
;         return -1;
;       }
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i];
;     }
;     return n;
;   }
;   void merged(int n, int row, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       double factor = B[i][i];
;       if (i == row)
;         factor = printf("row %d\n", i);
;       for (int j = 0; j < n; j++)
;         A[i][j] += B[j][i] * factor;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.str = private unnamed_addr constant [8 x i8] c"row %d\0A\00", align 1

; CHECK-LABEL: SCoPs of function 'traced':
; CHECK-NEXT: scop "traced: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter row: i32 unsigned
; CHECK-NEXT:   context: [n, row] -> { : 0 < n <= 2147483647 and 0 <= row <= 4294967295 }
; CHECK-NEXT:   assume not-taken: [n, row] -> { : row >= n } because no branch is taken to where the call of 'printf' may write memory
; CHECK-NEXT:   assume in-bounds: [n, row] -> { : n <= 500 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{[[]}}[n, row] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{[[]}}[n, row] -> { [(500)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, row] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, row] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     %1 = read [n, row] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, row] -> { S0[i0, i1] -> A[i0, i1] } of %2
define void @traced(i32 noundef %n, i32 noundef %row, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp26 = icmp sgt i32 %n, 0
  br i1 %cmp26, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %0 = zext i32 %row to i64
  %wide.trip.count32 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup4, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup4
  %indvars.iv29 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next30, %for.cond.cleanup4 ]
  %cmp1 = icmp eq i64 %indvars.iv29, %0
  br i1 %cmp1, label %if.then, label %for.body5.preheader

if.then:                                          ; preds = %for.body
  %call = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %row)
  br label %for.body5.preheader

for.body5.preheader:                              ; preds = %for.body, %if.then
  br label %for.body5

for.cond.cleanup4:                                ; preds = %for.body5
  %indvars.iv.next30 = add nuw nsw i64 %indvars.iv29, 1
  %exitcond33.not = icmp eq i64 %indvars.iv.next30, %wide.trip.count32
  br i1 %exitcond33.not, label %for.cond.cleanup, label %for.body

for.body5:                                        ; preds = %for.body5.preheader, %for.body5
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body5 ], [ 0, %for.body5.preheader ]
  %arrayidx7 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv29
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv29, i64 %indvars.iv
  %2 = load double, ptr %arrayidx11, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count32
  br i1 %exitcond.not, label %for.cond.cleanup4, label %for.body5
}

declare noundef i32 @printf(ptr nocapture noundef readonly, ...)

; CHECK-LABEL: SCoPs of function 'often':
; CHECK-NEXT: scop "often: for.body5 => for.cond.cleanup4"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter indvars_iv29: i64 signed
; CHECK-NEXT:   context: [n, indvars_iv29] -> { : 0 < n <= 2147483647 and 0 <= indvars_iv29 <= 2147483646 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, indvars_iv29] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, indvars_iv29] -> { S0[i0] -> B[indvars_iv29 + 500i0] }
; CHECK-NEXT:     %1 = read [n, indvars_iv29] -> { S0[i0] -> A[500indvars_iv29 + i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, indvars_iv29] -> { S0[i0] -> A[500indvars_iv29 + i0] } of %2
; CHECK-NEXT: rejected loop nest: call: the call of 'printf' may write memory
define void @often(i32 noundef %n, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp26 = icmp sgt i32 %n, 0
  br i1 %cmp26, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %wide.trip.count32 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup4, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup4
  %indvars.iv29 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next30, %for.cond.cleanup4 ]
  %0 = trunc nuw nsw i64 %indvars.iv29 to i32
  %rem = urem i32 %0, 100
  %cmp1 = icmp eq i32 %rem, 50
  br i1 %cmp1, label %if.then, label %for.body5.preheader

if.then:                                          ; preds = %for.body
  %call = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %0)
  br label %for.body5.preheader

for.body5.preheader:                              ; preds = %for.body, %if.then
  br label %for.body5

for.cond.cleanup4:                                ; preds = %for.body5
  %indvars.iv.next30 = add nuw nsw i64 %indvars.iv29, 1
  %exitcond33.not = icmp eq i64 %indvars.iv.next30, %wide.trip.count32
  br i1 %exitcond33.not, label %for.cond.cleanup, label %for.body

for.body5:                                        ; preds = %for.body5.preheader, %for.body5
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body5 ], [ 0, %for.body5.preheader ]
  %arrayidx7 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv29
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv29, i64 %indvars.iv
  %2 = load double, ptr %arrayidx11, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count32
  br i1 %exitcond.not, label %for.cond.cleanup4, label %for.body5
}

; CHECK-LABEL: SCoPs of function 'first':
; CHECK-NEXT: rejected loop nest: call: the call of 'printf' may write memory
; CHECK-NEXT: rejected loop nest: call: the call of 'printf' may write memory
define void @first(i32 noundef %n, i32 noundef %m, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp26 = icmp sgt i32 %n, 0
  br i1 %cmp26, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %0 = sext i32 %m to i64
  %wide.trip.count32 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond.cleanup3, %for.cond1.preheader.lr.ph
  %indvars.iv29 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next30, %for.cond.cleanup3 ]
  %1 = trunc nuw nsw i64 %indvars.iv29 to i32
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %if.end
  %indvars.iv.next30 = add nuw nsw i64 %indvars.iv29, 1
  %exitcond33.not = icmp eq i64 %indvars.iv.next30, %wide.trip.count32
  br i1 %exitcond33.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:                                        ; preds = %for.body4.lr.ph, %if.end
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %if.end ]
  %cmp5 = icmp slt i64 %indvars.iv, %0
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %for.body4
  %call = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body4
  %arrayidx7 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv29
  %2 = load double, ptr %arrayidx7, align 8
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv29, i64 %indvars.iv
  %3 = load double, ptr %arrayidx11, align 8
  %add = fadd double %2, %3
  store double %add, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count32
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'likely':
; CHECK-NEXT: scop "likely: for.body7 => for.cond.cleanup6"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter indvars_iv31: i64 signed
; CHECK-NEXT:   context: [n, indvars_iv31] -> { : 0 < n <= 2147483647 and 0 <= indvars_iv31 <= 2147483646 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, indvars_iv31] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, indvars_iv31] -> { S0[i0] -> B[indvars_iv31 + 500i0] }
; CHECK-NEXT:     %1 = read [n, indvars_iv31] -> { S0[i0] -> A[500indvars_iv31 + i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, indvars_iv31] -> { S0[i0] -> A[500indvars_iv31 + i0] } of %2
; CHECK-NEXT: rejected loop nest: call: the call of 'printf' may write memory
define void @likely(i32 noundef %n, i32 noundef %row, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp28 = icmp sgt i32 %n, 0
  br i1 %cmp28, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %0 = zext i32 %row to i64
  %wide.trip.count34 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup6, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup6
  %indvars.iv31 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next32, %for.cond.cleanup6 ]
  %cmp1 = icmp eq i64 %indvars.iv31, %0
  br i1 %cmp1, label %if.then, label %for.body7.preheader, !prof !0

if.then:                                          ; preds = %for.body
  %call = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %row)
  br label %for.body7.preheader

for.body7.preheader:                              ; preds = %for.body, %if.then
  br label %for.body7

for.cond.cleanup6:                                ; preds = %for.body7
  %indvars.iv.next32 = add nuw nsw i64 %indvars.iv31, 1
  %exitcond35.not = icmp eq i64 %indvars.iv.next32, %wide.trip.count34
  br i1 %exitcond35.not, label %for.cond.cleanup, label %for.body

for.body7:                                        ; preds = %for.body7.preheader, %for.body7
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body7 ], [ 0, %for.body7.preheader ]
  %arrayidx9 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv31
  %1 = load double, ptr %arrayidx9, align 8
  %arrayidx13 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv31, i64 %indvars.iv
  %2 = load double, ptr %arrayidx13, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx13, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count34
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7
}

; CHECK-LABEL: SCoPs of function 'returned':
; CHECK-NEXT: scop "returned: for.body => cleanup"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter limit: i32 signed
; CHECK-NEXT:   context: [n, limit] -> { : 0 < n <= 2147483647 and -2147483648 <= limit <= 2147483647 }
; CHECK-NEXT:   assume not-taken: [n, limit] -> { : limit >= -1 + n } because no branch is taken to where the call of 'printf' may write memory
; CHECK-NEXT:   assume in-bounds: [n, limit] -> { : n <= 500 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{[[]}}[n, limit] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{[[]}}[n, limit] -> { [(500)] }]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, limit] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, limit] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     %1 = read [n, limit] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, limit] -> { S0[i0, i1] -> A[i0, i1] } of %2
define noundef i32 @returned(i32 noundef %n, i32 noundef %limit, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp.not28 = icmp sgt i32 %n, 0
  br i1 %cmp.not28, label %for.body.lr.ph, label %cleanup

for.body.lr.ph:                                   ; preds = %entry
  %smax = tail call i32 @llvm.smax.i32(i32 %limit, i32 -1)
  %0 = add i32 %smax, 1
  %wide.trip.count35 = zext i32 %0 to i64
  %wide.trip.count37 = zext nneg i32 %n to i64
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup4
  %indvars.iv32 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next33, %for.cond.cleanup4 ]
  %exitcond36 = icmp eq i64 %indvars.iv32, %wide.trip.count35
  br i1 %exitcond36, label %if.then, label %for.body5

if.then:                                          ; preds = %for.body
  %call = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %0)
  br label %cleanup

for.cond.cleanup4:                                ; preds = %for.body5
  %indvars.iv.next33 = add nuw nsw i64 %indvars.iv32, 1
  %exitcond38.not = icmp eq i64 %indvars.iv.next33, %wide.trip.count37
  br i1 %exitcond38.not, label %cleanup, label %for.body

for.body5:                                        ; preds = %for.body, %for.body5
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body5 ], [ 0, %for.body ]
  %arrayidx7 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv32
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx11 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv32, i64 %indvars.iv
  %2 = load double, ptr %arrayidx11, align 8
  %add = fadd double %1, %2
  store double %add, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count37
  br i1 %exitcond.not, label %for.cond.cleanup4, label %for.body5

cleanup:                                          ; preds = %for.cond.cleanup4, %entry, %if.then
  %spec.select = phi i32 [ -1, %if.then ], [ %n, %entry ], [ %n, %for.cond.cleanup4 ]
  ret i32 %spec.select
}

; CHECK-LABEL: SCoPs of function 'merged':
; CHECK-NEXT: scop "merged: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter row: i32 unsigned
; CHECK-NEXT:   context: [n, row] -> { : 0 < n <= 2147483647 and 0 <= row <= 4294967295 }
; CHECK-NEXT:   assume not-taken: [n, row] -> { : row >= n } because no branch is taken to where the call of 'printf' may write memory
; CHECK-NEXT:   assume in-bounds: [n, row] -> { : n <= 500 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{[[]}}[n, row] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{[[]}}[n, row] -> { [(500)] }]
; CHECK-NEXT:   scalar double s0 (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, row] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, row] -> { S0[i0] -> B[i0, i0] }
; CHECK-NEXT:     write [n, row] -> { S0[i0] -> s0[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, row] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n, row] -> { S1[i0, i1] -> s0[] }
; CHECK-NEXT:     %1 = read [n, row] -> { S1[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     %2 = read [n, row] -> { S1[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %3 = llvm.fmuladd.f64 %1, %0, %2
; CHECK-NEXT:     write [n, row] -> { S1[i0, i1] -> A[i0, i1] } of %3
define void @merged(i32 noundef %n, i32 noundef %row, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp34 = icmp sgt i32 %n, 0
  br i1 %cmp34, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %0 = zext i32 %row to i64
  %wide.trip.count40 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup7, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup7
  %indvars.iv37 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next38, %for.cond.cleanup7 ]
  %arrayidx2 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv37, i64 %indvars.iv37
  %1 = load double, ptr %arrayidx2, align 8
  %cmp3 = icmp eq i64 %indvars.iv37, %0
  br i1 %cmp3, label %if.then, label %for.body8.preheader

if.then:                                          ; preds = %for.body
  %call = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %row)
  %conv = sitofp i32 %call to double
  br label %for.body8.preheader

for.body8.preheader:                              ; preds = %for.body, %if.then
  %factor.0 = phi double [ %conv, %if.then ], [ %1, %for.body ]
  br label %for.body8

for.cond.cleanup7:                                ; preds = %for.body8
  %indvars.iv.next38 = add nuw nsw i64 %indvars.iv37, 1
  %exitcond41.not = icmp eq i64 %indvars.iv.next38, %wide.trip.count40
  br i1 %exitcond41.not, label %for.cond.cleanup, label %for.body

for.body8:                                        ; preds = %for.body8.preheader, %for.body8
  %indvars.iv = phi i64 [ 0, %for.body8.preheader ], [ %indvars.iv.next, %for.body8 ]
  %arrayidx12 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv37
  %2 = load double, ptr %arrayidx12, align 8
  %arrayidx16 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv37, i64 %indvars.iv
  %3 = load double, ptr %arrayidx16, align 8
  %4 = tail call double @llvm.fmuladd.f64(double %2, double %factor.0, double %3)
  store double %4, ptr %arrayidx16, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count40
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8
}

declare double @llvm.fmuladd.f64(double, double, double)

declare i32 @llvm.smax.i32(i32, i32)


!0 = !{!"branch_weights", i32 2000, i32 1}
