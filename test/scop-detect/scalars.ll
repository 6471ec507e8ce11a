; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Values carried from one statement to another.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   double dot(int n, double *restrict A, double *restrict B) {
;     double s = 0;
;     for (int i = 0; i < n; i++)
;       s += A[i] * B[i];
;     return s;
;   }
;   void row_sums(int n, double A[restrict n][n], double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       double s = 0;
;       for (int j = 0; j < n; j++)
;         s += A[i][j];
;       B[i] = s;
;     }
;   }
;   double fibonacci(int n, double *restrict A) {
;     double p = 0, q = 1;
;     for (int i = 0; i < n; i++) {
;       A[i] = p;
;       double r = p + q;
;       p = q;
;       q = r;
;     }
;     return p;
;   }
;   int two_results(int n, int *restrict A, int *restrict B) {
;     int s = 0, t = 1;
;     for (int i = 0; i < n; i++) {
;       s += A[i];
;       t ^= B[i];
;     }
;     return s * t;
;   }
;   int last_index(int n, int *restrict A) {
;     int i;
;     for (i = 0; i < n; i++)
;       A[i] += i;
;     return i;
;   }
;   float one_of_two_sums(int n, int k, float *restrict A, float *restrict B) {
;     float s = 0;
;     if (k > 3) {
;       for (int i = 0; i < n; i++)
;         s += A[i];
;     } else {
;       for (int i = 0; i < n; i++)
;         s += B[i];
;     }
;     return s;
;   }
;   void shared_load(int n, double *restrict A, double *restrict B, double *restrict C) {
;     for (int i = 0; i < n; i++) {
;       double a = A[i];
;       B[i] = a;
;       C[i] = a * 2;
;     }
;   }
;   void swapped_parts(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       double a = A[i];
;       B[i] = A[i + 1];
;       A[i + 1] = a;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'dot':
; CHECK-NEXT: scop "dot: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   scalar double s_08_phi (phi)
; CHECK-NEXT:   scalar double s0 (value, used after the region)
; CHECK-NEXT:   statement S_entry
; CHECK-NEXT:     domain: [n] -> { S_entry[] }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [n] -> { S_entry[] -> s_08_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> s_08_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0] -> A[i0] }
; CHECK-NEXT:     %2 = read [n] -> { S1[i0] -> B[i0] }
; CHECK-NEXT:     %3 = llvm.fmuladd.f64 %1, %2, %0
; CHECK-NEXT:     write [n] -> { S1[i0] -> s0[] } of %3
; CHECK-NEXT:     write [n] -> { S1[i0] -> s_08_phi[] } of %3
define double @dot(i32 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp7 = icmp sgt i32 %n, 0
  br i1 %cmp7, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi double [ 0.000000e+00, %entry ], [ %2, %for.body ]
  ret double %s.0.lcssa

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %s.08 = phi double [ 0.000000e+00, %for.body.preheader ], [ %2, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %1 = load double, ptr %arrayidx2, align 8
  %2 = tail call double @llvm.fmuladd.f64(double %0, double %1, double %s.08)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare double @llvm.fmuladd.f64(double, double, double) #1

; CHECK-LABEL: SCoPs of function 'row_sums':
; CHECK-NEXT: scop "row_sums: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*][{{.*}}n{{.*}}]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   scalar double s_022_phi (phi)
; CHECK-NEXT:   scalar double add (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> s_022_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0, i1] -> s_022_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> add[] } of %2
; CHECK-NEXT:     write [n] -> { S1[i0, i1] -> s_022_phi[] } of %2
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     %0 = read [n] -> { S2[i0] -> add[] }
; CHECK-NEXT:     write [n] -> { S2[i0] -> B[i0] } of %0
define void @row_sums(i32 %n, ptr noalias %A, ptr noalias %B) #2 {
entry:
  %0 = zext i32 %n to i64
  %cmp24 = icmp sgt i32 %n, 0
  br i1 %cmp24, label %for.body4.lr.ph, label %for.cond.cleanup

for.body4.lr.ph:
  %indvars.iv27 = phi i64 [ %indvars.iv.next28, %for.cond.cleanup3 ], [ 0, %entry ]
  %1 = mul nuw nsw i64 %indvars.iv27, %0
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %1
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %arrayidx8 = getelementptr inbounds double, ptr %B, i64 %indvars.iv27
  store double %add, ptr %arrayidx8, align 8
  %indvars.iv.next28 = add nuw nsw i64 %indvars.iv27, 1
  %exitcond31.not = icmp eq i64 %indvars.iv.next28, %0
  br i1 %exitcond31.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.body4 ]
  %s.022 = phi double [ 0.000000e+00, %for.body4.lr.ph ], [ %add, %for.body4 ]
  %arrayidx6 = getelementptr inbounds double, ptr %arrayidx, i64 %indvars.iv
  %2 = load double, ptr %arrayidx6, align 8
  %add = fadd double %s.022, %2
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

; CHECK-LABEL: SCoPs of function 'fibonacci':
; CHECK-NEXT: scop "fibonacci: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   scalar double p_09_phi (phi)
; CHECK-NEXT:   scalar double q_07_phi (phi)
; CHECK-NEXT:   scalar double q_07 (value, used after the region)
; CHECK-NEXT:   statement S_entry
; CHECK-NEXT:     domain: [n] -> { S_entry[] }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [n] -> { S_entry[] -> p_09_phi[] } of invariant
; CHECK-NEXT:     write [n] -> { S_entry[] -> q_07_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> p_09_phi[] }
; CHECK-NEXT:     write [n] -> { S1[i0] -> A[i0] } of %0
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S2[i0] -> q_07_phi[] }
; CHECK-NEXT:     write [n] -> { S2[i0] -> q_07[] } of %0
; CHECK-NEXT:   statement S3
; CHECK-NEXT:     domain: [n] -> { S3[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 2]
; CHECK-NEXT:     %0 = read [n] -> { S3[i0] -> q_07_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S3[i0] -> p_09_phi[] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S3[i0] -> p_09_phi[] } of %0
; CHECK-NEXT:     write [n] -> { S3[i0] -> q_07_phi[] } of %2
define double @fibonacci(i32 %n, ptr noalias %A) #3 {
entry:
  %cmp6 = icmp sgt i32 %n, 0
  br i1 %cmp6, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  %p.0.lcssa = phi double [ 0.000000e+00, %entry ], [ %q.07, %for.body ]
  ret double %p.0.lcssa

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %p.09 = phi double [ 0.000000e+00, %for.body.preheader ], [ %q.07, %for.body ]
  %q.07 = phi double [ 1.000000e+00, %for.body.preheader ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  store double %p.09, ptr %arrayidx, align 8
  %add = fadd double %q.07, %p.09
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'two_results':
; CHECK-NEXT: scop "two_results: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   array i32 B[*]
; CHECK-NEXT:   scalar i32 t_010_phi (phi)
; CHECK-NEXT:   scalar i32 s_09_phi (phi)
; CHECK-NEXT:   scalar i32 add (value, used after the region)
; CHECK-NEXT:   scalar i32 xor (value, used after the region)
; CHECK-NEXT:   statement S_entry
; CHECK-NEXT:     domain: [n] -> { S_entry[] }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [n] -> { S_entry[] -> t_010_phi[] } of invariant
; CHECK-NEXT:     write [n] -> { S_entry[] -> s_09_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> s_09_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S1[i0] -> A[i0] }
; CHECK-NEXT:     %2 = add %1, %0
; CHECK-NEXT:     write [n] -> { S1[i0] -> add[] } of %2
; CHECK-NEXT:     write [n] -> { S1[i0] -> s_09_phi[] } of %2
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S2[i0] -> t_010_phi[] }
; CHECK-NEXT:     %1 = read [n] -> { S2[i0] -> B[i0] }
; CHECK-NEXT:     %2 = xor %1, %0
; CHECK-NEXT:     write [n] -> { S2[i0] -> xor[] } of %2
; CHECK-NEXT:     write [n] -> { S2[i0] -> t_010_phi[] } of %2
define i32 @two_results(i32 %n, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup.loopexit:
  %0 = mul nsw i32 %xor, %add
  br label %for.cond.cleanup

for.cond.cleanup:
  %mul = phi i32 [ 0, %entry ], [ %0, %for.cond.cleanup.loopexit ]
  ret i32 %mul

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %t.010 = phi i32 [ 1, %for.body.preheader ], [ %xor, %for.body ]
  %s.09 = phi i32 [ 0, %for.body.preheader ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %1, %s.09
  %arrayidx2 = getelementptr inbounds i32, ptr %B, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx2, align 4
  %xor = xor i32 %2, %t.010
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body
}

; CHECK-LABEL: SCoPs of function 'last_index':
; CHECK-NEXT: scop "last_index: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = add %0, affine
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
define i32 @last_index(i32 %n, ptr noalias %A) #2 {
entry:
  %cmp5 = icmp sgt i32 %n, 0
  br i1 %cmp5, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %1 = trunc nuw nsw i64 %indvars.iv to i32
  %add = add nsw i32 %0, %1
  store i32 %add, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %i.0.lcssa = phi i32 [ 0, %entry ], [ %n, %for.body ]
  ret i32 %i.0.lcssa
}

; CHECK-LABEL: SCoPs of function 'one_of_two_sums':
; CHECK-NEXT: scop "one_of_two_sums: entry.branch => if.end"
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [k, n] -> { : -2147483648 <= k <= 2147483647 and -2147483648 <= n <= 2147483647 }
; CHECK-NEXT:   array float B[*]
; CHECK-NEXT:   array float A[*]
; CHECK-NEXT:   scalar float s_2_phi (exit phi, used after the region)
; CHECK-NEXT:   scalar float s_122_phi (phi)
; CHECK-NEXT:   scalar float add9 (value)
; CHECK-NEXT:   scalar float s_025_phi (phi)
; CHECK-NEXT:   scalar float add (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [k, n] -> { S0[] : k <= 3 }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [k, n] -> { S0[] -> s_2_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [k, n] -> { S1[] : k <= 3 and n > 0 }
; CHECK-NEXT:     order: [1]
; CHECK-NEXT:     write [k, n] -> { S1[] -> s_122_phi[] } of invariant
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [k, n] -> { S2[i0] : k <= 3 and 0 <= i0 < n }
; CHECK-NEXT:     order: [2, i0, 0]
; CHECK-NEXT:     %0 = read [k, n] -> { S2[i0] -> s_122_phi[] }
; CHECK-NEXT:     %1 = read [k, n] -> { S2[i0] -> B[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [k, n] -> { S2[i0] -> add9[] } of %2
; CHECK-NEXT:     write [k, n] -> { S2[i0] -> s_122_phi[] } of %2
; CHECK-NEXT:   statement S3
; CHECK-NEXT:     domain: [k, n] -> { S3[] : k <= 3 and n > 0 }
; CHECK-NEXT:     order: [3]
; CHECK-NEXT:     %0 = read [k, n] -> { S3[] -> add9[] }
; CHECK-NEXT:     write [k, n] -> { S3[] -> s_2_phi[] } of %0
; CHECK-NEXT:   statement S4
; CHECK-NEXT:     domain: [k, n] -> { S4[] : k >= 4 }
; CHECK-NEXT:     order: [4]
; CHECK-NEXT:     write [k, n] -> { S4[] -> s_2_phi[] } of invariant
; CHECK-NEXT:   statement S5
; CHECK-NEXT:     domain: [k, n] -> { S5[] : k >= 4 and n > 0 }
; CHECK-NEXT:     order: [5]
; CHECK-NEXT:     write [k, n] -> { S5[] -> s_025_phi[] } of invariant
; CHECK-NEXT:   statement S6
; CHECK-NEXT:     domain: [k, n] -> { S6[i0] : k >= 4 and 0 <= i0 < n }
; CHECK-NEXT:     order: [6, i0, 0]
; CHECK-NEXT:     %0 = read [k, n] -> { S6[i0] -> s_025_phi[] }
; CHECK-NEXT:     %1 = read [k, n] -> { S6[i0] -> A[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [k, n] -> { S6[i0] -> add[] } of %2
; CHECK-NEXT:     write [k, n] -> { S6[i0] -> s_025_phi[] } of %2
; CHECK-NEXT:   statement S7
; CHECK-NEXT:     domain: [k, n] -> { S7[] : k >= 4 and n > 0 }
; CHECK-NEXT:     order: [7]
; CHECK-NEXT:     %0 = read [k, n] -> { S7[] -> add[] }
; CHECK-NEXT:     write [k, n] -> { S7[] -> s_2_phi[] } of %0
define float @one_of_two_sums(i32 %n, i32 %k, ptr noalias %A, ptr noalias %B) #0 {
entry:
  %cmp = icmp sgt i32 %k, 3
  %cmp124 = icmp sgt i32 %n, 0
  br i1 %cmp, label %for.cond.preheader, label %for.cond3.preheader

for.cond3.preheader:
  br i1 %cmp124, label %for.body6.preheader, label %if.end

for.body6.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body6

for.cond.preheader:
  br i1 %cmp124, label %for.body.preheader, label %if.end

for.body.preheader:
  %wide.trip.count33 = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv30 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next31, %for.body ]
  %s.025 = phi float [ 0.000000e+00, %for.body.preheader ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds float, ptr %A, i64 %indvars.iv30
  %0 = load float, ptr %arrayidx, align 4
  %add = fadd float %s.025, %0
  %indvars.iv.next31 = add nuw nsw i64 %indvars.iv30, 1
  %exitcond34.not = icmp eq i64 %indvars.iv.next31, %wide.trip.count33
  br i1 %exitcond34.not, label %if.end, label %for.body

for.body6:
  %indvars.iv = phi i64 [ 0, %for.body6.preheader ], [ %indvars.iv.next, %for.body6 ]
  %s.122 = phi float [ 0.000000e+00, %for.body6.preheader ], [ %add9, %for.body6 ]
  %arrayidx8 = getelementptr inbounds float, ptr %B, i64 %indvars.iv
  %1 = load float, ptr %arrayidx8, align 4
  %add9 = fadd float %s.122, %1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %if.end, label %for.body6

if.end:
  %s.2 = phi float [ 0.000000e+00, %for.cond.preheader ], [ 0.000000e+00, %for.cond3.preheader ], [ %add, %for.body ], [ %add9, %for.body6 ]
  ret float %s.2
}

; CHECK-LABEL: SCoPs of function 'shared_load':
; CHECK-NEXT: scop "shared_load: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double C[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fmul %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> C[i0] } of %1
define void @shared_load(i32 %n, ptr noalias %A, ptr noalias %B, ptr noalias %C) #2 {
entry:
  %cmp10 = icmp sgt i32 %n, 0
  br i1 %cmp10, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %n to i64
  %1 = shl nuw nsw i64 %0, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %B, ptr align 8 %A, i64 %1, i1 false)
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %2 = load double, ptr %arrayidx, align 8
  %mul = fmul double %2, 2.000000e+00
  %arrayidx4 = getelementptr inbounds double, ptr %C, i64 %indvars.iv
  store double %mul, ptr %arrayidx4, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #4

; CHECK-LABEL: SCoPs of function 'swapped_parts':
; CHECK-NEXT: scop "swapped_parts: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[1 + i0] }
; CHECK-NEXT:     write [n] -> { S0[i0] -> B[i0] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     write [n] -> { S1[i0] -> A[1 + i0] } of invariant
define void @swapped_parts(i32 %n, ptr noalias %A, ptr noalias %B) #2 {
entry:
  %cmp15 = icmp sgt i32 %n, 0
  br i1 %cmp15, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  %.pre = load double, ptr %A, align 8
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %arrayidx2 = getelementptr inbounds double, ptr %A, i64 %indvars.iv.next
  %0 = load double, ptr %arrayidx2, align 8
  %arrayidx4 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  store double %0, ptr %arrayidx4, align 8
  store double %.pre, ptr %arrayidx2, align 8
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #3 = { nofree norecurse nosync nounwind memory(argmem: write) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
