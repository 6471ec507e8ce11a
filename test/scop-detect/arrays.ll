; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Kinds of arrays, and which of them may overlap.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   double G1[64][64];
;   int G2[64];
;   float G3[100][20][30];
;   struct point { float x, y, z, w; };
;   struct mixed { double x; int id; };
;   void globals(void) {
;     for (int i = 0; i < 64; i++)
;       for (int j = 0; j < 64; j++)
;         G1[i][j] = G2[i];
;     for (int i = 0; i < 100; i++)
;       for (int j = 0; j < 20; j++)
;         for (int k = 0; k < 30; k++)
;           G3[i][j][k] += 1;
;   }
;   void many_types(int n, char *restrict c, short *restrict s, int *restrict w, long *restrict l, float *restrict f,
;                   double *restrict d) {
;     for (int i = 0; i < n; i++)
;       d[i] = c[i] + s[i] + w[i] + l[i] + f[i];
;   }
;   void complex_numbers(int n, double _Complex *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[i] = A[i] + 1.0;
;   }
;   void structs(int n, struct point *restrict p) {
;     for (int i = 0; i < n; i++) {
;       p[i].x += p[i].y;
;       p[i].w = 1;
;     }
;   }
;   void element_sizes(int n, struct mixed *restrict p) {
;     for (int i = 0; i < n; i++) {
;       p[i].x += 1;
;       p[i].id = i;
;     }
;   }
;   void may_overlap(int n, double *A, double *B, int *C, const double *D) {
;     for (int i = 0; i < n; i++) {
;       A[i] = B[i] + D[i];
;       C[i] += 1;
;     }
;   }
;   void pointers_loaded(int n, double **A) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < n; j++)
;         A[i][j] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.point = type { float, float, float, float }
%struct.mixed = type { double, i32 }

@G2 = external global [64 x i32], align 16
@G1 = external global [64 x [64 x double]], align 16
@G3 = external global [100 x [20 x [30 x float]]], align 16

; CHECK-LABEL: SCoPs of function 'globals':
; CHECK-NEXT: scop "globals: for.cond1.preheader => for.cond.cleanup16"
; CHECK-NEXT:   context: { : }
; CHECK-NEXT:   array i32 G2[*]
; CHECK-NEXT:   array double G1[*][{{.*}}64{{.*}}]
; CHECK-NEXT:   array float G3[*][{{.*}}20{{.*}}][{{.*}}30{{.*}}]
; CHECK-NEXT:   scalar double conv (value)
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: { S0[i0] : 0 <= i0 <= 63 }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read { S0[i0] -> G2[i0] }
; CHECK-NEXT:     %1 = sitofp %0
; CHECK-NEXT:     write { S0[i0] -> conv[] } of %1
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: { S1[i0, i1] : 0 <= i0 <= 63 and 0 <= i1 <= 63 }
; CHECK-NEXT:     order: [0, i0, 1, i1, 0]
; CHECK-NEXT:     %0 = read { S1[i0, i1] -> conv[] }
; CHECK-NEXT:     write { S1[i0, i1] -> G1[i0, i1] } of %0
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: { S2[i0, i1, i2] : 0 <= i0 <= 99 and 0 <= i1 <= 19 and 0 <= i2 <= 29 }
; CHECK-NEXT:     order: [1, i0, 0, i1, 0, i2, 0]
; CHECK-NEXT:     %0 = read { S2[i0, i1, i2] -> G3[i0, i1, i2] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write { S2[i0, i1, i2] -> G3[i0, i1, i2] } of %1
define void @globals() #0 {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv61 = phi i64 [ 0, %entry ], [ %indvars.iv.next62, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds [64 x i32], ptr @G2, i64 0, i64 %indvars.iv61
  %0 = load i32, ptr %arrayidx, align 4
  %conv = sitofp i32 %0 to double
  br label %for.body4

for.cond.cleanup3:
  %indvars.iv.next62 = add nuw nsw i64 %indvars.iv61, 1
  %exitcond64.not = icmp eq i64 %indvars.iv.next62, 64
  br i1 %exitcond64.not, label %for.cond19.preheader, label %for.cond1.preheader

for.body4:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %for.body4 ]
  %arrayidx8 = getelementptr inbounds [64 x [64 x double]], ptr @G1, i64 0, i64 %indvars.iv61, i64 %indvars.iv
  store double %conv, ptr %arrayidx8, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 64
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4

for.cond19.preheader:
  %indvars.iv73 = phi i64 [ %indvars.iv.next74, %for.cond.cleanup22 ], [ 0, %for.cond.cleanup3 ]
  br label %for.cond24.preheader

for.cond.cleanup16:
  ret void

for.cond24.preheader:
  %indvars.iv69 = phi i64 [ 0, %for.cond19.preheader ], [ %indvars.iv.next70, %for.cond.cleanup27 ]
  br label %for.body28

for.cond.cleanup22:
  %indvars.iv.next74 = add nuw nsw i64 %indvars.iv73, 1
  %exitcond76.not = icmp eq i64 %indvars.iv.next74, 100
  br i1 %exitcond76.not, label %for.cond.cleanup16, label %for.cond19.preheader

for.cond.cleanup27:
  %indvars.iv.next70 = add nuw nsw i64 %indvars.iv69, 1
  %exitcond72.not = icmp eq i64 %indvars.iv.next70, 20
  br i1 %exitcond72.not, label %for.cond.cleanup22, label %for.cond24.preheader

for.body28:
  %indvars.iv65 = phi i64 [ 0, %for.cond24.preheader ], [ %indvars.iv.next66, %for.body28 ]
  %arrayidx34 = getelementptr inbounds [100 x [20 x [30 x float]]], ptr @G3, i64 0, i64 %indvars.iv73, i64 %indvars.iv69, i64 %indvars.iv65
  %1 = load float, ptr %arrayidx34, align 4
  %add = fadd float %1, 1.000000e+00
  store float %add, ptr %arrayidx34, align 4
  %indvars.iv.next66 = add nuw nsw i64 %indvars.iv65, 1
  %exitcond68.not = icmp eq i64 %indvars.iv.next66, 30
  br i1 %exitcond68.not, label %for.cond.cleanup27, label %for.body28
}

; CHECK-LABEL: SCoPs of function 'many_types':
; CHECK-NEXT: scop "many_types: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i8 c[*]
; CHECK-NEXT:   array i16 s[*]
; CHECK-NEXT:   array i32 w[*]
; CHECK-NEXT:   array i64 l[*]
; CHECK-NEXT:   array float f[*]
; CHECK-NEXT:   array double d[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> c[i0] }
; CHECK-NEXT:     %1 = sext %0
; CHECK-NEXT:     %2 = read [n] -> { S0[i0] -> s[i0] }
; CHECK-NEXT:     %3 = sext %2
; CHECK-NEXT:     %4 = add %3, %1
; CHECK-NEXT:     %5 = read [n] -> { S0[i0] -> w[i0] }
; CHECK-NEXT:     %6 = add %4, %5
; CHECK-NEXT:     %7 = sext %6
; CHECK-NEXT:     %8 = read [n] -> { S0[i0] -> l[i0] }
; CHECK-NEXT:     %9 = add %8, %7
; CHECK-NEXT:     %10 = sitofp %9
; CHECK-NEXT:     %11 = read [n] -> { S0[i0] -> f[i0] }
; CHECK-NEXT:     %12 = fadd %11, %10
; CHECK-NEXT:     %13 = fpext %12
; CHECK-NEXT:     write [n] -> { S0[i0] -> d[i0] } of %13
define void @many_types(i32 %n, ptr noalias %c, ptr noalias %s, ptr noalias %w, ptr noalias %l, ptr noalias %f, ptr noalias %d) #1 {
entry:
  %cmp25 = icmp sgt i32 %n, 0
  br i1 %cmp25, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i8, ptr %c, i64 %indvars.iv
  %0 = load i8, ptr %arrayidx, align 1
  %conv = sext i8 %0 to i32
  %arrayidx2 = getelementptr inbounds i16, ptr %s, i64 %indvars.iv
  %1 = load i16, ptr %arrayidx2, align 2
  %conv3 = sext i16 %1 to i32
  %add = add nsw i32 %conv3, %conv
  %arrayidx5 = getelementptr inbounds i32, ptr %w, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx5, align 4
  %add6 = add nsw i32 %add, %2
  %conv7 = sext i32 %add6 to i64
  %arrayidx9 = getelementptr inbounds i64, ptr %l, i64 %indvars.iv
  %3 = load i64, ptr %arrayidx9, align 8
  %add10 = add nsw i64 %3, %conv7
  %conv11 = sitofp i64 %add10 to float
  %arrayidx13 = getelementptr inbounds float, ptr %f, i64 %indvars.iv
  %4 = load float, ptr %arrayidx13, align 4
  %add14 = fadd float %4, %conv11
  %conv15 = fpext float %add14 to double
  %arrayidx17 = getelementptr inbounds double, ptr %d, i64 %indvars.iv
  store double %conv15, ptr %arrayidx17, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'complex_numbers':
; CHECK-NEXT: scop "complex_numbers: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[2i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[2i0] } of %1
define void @complex_numbers(i32 %n, ptr noalias %A) #1 {
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
  %arrayidx = getelementptr inbounds { double, double }, ptr %A, i64 %indvars.iv
  %arrayidx.real = load double, ptr %arrayidx, align 8
  %add.r = fadd double %arrayidx.real, 1.000000e+00
  store double %add.r, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'structs':
; CHECK-NEXT: scop "structs: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array float p[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> p[1 + 4i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0] -> p[4i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S0[i0] -> p[4i0] } of %2
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     write [n] -> { S1[i0] -> p[3 + 4i0] } of invariant
define void @structs(i32 %n, ptr noalias %p) #1 {
entry:
  %cmp11 = icmp sgt i32 %n, 0
  br i1 %cmp11, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds %struct.point, ptr %p, i64 %indvars.iv
  %y = getelementptr inbounds i8, ptr %arrayidx, i64 4
  %0 = load float, ptr %y, align 4
  %1 = load float, ptr %arrayidx, align 4
  %add = fadd float %0, %1
  store float %add, ptr %arrayidx, align 4
  %w = getelementptr inbounds i8, ptr %arrayidx, i64 12
  store float 1.000000e+00, ptr %w, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'element_sizes':
; CHECK-NEXT: scop "element_sizes: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array b32 p[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> p[o0] : 4i0 <= o0 <= 1 + 4i0 } at affine
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> p[o0] : 4i0 <= o0 <= 1 + 4i0 } of %1 at affine
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     write [n] -> { S1[i0] -> p[2 + 4i0] } of affine
define void @element_sizes(i32 %n, ptr noalias %p) #1 {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds %struct.mixed, ptr %p, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  store double %add, ptr %arrayidx, align 8
  %id = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %1 = trunc nuw nsw i64 %indvars.iv to i32
  store i32 %1, ptr %id, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'may_overlap':
; CHECK-NEXT: scop "may_overlap: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double D[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array i32 C[*]
; CHECK-NEXT:   may alias: B, A
; CHECK-NEXT:   may alias: B, C
; CHECK-NEXT:   may alias: D, A
; CHECK-NEXT:   may alias: D, C
; CHECK-NEXT:   may alias: A, C
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0] -> D[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %2
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> C[i0] }
; CHECK-NEXT:     %1 = add %0, invariant
; CHECK-NEXT:     write [n] -> { S1[i0] -> C[i0] } of %1
define void @may_overlap(i32 %n, ptr %A, ptr %B, ptr %C, ptr %D) #1 {
entry:
  %cmp13 = icmp sgt i32 %n, 0
  br i1 %cmp13, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx2 = getelementptr inbounds double, ptr %D, i64 %indvars.iv
  %1 = load double, ptr %arrayidx2, align 8
  %add = fadd double %0, %1
  %arrayidx4 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  store double %add, ptr %arrayidx4, align 8
  %arrayidx6 = getelementptr inbounds i32, ptr %C, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx6, align 4
  %add7 = add nsw i32 %2, 1
  store i32 %add7, ptr %arrayidx6, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'pointers_loaded':
; CHECK-NEXT: scop "pointers_loaded: for.body4.lr.ph => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[row][*]
; CHECK-NEXT:   array ptr A_rows[*]
; CHECK-NEXT:   may alias: A, A_rows
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0, i1] -> A[i0, i1] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0, i1] -> A[i0, i1] } of %1
define void @pointers_loaded(i32 %n, ptr %A) #2 {
entry:
  %cmp17 = icmp sgt i32 %n, 0
  br i1 %cmp17, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %wide.trip.count23 = zext nneg i32 %n to i64
  br label %for.body4.lr.ph

for.body4.lr.ph:
  %indvars.iv20 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next21, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds ptr, ptr %A, i64 %indvars.iv20
  %0 = load ptr, ptr %arrayidx, align 8
  br label %for.body4

for.cond.cleanup:
  ret void

for.cond.cleanup3:
  %indvars.iv.next21 = add nuw nsw i64 %indvars.iv20, 1
  %exitcond24.not = icmp eq i64 %indvars.iv.next21, %wide.trip.count23
  br i1 %exitcond24.not, label %for.cond.cleanup, label %for.body4.lr.ph

for.body4:
  %indvars.iv = phi i64 [ 0, %for.body4.lr.ph ], [ %indvars.iv.next, %for.body4 ]
  %arrayidx6 = getelementptr inbounds double, ptr %0, i64 %indvars.iv
  %1 = load double, ptr %arrayidx6, align 8
  %add = fadd double %1, 1.000000e+00
  store double %add, ptr %arrayidx6, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count23
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
attributes #2 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) }
