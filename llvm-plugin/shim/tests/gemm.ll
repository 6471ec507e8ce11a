; void gemm(long n, double A[n][512], double *B): for i, j: A[i][j] += B[j] with n > 0 checked before.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@table = global [16 x i32] zeroinitializer

declare double @llvm.fmuladd.f64(double, double, double)
declare double @opaque(double)

define void @nest(i64 %n, ptr noalias %A, ptr %B, ptr %C) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %outer, label %end

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %A.ij = getelementptr inbounds [512 x double], ptr %A, i64 %i, i64 %j
  %a = load double, ptr %A.ij, align 8
  %B.j = getelementptr inbounds double, ptr %B, i64 %j
  %b = load double, ptr %B.j, align 8
  %sum = fadd reassoc double %a, %b
  store double %sum, ptr %A.ij, align 8
  %j.next = add nuw nsw i64 %j, 1
  %inner.more = icmp slt i64 %j.next, 512
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %outer.more = icmp slt i64 %i.next, %n
  br i1 %outer.more, label %outer, label %end

end:
  %x = call double @opaque(double 1.0)
  %y = call double @llvm.fmuladd.f64(double %x, double %x, double %x)
  ret void
}

define i32 @choose(i32 %v, i128 %wide) #0 {
entry:
  switch i32 %v, label %other [
    i32 -3, label %one
    i32 7, label %other
  ]
one:
  br label %other
other:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %one ]
  %w = add nsw i128 %wide, -5
  ret i32 %r
}

attributes #0 = { nounwind memory(none) nosync nofree norecurse willreturn "target-cpu"="znver4" }
