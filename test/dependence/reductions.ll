; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences;no-reductions>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=FREE %s
;
; Reductions. With no-reductions the updates keep their order, whether or not their operation could be reassociated: each reads the value of the one
; before, and an update that only follows others is not related to all of them (CHECK). Else those that may change their order are related to all
; others, and whatever else touches the element to all of them (FREE).
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Integer addition.
;
;   void integer_sum(long n, long *restrict S, long *restrict A) {
;     for (long i = 0; i < n; i++)
;       S[0] += A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'integer_sum':
; CHECK-NEXT:scop "integer_sum: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'integer_sum':
; FREE-NEXT:scop "integer_sum: for.body => for.end.loopexit"
; FREE-NEXT:output (reduction) 0.2 -> 0.2: [n] -> { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 < n }
; FREE-NOT:{{.+}}
define void @integer_sum(i64 %n, ptr noalias %S, ptr noalias %A) {
entry:
  %cmp3 = icmp sgt i64 %n, 0
  br i1 %cmp3, label %for.body, label %for.end

for.body:
  %i.04 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.04
  %0 = load i64, ptr %arrayidx, align 8
  %1 = load i64, ptr %S, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %S, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Floating-point addition, which must keep its order.
;
;   void strict_sum(long n, double *restrict S, double *restrict A) {
;     for (long i = 0; i < n; i++)
;       S[0] += A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'strict_sum':
; CHECK-NEXT:scop "strict_sum: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'strict_sum':
; FREE-NEXT:scop "strict_sum: for.body => for.end.loopexit"
; FREE-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; FREE-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; FREE-NOT:{{.+}}
define void @strict_sum(i64 %n, ptr noalias %S, ptr noalias %A) {
entry:
  %cmp3 = icmp sgt i64 %n, 0
  br i1 %cmp3, label %for.body, label %for.end

for.body:
  %i.04 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.04
  %0 = load double, ptr %arrayidx, align 8
  %1 = load double, ptr %S, align 8
  %add = fadd double %1, %0
  store double %add, ptr %S, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; The same, where reassociation is allowed.
;
;   void fast_sum(long n, double *restrict S, double *restrict A) {
;   #pragma clang fp reassociate(on)
;     for (long i = 0; i < n; i++)
;       S[0] += A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'fast_sum':
; CHECK-NEXT:scop "fast_sum: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'fast_sum':
; FREE-NEXT:scop "fast_sum: for.body => for.end.loopexit"
; FREE-NEXT:output (reduction) 0.2 -> 0.2: [n] -> { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 < n }
; FREE-NOT:{{.+}}
define void @fast_sum(i64 %n, ptr noalias %S, ptr noalias %A) {
entry:
  %cmp3 = icmp sgt i64 %n, 0
  br i1 %cmp3, label %for.body, label %for.end

for.body:
  %i.04 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.04
  %0 = load double, ptr %arrayidx, align 8
  %1 = load double, ptr %S, align 8
  %add = fadd reassoc double %1, %0
  store double %add, ptr %S, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A histogram of remainders: eight sums in turn.
;
;   void histogram(long *restrict S, long *restrict A) {
;     for (unsigned long i = 0; i < 100; i++)
;       S[i % 8] += A[i];
;   }
;
; CHECK-LABEL:Dependences of function 'histogram':
; CHECK-NEXT:scop "histogram: for.body => for.end"
; CHECK-NEXT:flow 0.2 -> 0.1: { S0[i0] -> S0[8 + i0] : 0 <= i0 <= 91 }
; CHECK-NEXT:output 0.2 -> 0.2: { S0[i0] -> S0[8 + i0] : 0 <= i0 <= 91 }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'histogram':
; FREE-NEXT:scop "histogram: for.body => for.end"
; FREE-NEXT:output (reduction) 0.2 -> 0.2: { S0[i0] -> S0[o0] : 8*floor((o0)/8) = -i0 + o0 + 8*floor((i0)/8) and i0 >= 0 and i0 < o0 <= 99 }
; FREE-NOT:{{.+}}
define void @histogram(ptr noalias %S, ptr noalias %A) {
entry:
  br label %for.body

for.body:
  %i.04 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.04
  %0 = load i64, ptr %arrayidx, align 8
  %rem = and i64 %i.04, 7
  %arrayidx1 = getelementptr inbounds i64, ptr %S, i64 %rem
  %1 = load i64, ptr %arrayidx1, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Initialized, summed up, used.
;
;   void row_sums(long *restrict S, long A[100][100], long *restrict B) {
;     for (long i = 0; i < 100; i++) {
;       S[i] = 0;
;       for (long j = 0; j < 100; j++)
;         S[i] += A[i][j];
;       B[i] = S[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'row_sums':
; CHECK-NEXT:scop "row_sums: for.body => for.end12"
; CHECK-NEXT:flow 0.0 -> 1.1: { S0[i0] -> S1[i0, 0] : 0 <= i0 <= 99 }
; CHECK-NEXT:flow 1.2 -> 1.1: { S1[i0, i1] -> S1[i0, 1 + i1] : 0 <= i0 <= 99 and 0 <= i1 <= 98 }
; CHECK-NEXT:flow 1.2 -> 2.0: { S1[i0, i1 = 99] -> S2[i0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 0.0 -> 1.2: { S0[i0] -> S1[i0, 0] : 0 <= i0 <= 99 }
; CHECK-NEXT:output 1.2 -> 1.2: { S1[i0, i1] -> S1[i0, 1 + i1] : 0 <= i0 <= 99 and 0 <= i1 <= 98 }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'row_sums':
; FREE-NEXT:scop "row_sums: for.body => for.end12"
; FREE-NEXT:flow 0.0 -> 1.1: { S0[i0] -> S1[i0, o1] : 0 <= i0 <= 99 and 0 <= o1 <= 99 }
; FREE-NEXT:flow 0.0 -> 2.0: { S0[i0] -> S2[i0] : 0 <= i0 <= 99 }
; FREE-NEXT:flow 1.2 -> 2.0: { S1[i0, i1] -> S2[i0] : 0 <= i0 <= 99 and 0 <= i1 <= 99 }
; FREE-NEXT:output 0.0 -> 1.2: { S0[i0] -> S1[i0, o1] : 0 <= i0 <= 99 and 0 <= o1 <= 99 }
; FREE-NEXT:output (reduction) 1.2 -> 1.2: { S1[i0, i1] -> S1[i0, o1] : 0 <= i0 <= 99 and i1 >= 0 and i1 < o1 <= 99 }
; FREE-NOT:{{.+}}
define void @row_sums(ptr noalias %S, ptr %A, ptr noalias %B) {
entry:
  br label %for.body

for.body:
  %i.012 = phi i64 [ 0, %entry ], [ %inc11, %for.end ]
  %arrayidx = getelementptr inbounds i64, ptr %S, i64 %i.012
  store i64 0, ptr %arrayidx, align 8
  br label %for.body4

for.body4:
  %j.011 = phi i64 [ 0, %for.body ], [ %inc, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [100 x i64], ptr %A, i64 %i.012, i64 %j.011
  %0 = load i64, ptr %arrayidx6, align 8
  %1 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %j.011, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.end, label %for.body4

for.end:
  %2 = load i64, ptr %arrayidx, align 8
  %arrayidx9 = getelementptr inbounds i64, ptr %B, i64 %i.012
  store i64 %2, ptr %arrayidx9, align 8
  %inc11 = add nuw nsw i64 %i.012, 1
  %exitcond13.not = icmp eq i64 %inc11, 100
  br i1 %exitcond13.not, label %for.end12, label %for.body

for.end12:
  ret void
}

; Products, and bitwise operations.
;
;   void product_and_parity(long n, long *restrict P, long *restrict X, long *restrict A) {
;     for (long i = 0; i < n; i++) {
;       P[0] *= A[i];
;       X[0] ^= A[i];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'product_and_parity':
; CHECK-NEXT:scop "product_and_parity: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:flow 0.4 -> 0.3: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.4 -> 0.4: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'product_and_parity':
; FREE-NEXT:scop "product_and_parity: for.body => for.end.loopexit"
; FREE-NEXT:output (reduction) 0.2 -> 0.2: [n] -> { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 < n }
; FREE-NEXT:output (reduction) 0.4 -> 0.4: [n] -> { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 < n }
; FREE-NOT:{{.+}}
define void @product_and_parity(i64 %n, ptr noalias %P, ptr noalias %X, ptr noalias %A) {
entry:
  %cmp5 = icmp sgt i64 %n, 0
  br i1 %cmp5, label %for.body, label %for.end

for.body:
  %i.06 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.06
  %0 = load i64, ptr %arrayidx, align 8
  %1 = load i64, ptr %P, align 8
  %mul = mul nsw i64 %1, %0
  store i64 %mul, ptr %P, align 8
  %2 = load i64, ptr %X, align 8
  %xor = xor i64 %2, %0
  store i64 %xor, ptr %X, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; A sum that is stored while it grows. The element that is read is overwritten by the same instance.
;
;   void prefix_sum(long n, long *restrict S, long *restrict A) {
;     for (long i = 0; i < n; i++) {
;       S[0] += A[i];
;       A[i] = S[0];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'prefix_sum':
; CHECK-NEXT:scop "prefix_sum: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'prefix_sum':
; FREE-NEXT:scop "prefix_sum: for.body => for.end.loopexit"
; FREE-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; FREE-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; FREE-NOT:{{.+}}
define void @prefix_sum(i64 %n, ptr noalias %S, ptr noalias %A) {
entry:
  %cmp6 = icmp sgt i64 %n, 0
  br i1 %cmp6, label %for.body, label %for.end

for.body:
  %i.07 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.07
  %0 = load i64, ptr %arrayidx, align 8
  %1 = load i64, ptr %S, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %S, align 8
  store i64 %add, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; Subtraction from the element and of the element.
;
;   void differences(long n, long *restrict S, long *restrict T, long *restrict A) {
;     for (long i = 0; i < n; i++) {
;       S[0] -= A[i];
;       T[0] = A[i] - T[0];
;     }
;   }
;
; CHECK-LABEL:Dependences of function 'differences':
; CHECK-NEXT:scop "differences: for.body => for.end.loopexit"
; CHECK-NEXT:flow 0.2 -> 0.1: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:flow 0.4 -> 0.3: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.2 -> 0.2: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NEXT:output 0.4 -> 0.4: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; CHECK-NOT:{{.+}}
; FREE-LABEL:Dependences of function 'differences':
; FREE-NEXT:scop "differences: for.body => for.end.loopexit"
; FREE-NEXT:flow 0.4 -> 0.3: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; FREE-NEXT:output 0.4 -> 0.4: [n] -> { S0[i0] -> S0[1 + i0] : 0 <= i0 <= -2 + n }
; FREE-NEXT:output (reduction) 0.2 -> 0.2: [n] -> { S0[i0] -> S0[o0] : i0 >= 0 and i0 < o0 < n }
; FREE-NOT:{{.+}}
define void @differences(i64 %n, ptr noalias %S, ptr noalias %T, ptr noalias %A) {
entry:
  %cmp6 = icmp sgt i64 %n, 0
  br i1 %cmp6, label %for.body, label %for.end

for.body:
  %i.07 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.07
  %0 = load i64, ptr %arrayidx, align 8
  %1 = load i64, ptr %S, align 8
  %sub = sub nsw i64 %1, %0
  store i64 %sub, ptr %S, align 8
  %2 = load i64, ptr %T, align 8
  %sub4 = sub nsw i64 %0, %2
  store i64 %sub4, ptr %T, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}
