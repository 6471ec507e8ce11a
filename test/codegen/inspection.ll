; Conditions on data that end the program: looked at in a nest of their own before the new code, and only in the loops that they depend on. The first instance for which the condition holds
; leaves for the original.
;
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

; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,poly<force;process-unprofitable;no-tile>' -verify-each -S %s | %FileCheck %s

; CHECK-LABEL: define void @gathered(
; CHECK:       poly.c2.header:
; CHECK-NEXT:    [[J:%.*]] = phi i64
; CHECK-NEXT:    [[PLACE:%.*]] = getelementptr i32, ptr %index, i64 [[J]]
; CHECK-NEXT:    [[K:%.*]] = load i32, ptr [[PLACE]], align 4
; CHECK-NEXT:    [[IN:%.*]] = icmp ult i32 [[K]], %size
; CHECK-NEXT:    br i1 [[IN]], label %poly.inspected, label %[[ORIGINAL:.*]]
; CHECK:       poly.inspected:
; CHECK:         br i1 {{.*}}, label %poly.c2.header, label
; CHECK:       poly.c0.header:
; CHECK-NOT:     icmp ult i32
; CHECK:       poly.c1.header:
; CHECK:         call double @llvm.fmuladd.f64

declare void @report(i32 noundef) noreturn
declare double @llvm.fmuladd.f64(double, double, double)

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
