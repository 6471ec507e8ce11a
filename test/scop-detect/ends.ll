; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Branches to what does not come back: assumed not taken.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void abort(void) __attribute__((noreturn, nothrow));
;   void report(int) __attribute__((noreturn));
;   void checked(int n, int m, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       if (i >= m)
;         abort();
;       A[i] = B[i];
;     }
;   }
;   void before(int n, int m, double *restrict A, double *restrict B) {
;     if (n > m)
;       abort();
;     for (int i = 0; i < n; i++) {
;       if (i >= m)
;         report(i);
;       A[i] += B[i];
;     }
;   }
;   void two_checks(unsigned long n, unsigned long la, unsigned long lb, double *restrict A, double *restrict B) {
;     for (unsigned long i = 0; i < n; i++) {
;       if (i >= la)
;         report(1);
;       for (unsigned long j = 0; j < n; j++) {
;         if (j + i >= lb)
;           report(2);
;         A[i] += B[j + i];
;       }
;     }
;   }
;   double sum(int n, int m, double *A) {
;     double s = 0;
;     for (int i = 0; i < n; i++) {
;       if (i == m)
;         report(i);
;       s += A[i];
;     }
;     return s;
;   }
;   void by_data(int n, double *restrict A, double *restrict B) {
;     for (int i = 0; i < n; i++) {
;       if (A[i] < 0)
;         abort();
;       B[i] = A[i];
;     }
;   }
;   void unreachable_default(int n, int k, double *restrict A) {
;     for (int i = 0; i < n; i++)
;       switch (k) {
;       case 0: A[i] += 1; break;
;       case 1: A[i] *= 2; break;
;       default: __builtin_unreachable();
;       }
;   }
;   void overflow(int n, int k, int *restrict A) {
;     for (int i = 0; i < n; i++) {
;       int sum;
;       if (__builtin_add_overflow(i, k, &sum))
;         report(i);
;       A[i] = sum;
;     }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'checked':
; CHECK-NEXT: scop "checked: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 signed
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and -2147483648 <= m <= 2147483647 }
; CHECK-NEXT:   assume not-taken: [n, m] -> { : m >= n } because the program does not end inside
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, m] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     write [n, m] -> { S0[i0] -> A[i0] } of %0
define void @checked(i32 %n, i32 %m, ptr noalias writeonly %A, ptr noalias readonly %B) {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.body.preheader, label %for.end

for.body.preheader:
  %smax = tail call i32 @llvm.smax.i32(i32 %m, i32 0)
  %wide.trip.count = zext nneg i32 %smax to i64
  %wide.trip.count11 = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end ]
  %exitcond.not = icmp eq i64 %indvars.iv, %wide.trip.count
  br i1 %exitcond.not, label %if.then, label %if.end

if.then:
  tail call void @abort() #6
  unreachable

if.end:
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx3 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  store double %0, ptr %arrayidx3, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond12.not = icmp eq i64 %indvars.iv.next, %wide.trip.count11
  br i1 %exitcond12.not, label %for.end, label %for.body

for.end:
  ret void
}

declare void @abort() #1

; CHECK-LABEL: SCoPs of function 'before':
; CHECK-NEXT: scop "before: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> B[i0] }
; CHECK-NEXT:     %1 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %2
define void @before(i32 %n, i32 %m, ptr noalias %A, ptr noalias readonly %B) {
entry:
  %cmp = icmp sgt i32 %n, %m
  br i1 %cmp, label %if.then, label %for.cond.preheader.split

for.cond.preheader.split:
  %cmp115 = icmp sgt i32 %n, 0
  br i1 %cmp115, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

if.then:
  tail call void @abort() #6
  unreachable

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %arrayidx6 = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %1 = load double, ptr %arrayidx6, align 8
  %add = fadd double %0, %1
  store double %add, ptr %arrayidx6, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

declare void @report(i32 noundef) #2

; CHECK-LABEL: SCoPs of function 'two_checks':
; CHECK-NEXT: scop "two_checks: for.body => for.end13.loopexit"
; CHECK-NEXT:   parameter n: i64 signed
; CHECK-NEXT:   parameter la: i64 signed
; CHECK-NEXT:   parameter lb: i64 unsigned
; CHECK-NEXT:   context: [n, la, lb] -> { : lb >= 0 }
; CHECK-NEXT:   assume non-negative: [n, la, lb] -> { : n > 0 } because the number of iterations is not negative
; CHECK-NEXT:   assume range: [n, la, lb] -> { : -1125899906842624 <= la <= 1125899906842624 } because la is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume not-taken: [n, la, lb] -> { : la >= n or la < 0 } because the program does not end inside
; CHECK-NEXT:   assume range: [n, la, lb] -> { : lb <= 1125899906842624 } because lb is small enough for loop counters of 64 bits
; CHECK-NEXT:   assume not-taken: [n, la, lb] -> { : lb >= -1 + 2n } because the program does not end inside
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, la, lb] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }
; CHECK-NEXT:     order: [0, i0, 0, i1, 0]
; CHECK-NEXT:     %0 = read [n, la, lb] -> { S0[i0, i1] -> B[i0 + i1] }
; CHECK-NEXT:     %1 = read [n, la, lb] -> { S0[i0, i1] -> A[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, la, lb] -> { S0[i0, i1] -> A[i0] } of %2
define void @two_checks(i64 %n, i64 %la, i64 %lb, ptr noalias %A, ptr noalias readonly %B) {
entry:
  %cmp24.not = icmp eq i64 %n, 0
  br i1 %cmp24.not, label %for.end13, label %for.body

for.body:
  %i.025 = phi i64 [ %inc12, %for.inc11 ], [ 0, %entry ]
  %exitcond26.not = icmp eq i64 %i.025, %la
  br i1 %exitcond26.not, label %if.then, label %for.cond2.preheader

for.cond2.preheader:
  %arrayidx9 = getelementptr inbounds double, ptr %A, i64 %i.025
  br label %for.body4

if.then:
  tail call void @report(i32 1) #6
  unreachable

for.body4:
  %j.023 = phi i64 [ 0, %for.cond2.preheader ], [ %inc, %if.end7 ]
  %add = add nuw i64 %j.023, %i.025
  %cmp5.not = icmp ult i64 %add, %lb
  br i1 %cmp5.not, label %if.end7, label %if.then6

if.then6:
  tail call void @report(i32 2) #6
  unreachable

if.end7:
  %arrayidx = getelementptr inbounds double, ptr %B, i64 %add
  %0 = load double, ptr %arrayidx, align 8
  %1 = load double, ptr %arrayidx9, align 8
  %add10 = fadd double %0, %1
  store double %add10, ptr %arrayidx9, align 8
  %inc = add nuw i64 %j.023, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.inc11, label %for.body4

for.inc11:
  %inc12 = add nuw i64 %i.025, 1
  %exitcond27.not = icmp eq i64 %inc12, %n
  br i1 %exitcond27.not, label %for.end13, label %for.body

for.end13:
  ret void
}

; CHECK-LABEL: SCoPs of function 'sum':
; CHECK-NEXT: scop "sum: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter m: i32 unsigned
; CHECK-NEXT:   context: [n, m] -> { : 0 < n <= 2147483647 and 0 <= m <= 4294967295 }
; CHECK-NEXT:   assume not-taken: [n, m] -> { : m >= n } because the program does not end inside
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   scalar double s_010_phi (phi)
; CHECK-NEXT:   scalar double s_010 (value)
; CHECK-NEXT:   scalar double add (value, used after the region)
; CHECK-NEXT:   statement S_entry
; CHECK-NEXT:     domain: [n, m] -> { S_entry[] }
; CHECK-NEXT:     order: [0]
; CHECK-NEXT:     write [n, m] -> { S_entry[] -> s_010_phi[] } of invariant
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n, m] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 0]
; CHECK-NEXT:     %0 = read [n, m] -> { S1[i0] -> s_010_phi[] }
; CHECK-NEXT:     write [n, m] -> { S1[i0] -> s_010[] } of %0
; CHECK-NEXT:   statement S2
; CHECK-NEXT:     domain: [n, m] -> { S2[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [1, i0, 1]
; CHECK-NEXT:     %0 = read [n, m] -> { S2[i0] -> s_010[] }
; CHECK-NEXT:     %1 = read [n, m] -> { S2[i0] -> A[i0] }
; CHECK-NEXT:     %2 = fadd %0, %1
; CHECK-NEXT:     write [n, m] -> { S2[i0] -> add[] } of %2
; CHECK-NEXT:     write [n, m] -> { S2[i0] -> s_010_phi[] } of %2
define double @sum(i32 %n, i32 %m, ptr readonly %A) {
entry:
  %cmp9 = icmp sgt i32 %n, 0
  br i1 %cmp9, label %for.body.preheader, label %for.end

for.body.preheader:
  %0 = zext i32 %m to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end ]
  %s.010 = phi double [ 0.000000e+00, %for.body.preheader ], [ %add, %if.end ]
  %cmp1 = icmp eq i64 %indvars.iv, %0
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %1 = add nsw i32 %n, -1
  %2 = tail call i32 @llvm.umin.i32(i32 %m, i32 %1)
  tail call void @report(i32 %2) #6
  unreachable

if.end:
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %3 = load double, ptr %arrayidx, align 8
  %add = fadd double %s.010, %3
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %s.0.lcssa = phi double [ 0.000000e+00, %entry ], [ %add, %if.end ]
  ret double %s.0.lcssa
}

; CHECK-LABEL: SCoPs of function 'by_data':
; CHECK-NEXT: scop "by_data: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   array double B[*]
; CHECK-NEXT:   scalar double s0 (value)
; CHECK-NEXT:   inspection I0
; CHECK-NEXT:     domain: [n] -> { I0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 1]
; CHECK-NEXT:     %0 = read [n] -> { I0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fcmp %0, invariant
; CHECK-NEXT:     original if %1
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     write [n] -> { S0[i0] -> s0[] } of %0
; CHECK-NEXT:   statement S1
; CHECK-NEXT:     domain: [n] -> { S1[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 2]
; CHECK-NEXT:     %0 = read [n] -> { S1[i0] -> s0[] }
; CHECK-NEXT:     write [n] -> { S1[i0] -> B[i0] } of %0
define void @by_data(i32 %n, ptr noalias readonly %A, ptr noalias writeonly %B) {
entry:
  %cmp11 = icmp sgt i32 %n, 0
  br i1 %cmp11, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %cmp1 = fcmp olt double %0, 0.000000e+00
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  tail call void @abort() #6
  unreachable

if.end:
  %arrayidx5 = getelementptr inbounds double, ptr %B, i64 %indvars.iv
  store double %0, ptr %arrayidx5, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'unreachable_default':
; CHECK-NEXT: scop "unreachable_default: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array double A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = fadd %0, invariant
; CHECK-NEXT:     %2 = fmul %0, invariant
; CHECK-NEXT:     %3 = select invariant, %1, %2
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %3
define void @unreachable_default(i32 %n, i32 %k, ptr noalias %A) {
entry:
  %cmp8 = icmp sgt i32 %n, 0
  br i1 %cmp8, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %switch = icmp eq i32 %k, 0
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %indvars.iv
  %0 = load double, ptr %arrayidx, align 8
  %add = fadd double %0, 1.000000e+00
  %mul = fmul double %0, 2.000000e+00
  %add.sink = select i1 %switch, double %add, double %mul
  store double %add.sink, ptr %arrayidx, align 8
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

; CHECK-LABEL: SCoPs of function 'overflow':
; CHECK-NEXT: scop "overflow: for.body => for.end.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   parameter k: i32 signed
; CHECK-NEXT:   context: [n, k] -> { : 0 < n <= 2147483647 and -2147483648 <= k <= 2147483647 }
; CHECK-NEXT:   assume not-taken: [n, k] -> { : k <= 2147483648 - n } because the program does not end inside
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n, k] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n, k] -> { S0[i0] -> A[i0] } of affine
define void @overflow(i32 %n, i32 %k, ptr noalias writeonly %A) {
entry:
  %cmp6 = icmp sgt i32 %n, 0
  br i1 %cmp6, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %if.end ]
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  %1 = tail call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %0, i32 %k)
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %if.then, label %if.end

if.then:
  tail call void @report(i32 %0) #6
  unreachable

if.end:
  %3 = extractvalue { i32, i1 } %1, 0
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  store i32 %3, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #4

declare i32 @llvm.smax.i32(i32, i32) #5

declare i32 @llvm.umin.i32(i32, i32) #5

attributes #1 = { noreturn nounwind }
attributes #2 = { noreturn }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { noreturn nounwind }

; A check of a parameter that no statement has.
; CHECK-LABEL: SCoPs of function 'about_nothing_else':
; CHECK: assume not-taken: [m] -> { : m >= 5 } because the program does not end inside
define void @about_nothing_else(ptr %a, i32 %m) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %c = icmp slt i32 %m, 5
  br i1 %c, label %bad, label %go

go:
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double 1.0, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %done, label %loop

bad:
  call void @abort()
  unreachable

done:
  ret void
}

; Bounds of a linearized subscript: the largest one is compared with the length, in the products of parameters.
; CHECK-LABEL: SCoPs of function 'linearized':
; CHECK: parameter n: i64 signed
; CHECK: assume not-taken: {{.*}} : [[NM:n_m|m_n]] <= length }
define void @linearized(i64 %n, i64 %m, i64 %length, ptr noalias %a) {
entry:
  %n.some = icmp sgt i64 %n, 0
  %m.some = icmp sgt i64 %m, 0
  %some = and i1 %n.some, %m.some
  br i1 %some, label %before, label %done

before:
  br label %outer

outer:
  %i = phi i64 [ 0, %before ], [ %i.next, %outer.latch ]
  %row = mul i64 %i, %m
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %ok ]
  %index = add i64 %row, %j
  %inside = icmp ult i64 %index, %length
  br i1 %inside, label %ok, label %bad

ok:
  %p = getelementptr inbounds double, ptr %a, i64 %index
  store double 1.0, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %m
  br i1 %j.end, label %outer.latch, label %inner

outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %n
  br i1 %i.end, label %done, label %outer

bad:
  call void @abort()
  unreachable

done:
  ret void
}
