; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule;budget=3250>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
;
; An analysis that needs more operations than it may use gives up, and says so.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Gauss-Seidel in two dimensions.
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
; CHECK-NEXT:the operation budget ran out during dependence analysis; raise it with the option 'budget'
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
