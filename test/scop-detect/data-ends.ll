; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Ends of the program that depend on data: looked at before. What is tested bounds what is accessed.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void abort(void) __attribute__((noreturn, nothrow));
;   void report(int) __attribute__((noreturn));
;   void numbers_only(int n, double A[restrict 500][500], double B[restrict 500][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++) {
;         if (B[j][i] != B[j][i])
;           abort();
;         A[i][j] += B[j][i];
;       }
;   }
;   void gathered(int n, int m, unsigned size, const unsigned *restrict index, double C[restrict 500][500],
;                 double A[restrict 500][500], const double *restrict v) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < m; j++) {
;         unsigned k = index[j];
;         if (k >= size)
;           report(k);
;         C[i][j] += A[j][i] * v[k];
;       }
;   }
;   void nested(int n, const int *restrict p, const int *restrict q, double A[restrict 500][500]) {
;     for (int i = 0; i < n; i++) {
;       if (q[p[i]] == 0)
;         abort();
;       for (int j = 0; j < n; j++) {
;         if (p[i] < q[j])
;           abort();
;         A[j][i] += 1;
;       }
;     }
;   }
;   void written(int n, double A[restrict 500][500]) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++) {
;         if (A[i][j] > 10)
;           abort();
;         A[i][j] += 1;
;       }
;   }
;   void rows(int n, double **A, const double *restrict b) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++) {
;         if (b[j] > 10)
;           abort();
;         A[i][j] += b[j];
;       }
;   }
;   void bounded(long n, long m, const unsigned *index, unsigned size, double *y, const double *v) {
;     for (long i = 0; i < n; i++)
;       for (long j = 0; j < m; j++) {
;         unsigned k = index[j];
;         if (k >= size)
;           abort();
;         y[i] = y[i] * 0.5 + v[k + 1l];
;       }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: SCoPs of function 'numbers_only':
; CHECK-NEXT: scop "numbers_only: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 500 } because subscripts of 'B' are inside its inner dimensions
; CHECK-NEXT:   array double B[*]{{[[]}}[n] -> { [(500)] }]
; CHECK-NEXT:   array double A[*]{{[[]}}[n] -> { [(500)] }]
; CHECK-NEXT:   scalar double s0 (value)
; CHECK-NEXT:   inspection I0
; CHECK-NEXT:     domain: [n] -> { I0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 1]
; CHECK-NEXT:     %0 = read [n] -> { I0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     original if %1
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> B[i1, i0] }
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> s0[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 2]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0, i1] -> s0[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> A[i0, i1] } of %2
define void @numbers_only(i32 noundef %n, ptr noalias nocapture noundef %A, ptr noalias nocapture noundef readonly %B) {
entry:
  %cmp38 = icmp sgt i32 %n, 0
  br i1 %cmp38, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %wide.trip.count44 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond.cleanup3, %for.cond1.preheader.lr.ph
  %indvars.iv41 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next42, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %if.end
  %indvars.iv.next42 = add nuw nsw i64 %indvars.iv41, 1
  %exitcond45.not = icmp eq i64 %indvars.iv.next42, %wide.trip.count44
  br i1 %exitcond45.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:                                        ; preds = %for.body4.lr.ph, %if.end
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %if.end ]
  %arrayidx6 = getelementptr inbounds [500 x double], ptr %B, i64 %indvars.iv, i64 %indvars.iv41
  %0 = load double, ptr %arrayidx6, align 8
  %cmp11 = fcmp uno double %0, 0.000000e+00
  br i1 %cmp11, label %if.then, label %if.end

if.then:                                          ; preds = %for.body4
  tail call void @abort()
  unreachable

if.end:                                           ; preds = %for.body4
  %arrayidx19 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv41, i64 %indvars.iv
  %1 = load double, ptr %arrayidx19, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx19, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count44
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

declare void @abort() noreturn nounwind

; CHECK-LABEL: SCoPs of function 'gathered':
; CHECK-NEXT: scop "gathered: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   parameter size: i32 unsigned
; CHECK-NEXT:   context: [n, m, size] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 and 0 <= size <= 4294967295 }
; CHECK-NEXT:   assume in-bounds: [n, m, size] -> { : n <= 500 or (n >= 501 and m <= 0) } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   assume in-bounds: [n, m, size] -> { : m <= 500 } because subscripts of 'C' are inside its inner dimensions
; CHECK-NEXT:   array i32 index[*]
; CHECK-NEXT:   array double A[*]{{[[]}}[n, m, size] -> { [(500)] }]
; CHECK-NEXT:   array double v[*]
; CHECK-NEXT:   array double C[*]{{[[]}}[n, m, size] -> { [(500)] }]
; CHECK-NEXT:   scalar i32 s0 (value)
; CHECK-NEXT:   inspection I0
; CHECK-NEXT:     domain: [n, m, size] -> { I0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 1]
; CHECK-NEXT:     %0 = read [n, m, size] -> { I0[i0, i1] -> index[i1] }
; CHECK-NEXT:     %1 = icmp %0, invariant
; CHECK-NEXT:     original if not %1
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m, size] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, m, size] -> { S0[i0, i1] -> index[i1] }
; CHECK-NEXT:     write [n, m, size] -> { S0[i0, i1] -> s0[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m, size] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 2]
; CHECK-NEXT:     %0 = read [n, m, size] -> { S1[i0, i1] -> s0[] }
; CHECK-NEXT:     %1 = read [n, m, size] -> { S1[i0, i1] -> A[i1, i0] }
; CHECK-NEXT:     %2 = zext %0
; CHECK-NEXT:     %3 = getelementptr invariant, %2
; CHECK-NEXT:     %4 = read [n, m, size] -> { S1[i0, i1] -> v[o0] : 0 <= o0 < size } at %3
; CHECK-NEXT:     %5 = read [n, m, size] -> { S1[i0, i1] -> C[i0, i1] }
; CHECK-NEXT:     %6 = llvm.fmuladd.f64 %1, %4, %5
; CHECK-NEXT:     write [n, m, size] -> { S1[i0, i1] -> C[i0, i1] } of %6
define void @gathered(i32 noundef %n, i32 noundef %m, i32 noundef %size, ptr noalias nocapture noundef readonly %index, ptr noalias nocapture noundef %C, ptr noalias nocapture noundef readonly %A, ptr noalias nocapture noundef readonly %v) {
entry:
  %cmp30 = icmp sgt i32 %n, 0
  br i1 %cmp30, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp228 = icmp sgt i32 %m, 0
  %wide.trip.count37 = zext nneg i32 %n to i64
  %wide.trip.count = zext nneg i32 %m to i64
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %indvars.iv34 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next35, %for.cond.cleanup3 ]
  br i1 %cmp228, label %for.body4, label %for.cond.cleanup3

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %if.end, %for.cond1.preheader
  %indvars.iv.next35 = add nuw nsw i64 %indvars.iv34, 1
  %exitcond38.not = icmp eq i64 %indvars.iv.next35, %wide.trip.count37
  br i1 %exitcond38.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:                                        ; preds = %for.cond1.preheader, %if.end
  %indvars.iv = phi i64 [ %indvars.iv.next, %if.end ], [ 0, %for.cond1.preheader ]
  %arrayidx = getelementptr inbounds i32, ptr %index, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %cmp5.not = icmp ult i32 %0, %size
  br i1 %cmp5.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body4
  tail call void @report(i32 noundef %0)
  unreachable

if.end:                                           ; preds = %for.body4
  %arrayidx9 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv, i64 %indvars.iv34
  %1 = load double, ptr %arrayidx9, align 8
  %idxprom10 = zext i32 %0 to i64
  %arrayidx11 = getelementptr inbounds double, ptr %v, i64 %idxprom10
  %2 = load double, ptr %arrayidx11, align 8
  %arrayidx15 = getelementptr inbounds [500 x double], ptr %C, i64 %indvars.iv34, i64 %indvars.iv
  %3 = load double, ptr %arrayidx15, align 8
  %4 = tail call double @llvm.fmuladd.f64(double %1, double %2, double %3)
  store double %4, ptr %arrayidx15, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

declare void @report(i32 noundef) noreturn

declare double @llvm.fmuladd.f64(double, double, double)

; CHECK-LABEL: SCoPs of function 'nested':
; CHECK-NEXT: scop "nested: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   assume in-bounds: [n] -> { : n <= 500 } because subscripts of 'A' are inside its inner dimensions
; CHECK-NEXT:   array i32 p[*]
; CHECK-NEXT:   array i32 q[*]
; CHECK-NEXT:   array double A[*]{{[[]}}[n] -> { [(500)] }]
; CHECK-NEXT:   inspection I0
; CHECK-NEXT:     domain: [n] -> { I0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { I0[i0] -> p[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     %2 = getelementptr invariant, %1
; CHECK-NEXT:     %3 = read [n] -> { I0[i0] -> q[o0] } at %2
; CHECK-NEXT:     %4 = icmp %3, invariant
; CHECK-NEXT:     original if %4
; CHECK-NEXT:   inspection I1
; CHECK-NEXT:     domain: [n] -> { I1[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { I1[i0, i1] -> p[i0] }
; CHECK-NEXT:     %1 = read [n] -> { I1[i0, i1] -> q[i1] }
; CHECK-NEXT:     %2 = icmp %0, %1
; CHECK-NEXT:     original if %2
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 1]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> A[i1, i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i1, i0] } of %1
define void @nested(i32 noundef %n, ptr noalias nocapture noundef readonly %p, ptr noalias nocapture noundef readonly %q, ptr noalias nocapture noundef %A) {
entry:
  %cmp34 = icmp sgt i32 %n, 0
  br i1 %cmp34, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %wide.trip.count40 = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup6, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup6
  %indvars.iv37 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next38, %for.cond.cleanup6 ]
  %arrayidx = getelementptr inbounds i32, ptr %p, i64 %indvars.iv37
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom1 = sext i32 %0 to i64
  %arrayidx2 = getelementptr inbounds i32, ptr %q, i64 %idxprom1
  %1 = load i32, ptr %arrayidx2, align 4
  %cmp3 = icmp eq i32 %1, 0
  br i1 %cmp3, label %if.then, label %for.body7

if.then:                                          ; preds = %for.body
  tail call void @abort()
  unreachable

for.cond.cleanup6:                                ; preds = %if.end14
  %indvars.iv.next38 = add nuw nsw i64 %indvars.iv37, 1
  %exitcond41.not = icmp eq i64 %indvars.iv.next38, %wide.trip.count40
  br i1 %exitcond41.not, label %for.cond.cleanup, label %for.body

for.body7:                                        ; preds = %for.body, %if.end14
  %indvars.iv = phi i64 [ %indvars.iv.next, %if.end14 ], [ 0, %for.body ]
  %arrayidx11 = getelementptr inbounds i32, ptr %q, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx11, align 4
  %cmp12 = icmp slt i32 %0, %2
  br i1 %cmp12, label %if.then13, label %if.end14

if.then13:                                        ; preds = %for.body7
  tail call void @abort()
  unreachable

if.end14:                                         ; preds = %for.body7
  %arrayidx18 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv, i64 %indvars.iv37
  %3 = load double, ptr %arrayidx18, align 8
  %add = fadd double %3, 1.000000e+00
  store double %add, ptr %arrayidx18, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count40
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7
}

; CHECK-LABEL: SCoPs of function 'written':
; CHECK-NEXT: rejected loop nest: non-affine-condition: whether the program ends here cannot be checked before: the condition of a branch is not affine: it compares floating-point numbers; nor by a look at the data: it depends on 'A', which is written
; CHECK-NEXT: rejected loop nest: non-affine-condition: whether the program ends here cannot be checked before: the condition of a branch is not affine: it compares floating-point numbers; nor by a look at the data: it depends on 'A', which is written
define void @written(i32 noundef %n, ptr noalias nocapture noundef %A) {
entry:
  %cmp25 = icmp sgt i32 %n, 0
  br i1 %cmp25, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %wide.trip.count31 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond.cleanup3, %for.cond1.preheader.lr.ph
  %indvars.iv28 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next29, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %if.end
  %indvars.iv.next29 = add nuw nsw i64 %indvars.iv28, 1
  %exitcond32.not = icmp eq i64 %indvars.iv.next29, %wide.trip.count31
  br i1 %exitcond32.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:                                        ; preds = %for.body4.lr.ph, %if.end
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %if.end ]
  %arrayidx6 = getelementptr inbounds [500 x double], ptr %A, i64 %indvars.iv28, i64 %indvars.iv
  %0 = load double, ptr %arrayidx6, align 8
  %cmp7 = fcmp ogt double %0, 1.000000e+01
  br i1 %cmp7, label %if.then, label %if.end

if.then:                                          ; preds = %for.body4
  tail call void @abort()
  unreachable

if.end:                                           ; preds = %for.body4
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx6, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count31
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'rows':
; CHECK-NEXT: rejected loop nest: non-affine-condition: whether the program ends here cannot be checked before: the condition of a branch is not affine: it compares floating-point numbers; nor by a look at the data: the rows of 'A' would have to be looked up before
; CHECK-NEXT: rejected loop nest: non-affine-condition: whether the program ends here cannot be checked before: the condition of a branch is not affine: it compares floating-point numbers; nor by a look at the data: the rows of 'A' would have to be looked up before
define void @rows(i32 noundef %n, ptr nocapture noundef readonly %A, ptr noalias nocapture noundef readonly %b) {
entry:
  %cmp25 = icmp sgt i32 %n, 0
  br i1 %cmp25, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %wide.trip.count31 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond.cleanup3, %for.cond1.preheader.lr.ph
  %indvars.iv28 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next29, %for.cond.cleanup3 ]
  %arrayidx9 = getelementptr inbounds ptr, ptr %A, i64 %indvars.iv28
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %if.end
  %indvars.iv.next29 = add nuw nsw i64 %indvars.iv28, 1
  %exitcond32.not = icmp eq i64 %indvars.iv.next29, %wide.trip.count31
  br i1 %exitcond32.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:                                        ; preds = %for.body4.lr.ph, %if.end
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %if.end ]
  %arrayidx = getelementptr inbounds double, ptr %b, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp5 = fcmp ogt double %0, 1.000000e+01
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %for.body4
  tail call void @abort()
  unreachable

if.end:                                           ; preds = %for.body4
  %1 = load ptr, ptr %arrayidx9, align 8
  %arrayidx11 = getelementptr inbounds double, ptr %1, i64 %indvars.iv
  %2 = load double, ptr %arrayidx11, align 8
  %add = fadd double %0, %2
  store double %add, ptr %arrayidx11, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count31
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'bounded':
; CHECK-NEXT: scop "bounded: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter m: i64 signed
; CHECK-NEXT:   parameter size: i32 unsigned
; CHECK-NEXT:   context: [n, m, size] -> { : n > 0 and 0 <= size <= 4294967295 }
; CHECK-NEXT:   assume range: [n, m, size] -> { : -1125899906842624 <= n <= 1125899906842624 } because n is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume range: [n, m, size] -> { : -1125899906842624 <= m <= 1125899906842624 } because m is small enough for loop counters of 64 bits
; CHECK-NEXT:   array i32 index[*]
; CHECK-NEXT:   array double y[*]
; CHECK-NEXT:   array double v[*]
; CHECK-NEXT:   scalar i32 s0 (value)
; CHECK-NEXT:   may alias: index, y
; CHECK-NEXT:   may alias: y, v
; CHECK-NEXT:   inspection I0
; CHECK-NEXT:     domain: [n, m, size] -> { I0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 1]
; CHECK-NEXT:     %0 = read [n, m, size] -> { I0[i0, i1] -> index[i1] }
; CHECK-NEXT:     %1 = icmp %0, invariant
; CHECK-NEXT:     original if not %1
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m, size] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, m, size] -> { S0[i0, i1] -> index[i1] }
; CHECK-NEXT:     write [n, m, size] -> { S0[i0, i1] -> s0[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m, size] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
; CHECK-NEXT:     order: [0, i0, 0, i1, 2]
; CHECK-NEXT:     %0 = read [n, m, size] -> { S1[i0, i1] -> s0[] }
; CHECK-NEXT:     %1 = read [n, m, size] -> { S1[i0, i1] -> y[i0] }
; CHECK-NEXT:     %2 = zext %0
; CHECK-NEXT:     %3 = getelementptr invariant, %2
; CHECK-NEXT:     %4 = read [n, m, size] -> { S1[i0, i1] -> v[o0] : 0 < o0 <= size } at %3
; CHECK-NEXT:     %5 = llvm.fmuladd.f64 %1, invariant, %4
; CHECK-NEXT:     write [n, m, size] -> { S1[i0, i1] -> y[i0] } of %5
define void @bounded(i64 noundef %n, i64 noundef %m, ptr nocapture noundef readonly %index, i32 noundef %size, ptr nocapture noundef %y, ptr nocapture noundef readonly %v) {
entry:
  %cmp21 = icmp sgt i64 %n, 0
  br i1 %cmp21, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %invariant.gep = getelementptr inbounds i8, ptr %v, i64 8
  %cmp219 = icmp sgt i64 %m, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %i.022 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc10, %for.cond.cleanup3 ]
  br i1 %cmp219, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %arrayidx6 = getelementptr inbounds double, ptr %y, i64 %i.022
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %if.end, %for.cond1.preheader
  %inc10 = add nuw nsw i64 %i.022, 1
  %exitcond23.not = icmp eq i64 %inc10, %n
  br i1 %exitcond23.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:                                        ; preds = %for.body4.lr.ph, %if.end
  %j.020 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %if.end ]
  %arrayidx = getelementptr inbounds i32, ptr %index, i64 %j.020
  %0 = load i32, ptr %arrayidx, align 4
  %cmp5.not = icmp ult i32 %0, %size
  br i1 %cmp5.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body4
  tail call void @abort()
  unreachable

if.end:                                           ; preds = %for.body4
  %1 = load double, ptr %arrayidx6, align 8
  %conv = zext i32 %0 to i64
  %gep = getelementptr inbounds double, ptr %invariant.gep, i64 %conv
  %2 = load double, ptr %gep, align 8
  %3 = tail call double @llvm.fmuladd.f64(double %1, double 5.000000e-01, double %2)
  store double %3, ptr %arrayidx6, align 8
  %inc = add nuw nsw i64 %j.020, 1
  %exitcond.not = icmp eq i64 %inc, %m
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

