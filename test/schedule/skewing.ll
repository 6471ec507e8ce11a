; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; Stencils: the loops over space are skewed against time, so that the band is permutable.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Gauss-Seidel in one dimension: a value needs the one of its right neighbour from the step before.
;
;   void seidel_1d(long n, double *A) {
;     for (long t = 0; t < n; t++)
;       for (long i = 1; i < 99; i++)
;         A[i] = A[i - 1] + A[i] + A[i + 1];
;   }
;
; CHECK-LABEL:Schedules of function 'seidel_1d':
; CHECK-NEXT:scop "seidel_1d: for.cond1.preheader => for.end12.loopexit"
; CHECK-NEXT:domain: "[n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 97 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[n] -> [{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(i0 + i1)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NOT:{{.+}}
define void @seidel_1d(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp11 = icmp sgt i64 %n, 0
  br i1 %cmp11, label %for.cond1.preheader, label %for.end12

for.cond1.preheader:
  %t.012 = phi i64 [ %inc11, %for.inc10 ], [ 0, %entry ]
  br label %for.body4

for.body4:
  %i.010 = phi i64 [ 1, %for.cond1.preheader ], [ %add6, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.010
  %0 = load double, ptr %gep, align 8
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %i.010
  %1 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, %1
  %add6 = add nuw nsw i64 %i.010, 1
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %add6
  %2 = load double, ptr %arrayidx7, align 8
  %add8 = fadd double %add, %2
  store double %add8, ptr %arrayidx5, align 8
  %exitcond.not = icmp eq i64 %add6, 99
  br i1 %exitcond.not, label %for.inc10, label %for.body4

for.inc10:
  %inc11 = add nuw nsw i64 %t.012, 1
  %exitcond13.not = icmp eq i64 %inc11, %n
  br i1 %exitcond13.not, label %for.end12, label %for.cond1.preheader

for.end12:
  ret void
}

; In two dimensions: the lower left neighbour is overwritten in the same step, hence j is skewed against i as well.
;
;   void seidel_2d(long n, double A[100][100]) {
;     for (long t = 0; t < n; t++)
;       for (long i = 1; i < 99; i++)
;         for (long j = 1; j < 99; j++)
;           A[i][j] = A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j]
;                     + A[i + 1][j + 1];
;   }
;
; CHECK-LABEL:Schedules of function 'seidel_2d':
; CHECK-NEXT:scop "seidel_2d: for.cond1.preheader => for.end51.loopexit"
; CHECK-NEXT:domain: "[n] -> { S0[i0, i1, i2] : 0 <= i0 < n and 0 <= i1 <= 97 and 0 <= i2 <= 97 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[n] -> [{ S0[i0, i1, i2] -> [(i0)] }, { S0[i0, i1, i2] -> [(i0 + i1)] }, { S0[i0, i1, i2] -> [(2i0 + i1 + i2)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NOT:{{.+}}
define void @seidel_2d(i64 %n, ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  %invariant.gep34 = getelementptr inbounds i8, ptr %A, i64 800
  %cmp37 = icmp sgt i64 %n, 0
  br i1 %cmp37, label %for.cond1.preheader, label %for.end51

for.cond1.preheader:
  %t.038 = phi i64 [ %inc50, %for.inc49 ], [ 0, %entry ]
  br label %for.cond5.preheader

for.cond5.preheader:
  %i.036 = phi i64 [ 1, %for.cond1.preheader ], [ %inc47, %for.inc46 ]
  br label %for.body8

for.body8:
  %j.033 = phi i64 [ 1, %for.cond5.preheader ], [ %add16, %for.body8 ]
  %sub9 = add nsw i64 %j.033, -1
  %arrayidx10 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.036, i64 %sub9
  %0 = load double, ptr %arrayidx10, align 8
  %arrayidx13 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.036, i64 %j.033
  %1 = load double, ptr %arrayidx13, align 8
  %add = fadd double %0, %1
  %add16 = add nuw nsw i64 %j.033, 1
  %arrayidx17 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.036, i64 %add16
  %2 = load double, ptr %arrayidx17, align 8
  %add18 = fadd double %add, %2
  %arrayidx21 = getelementptr inbounds [100 x double], ptr %A, i64 %i.036, i64 %sub9
  %3 = load double, ptr %arrayidx21, align 8
  %add22 = fadd double %add18, %3
  %arrayidx24 = getelementptr inbounds [100 x double], ptr %A, i64 %i.036, i64 %j.033
  %4 = load double, ptr %arrayidx24, align 8
  %add25 = fadd double %add22, %4
  %arrayidx28 = getelementptr inbounds [100 x double], ptr %A, i64 %i.036, i64 %add16
  %5 = load double, ptr %arrayidx28, align 8
  %add29 = fadd double %add25, %5
  %arrayidx33 = getelementptr inbounds [100 x double], ptr %invariant.gep34, i64 %i.036, i64 %sub9
  %6 = load double, ptr %arrayidx33, align 8
  %add34 = fadd double %add29, %6
  %arrayidx37 = getelementptr inbounds [100 x double], ptr %invariant.gep34, i64 %i.036, i64 %j.033
  %7 = load double, ptr %arrayidx37, align 8
  %add38 = fadd double %add34, %7
  %arrayidx42 = getelementptr inbounds [100 x double], ptr %invariant.gep34, i64 %i.036, i64 %add16
  %8 = load double, ptr %arrayidx42, align 8
  %add43 = fadd double %add38, %8
  store double %add43, ptr %arrayidx24, align 8
  %exitcond.not = icmp eq i64 %add16, 99
  br i1 %exitcond.not, label %for.inc46, label %for.body8

for.inc46:
  %inc47 = add nuw nsw i64 %i.036, 1
  %exitcond39.not = icmp eq i64 %inc47, 99
  br i1 %exitcond39.not, label %for.inc49, label %for.cond5.preheader

for.inc49:
  %inc50 = add nuw nsw i64 %t.038, 1
  %exitcond40.not = icmp eq i64 %inc50, %n
  br i1 %exitcond40.not, label %for.end51, label %for.cond1.preheader

for.end51:
  ret void
}

; Jacobi with two arrays: two steps to the right for each step in time, and the copy one behind.
;
;   void jacobi_1d(long n, double *restrict A, double *restrict B) {
;     for (long t = 0; t < n; t++) {
;       for (long i = 1; i < 99; i++)
;         B[i] = A[i - 1] + A[i] + A[i + 1];
;       for (long i = 1; i < 99; i++)
;         A[i] = B[i];
;     }
;   }
;
; CHECK-LABEL:Schedules of function 'jacobi_1d':
; CHECK-NEXT:scop "jacobi_1d: for.cond1.preheader => for.end22.loopexit"
; CHECK-NEXT:domain: "[n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 97; S1[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 97 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[n] -> [{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(2i0 + i1)]; S1[i0, i1] -> [(1 + 2i0 + i1)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  child:
; CHECK-NEXT:    sequence:
; CHECK-NEXT:    - filter: "[n] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 97 }"
; CHECK-NEXT:    - filter: "[n] -> { S1[i0, i1] : 0 <= i0 < n and 0 <= i1 <= 97 }"
; CHECK-NOT:{{.+}}
define void @jacobi_1d(i64 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  %cmp16 = icmp sgt i64 %n, 0
  br i1 %cmp16, label %for.cond1.preheader, label %for.end22

for.cond1.preheader:
  %t.017 = phi i64 [ %inc21, %for.inc20 ], [ 0, %entry ]
  br label %for.body4

for.body4:
  %i.014 = phi i64 [ 1, %for.cond1.preheader ], [ %add6, %for.body4 ]
  %gep = getelementptr double, ptr %invariant.gep, i64 %i.014
  %0 = load double, ptr %gep, align 8
  %arrayidx5 = getelementptr inbounds double, ptr %A, i64 %i.014
  %1 = load double, ptr %arrayidx5, align 8
  %add = fadd double %0, %1
  %add6 = add nuw nsw i64 %i.014, 1
  %arrayidx7 = getelementptr inbounds double, ptr %A, i64 %add6
  %2 = load double, ptr %arrayidx7, align 8
  %add8 = fadd double %add, %2
  %arrayidx9 = getelementptr inbounds double, ptr %B, i64 %i.014
  store double %add8, ptr %arrayidx9, align 8
  %exitcond.not = icmp eq i64 %add6, 99
  br i1 %exitcond.not, label %for.body14, label %for.body4

for.body14:
  %i10.015 = phi i64 [ %inc18, %for.body14 ], [ 1, %for.body4 ]
  %arrayidx15 = getelementptr inbounds double, ptr %B, i64 %i10.015
  %3 = load double, ptr %arrayidx15, align 8
  %arrayidx16 = getelementptr inbounds double, ptr %A, i64 %i10.015
  store double %3, ptr %arrayidx16, align 8
  %inc18 = add nuw nsw i64 %i10.015, 1
  %exitcond18.not = icmp eq i64 %inc18, 99
  br i1 %exitcond18.not, label %for.inc20, label %for.body14

for.inc20:
  %inc21 = add nuw nsw i64 %t.017, 1
  %exitcond19.not = icmp eq i64 %inc21, %n
  br i1 %exitcond19.not, label %for.end22, label %for.cond1.preheader

for.end22:
  ret void
}

; The dependence goes down and to the left. The diagonals are independent of each other: i + j is parallel.
;
;   void against(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 0; j < 99; j++)
;         A[i][j] += A[i - 1][j + 1];
;   }
;
; CHECK-LABEL:Schedules of function 'against':
; CHECK-NEXT:scop "against: for.cond1.preheader => for.end11"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 98 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0 + i1)] }, { S0[i0, i1] -> [(i0)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NEXT:  coincident: [ 1, 0 ]
; CHECK-NOT:{{.+}}
define void @against(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.09 = phi i64 [ 1, %entry ], [ %inc10, %for.inc9 ]
  br label %for.body4

for.body4:
  %j.08 = phi i64 [ 0, %for.cond1.preheader ], [ %add, %for.body4 ]
  %add = add nuw nsw i64 %j.08, 1
  %arrayidx5 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.09, i64 %add
  %0 = load double, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr inbounds [100 x double], ptr %A, i64 %i.09, i64 %j.08
  %1 = load double, ptr %arrayidx7, align 8
  %add8 = fadd double %1, %0
  store double %add8, ptr %arrayidx7, align 8
  %exitcond.not = icmp eq i64 %add, 99
  br i1 %exitcond.not, label %for.inc9, label %for.body4

for.inc9:
  %inc10 = add nuw nsw i64 %i.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 100
  br i1 %exitcond10.not, label %for.end11, label %for.cond1.preheader

for.end11:
  ret void
}

; With two dependences, of distance (1, -2) and, for the right neighbour that is overwritten later, (0, 1).
;
;   void two_distances(double A[100][100]) {
;     for (long i = 1; i < 100; i++)
;       for (long j = 0; j < 98; j++)
;         A[i][j] += A[i - 1][j + 2] + A[i][j + 1];
;   }
;
; CHECK-LABEL:Schedules of function 'two_distances':
; CHECK-NEXT:scop "two_distances: for.cond1.preheader => for.end15"
; CHECK-NEXT:domain: "{ S0[i0, i1] : 0 <= i0 <= 98 and 0 <= i1 <= 97 }"
; CHECK-NEXT:child:
; CHECK-NEXT:  schedule: "[{ S0[i0, i1] -> [(i0)] }, { S0[i0, i1] -> [(2i0 + i1)] }]"
; CHECK-NEXT:  permutable: 1
; CHECK-NOT:{{.+}}
define void @two_distances(ptr %A) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -800
  br label %for.cond1.preheader

for.cond1.preheader:
  %i.012 = phi i64 [ 1, %entry ], [ %inc14, %for.inc13 ]
  br label %for.body4

for.body4:
  %j.011 = phi i64 [ 0, %for.cond1.preheader ], [ %add7, %for.body4 ]
  %add = add nuw nsw i64 %j.011, 2
  %arrayidx5 = getelementptr nusw [100 x double], ptr %invariant.gep, i64 %i.012, i64 %add
  %0 = load double, ptr %arrayidx5, align 8
  %add7 = add nuw nsw i64 %j.011, 1
  %arrayidx8 = getelementptr inbounds [100 x double], ptr %A, i64 %i.012, i64 %add7
  %1 = load double, ptr %arrayidx8, align 8
  %add9 = fadd double %0, %1
  %arrayidx11 = getelementptr inbounds [100 x double], ptr %A, i64 %i.012, i64 %j.011
  %2 = load double, ptr %arrayidx11, align 8
  %add12 = fadd double %2, %add9
  store double %add12, ptr %arrayidx11, align 8
  %exitcond.not = icmp eq i64 %add7, 98
  br i1 %exitcond.not, label %for.inc13, label %for.body4

for.inc13:
  %inc14 = add nuw nsw i64 %i.012, 1
  %exitcond13.not = icmp eq i64 %inc14, 100
  br i1 %exitcond13.not, label %for.end15, label %for.cond1.preheader

for.end15:
  ret void
}
