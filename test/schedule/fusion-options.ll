; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=SMART %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule;fuse=max;no-reductions>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=MAX %s
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-schedule;fuse=no>' -disable-output %s 2>&1 | %FileCheck --match-full-lines --strict-whitespace --check-prefix=NO %s
;
; Fusion: where a producer and its consumer can share a loop, shift included, and where they cannot. Three ways: where nothing is lost by
; it (parallelism is), as much as possible, never.
;
; The functions were made from the C code above them by clang 19 and simplified by its scalar passes.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Each value is used where it is made.
;
;   void pointwise(double *restrict A, double *restrict B, double *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] * 2;
;     for (long i = 0; i < 100; i++)
;       C[i] = B[i] + 1;
;   }
;
; SMART-LABEL:Schedules of function 'pointwise':
; SMART-NEXT:scop "pointwise: for.body => for.end11"
; SMART-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:child:
; SMART-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(i0)] }]"
; SMART-NEXT:  permutable: 1
; SMART-NEXT:  coincident: [ 1 ]
; SMART-NEXT:  child:
; SMART-NEXT:    sequence:
; SMART-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; SMART-NOT:{{.+}}
; MAX-LABEL:Schedules of function 'pointwise':
; MAX-NEXT:scop "pointwise: for.body => for.end11"
; MAX-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:child:
; MAX-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(i0)] }]"
; MAX-NEXT:  permutable: 1
; MAX-NEXT:  coincident: [ 1 ]
; MAX-NEXT:  child:
; MAX-NEXT:    sequence:
; MAX-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; MAX-NOT:{{.+}}
; NO-LABEL:Schedules of function 'pointwise':
; NO-NEXT:scop "pointwise: for.body => for.end11"
; NO-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:child:
; NO-NEXT:  sequence:
; NO-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NOT:{{.+}}
define void @pointwise(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.08
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  %arrayidx1 = getelementptr inbounds double, ptr %B, i64 %i.08
  store double %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.09 = phi i64 [ %inc10, %for.body6 ], [ 0, %for.body ]
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %i2.09
  %1 = load double, ptr %arrayidx7, align 8
  %add = fadd double %1, 1.000000e+00
  %arrayidx8 = getelementptr inbounds double, ptr %C, i64 %i2.09
  store double %add, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 100
  br i1 %exitcond10.not, label %for.end11, label %for.body6

for.end11:
  ret void
}

; The consumer reads the next element too: it can only be fused one iteration later, which costs the parallelism.
;
;   void shifted(double *restrict A, double *restrict B, double *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] * 2;
;     for (long i = 0; i < 99; i++)
;       C[i] = B[i] + B[i + 1];
;   }
;
; SMART-LABEL:Schedules of function 'shifted':
; SMART-NEXT:scop "shifted: for.body => for.end13"
; SMART-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 98 }"
; SMART-NEXT:child:
; SMART-NEXT:  sequence:
; SMART-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:    child:
; SMART-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; SMART-NEXT:      permutable: 1
; SMART-NEXT:      coincident: [ 1 ]
; SMART-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; SMART-NEXT:    child:
; SMART-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
; SMART-NEXT:      permutable: 1
; SMART-NEXT:      coincident: [ 1 ]
; SMART-NOT:{{.+}}
; MAX-LABEL:Schedules of function 'shifted':
; MAX-NEXT:scop "shifted: for.body => for.end13"
; MAX-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 98 }"
; MAX-NEXT:child:
; MAX-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(1 + i0)] }]"
; MAX-NEXT:  permutable: 1
; MAX-NEXT:  child:
; MAX-NEXT:    sequence:
; MAX-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; MAX-NOT:{{.+}}
; NO-LABEL:Schedules of function 'shifted':
; NO-NEXT:scop "shifted: for.body => for.end13"
; NO-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 98 }"
; NO-NEXT:child:
; NO-NEXT:  sequence:
; NO-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NOT:{{.+}}
define void @shifted(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.010 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.010
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  %arrayidx1 = getelementptr inbounds double, ptr %B, i64 %i.010
  store double %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.011 = phi i64 [ %add, %for.body6 ], [ 0, %for.body ]
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %i2.011
  %1 = load double, ptr %arrayidx7, align 8
  %add = add nuw nsw i64 %i2.011, 1
  %arrayidx8 = getelementptr inbounds double, ptr %B, i64 %add
  %2 = load double, ptr %arrayidx8, align 8
  %add9 = fadd double %1, %2
  %arrayidx10 = getelementptr inbounds double, ptr %C, i64 %i2.011
  store double %add9, ptr %arrayidx10, align 8
  %exitcond12.not = icmp eq i64 %add, 99
  br i1 %exitcond12.not, label %for.end13, label %for.body6

for.end13:
  ret void
}

; The consumer needs the last value first: its loop is fused backwards.
;
;   void reversed(double *restrict A, double *restrict B, double *restrict C) {
;     for (long i = 0; i < 100; i++)
;       B[i] = A[i] * 2;
;     for (long i = 0; i < 100; i++)
;       C[i] = B[99 - i];
;   }
;
; SMART-LABEL:Schedules of function 'reversed':
; SMART-NEXT:scop "reversed: for.body => for.end11"
; SMART-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:child:
; SMART-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(99 - i0)] }]"
; SMART-NEXT:  permutable: 1
; SMART-NEXT:  coincident: [ 1 ]
; SMART-NEXT:  child:
; SMART-NEXT:    sequence:
; SMART-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; SMART-NOT:{{.+}}
; MAX-LABEL:Schedules of function 'reversed':
; MAX-NEXT:scop "reversed: for.body => for.end11"
; MAX-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:child:
; MAX-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(99 - i0)] }]"
; MAX-NEXT:  permutable: 1
; MAX-NEXT:  coincident: [ 1 ]
; MAX-NEXT:  child:
; MAX-NEXT:    sequence:
; MAX-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; MAX-NOT:{{.+}}
; NO-LABEL:Schedules of function 'reversed':
; NO-NEXT:scop "reversed: for.body => for.end11"
; NO-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S1[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:child:
; NO-NEXT:  sequence:
; NO-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NOT:{{.+}}
define void @reversed(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %for.body

for.body:
  %i.08 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %A, i64 %i.08
  %0 = load double, ptr %arrayidx, align 8
  %mul = fmul double %0, 2.000000e+00
  %arrayidx1 = getelementptr inbounds double, ptr %B, i64 %i.08
  store double %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.09 = phi i64 [ %inc10, %for.body6 ], [ 0, %for.body ]
  %sub = sub nuw nsw i64 99, %i2.09
  %arrayidx7 = getelementptr inbounds double, ptr %B, i64 %sub
  %1 = load double, ptr %arrayidx7, align 8
  %arrayidx8 = getelementptr inbounds double, ptr %C, i64 %i2.09
  store double %1, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.09, 1
  %exitcond10.not = icmp eq i64 %inc10, 100
  br i1 %exitcond10.not, label %for.end11, label %for.body6

for.end11:
  ret void
}

; The consumer needs the sum of all: no loop in common.
;
;   void after_all(long *restrict S, long *restrict A, long *restrict B) {
;     for (long i = 0; i < 100; i++)
;       S[0] += A[i];
;     for (long i = 0; i < 100; i++)
;       B[i] = S[0];
;   }
;
; SMART-LABEL:Schedules of function 'after_all':
; SMART-NEXT:scop "after_all: for.body => for.end11"
; SMART-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S2[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:child:
; SMART-NEXT:  sequence:
; SMART-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:    child:
; SMART-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; SMART-NEXT:      permutable: 1
; SMART-NEXT:  - filter: "{ S2[i0] : 0 <= i0 <= 99 }"
; SMART-NEXT:    child:
; SMART-NEXT:      schedule: "[{ S2[i0] -> [(i0)] }]"
; SMART-NEXT:      permutable: 1
; SMART-NEXT:      coincident: [ 1 ]
; SMART-NOT:{{.+}}
; MAX-LABEL:Schedules of function 'after_all':
; MAX-NEXT:scop "after_all: for.body => for.end11"
; MAX-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S2[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:child:
; MAX-NEXT:  sequence:
; MAX-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:    child:
; MAX-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; MAX-NEXT:      permutable: 1
; MAX-NEXT:  - filter: "{ S2[i0] : 0 <= i0 <= 99 }"
; MAX-NEXT:    child:
; MAX-NEXT:      schedule: "[{ S2[i0] -> [(i0)] }]"
; MAX-NEXT:      permutable: 1
; MAX-NEXT:      coincident: [ 1 ]
; MAX-NOT:{{.+}}
; NO-LABEL:Schedules of function 'after_all':
; NO-NEXT:scop "after_all: for.body => for.end11"
; NO-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 99; S2[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:child:
; NO-NEXT:  sequence:
; NO-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:  - filter: "{ S2[i0] : 0 <= i0 <= 99 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S2[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NOT:{{.+}}
define void @after_all(ptr noalias %S, ptr noalias %A, ptr noalias %B) {
entry:
  br label %for.body

for.cond3.preheader:
  %0 = load i64, ptr %S, align 8
  br label %for.body6

for.body:
  %i.06 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i64, ptr %A, i64 %i.06
  %1 = load i64, ptr %arrayidx, align 8
  %2 = load i64, ptr %S, align 8
  %add = add nsw i64 %2, %1
  store i64 %add, ptr %S, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.cond3.preheader, label %for.body

for.body6:
  %i2.07 = phi i64 [ 0, %for.cond3.preheader ], [ %inc10, %for.body6 ]
  %arrayidx8 = getelementptr inbounds i64, ptr %B, i64 %i2.07
  store i64 %0, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.07, 1
  %exitcond8.not = icmp eq i64 %inc10, 100
  br i1 %exitcond8.not, label %for.end11, label %for.body6

for.end11:
  ret void
}

; Fusing is legal, and would make the parallel consumer wait for the serial producer.
;
;   void serial_producer(long *restrict A, long *restrict B) {
;     for (long i = 1; i < 100; i++)
;       A[i] += A[i - 1];
;     for (long i = 1; i < 100; i++)
;       B[i] = A[i] * 2;
;   }
;
; SMART-LABEL:Schedules of function 'serial_producer':
; SMART-NEXT:scop "serial_producer: for.body => for.end11"
; SMART-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 98; S1[i0] : 0 <= i0 <= 98 }"
; SMART-NEXT:child:
; SMART-NEXT:  sequence:
; SMART-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 98 }"
; SMART-NEXT:    child:
; SMART-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; SMART-NEXT:      permutable: 1
; SMART-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; SMART-NEXT:    child:
; SMART-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
; SMART-NEXT:      permutable: 1
; SMART-NEXT:      coincident: [ 1 ]
; SMART-NOT:{{.+}}
; MAX-LABEL:Schedules of function 'serial_producer':
; MAX-NEXT:scop "serial_producer: for.body => for.end11"
; MAX-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 98; S1[i0] : 0 <= i0 <= 98 }"
; MAX-NEXT:child:
; MAX-NEXT:  schedule: "[{ S0[i0] -> [(i0)]; S1[i0] -> [(i0)] }]"
; MAX-NEXT:  permutable: 1
; MAX-NEXT:  child:
; MAX-NEXT:    sequence:
; MAX-NEXT:    - filter: "{ S0[i0] : 0 <= i0 <= 98 }"
; MAX-NEXT:    - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; MAX-NOT:{{.+}}
; NO-LABEL:Schedules of function 'serial_producer':
; NO-NEXT:scop "serial_producer: for.body => for.end11"
; NO-NEXT:domain: "{ S0[i0] : 0 <= i0 <= 98; S1[i0] : 0 <= i0 <= 98 }"
; NO-NEXT:child:
; NO-NEXT:  sequence:
; NO-NEXT:  - filter: "{ S0[i0] : 0 <= i0 <= 98 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S0[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:  - filter: "{ S1[i0] : 0 <= i0 <= 98 }"
; NO-NEXT:    child:
; NO-NEXT:      schedule: "[{ S1[i0] -> [(i0)] }]"
; NO-NEXT:      permutable: 1
; NO-NEXT:      coincident: [ 1 ]
; NO-NOT:{{.+}}
define void @serial_producer(ptr noalias %A, ptr noalias %B) {
entry:
  %invariant.gep = getelementptr i8, ptr %A, i64 -8
  br label %for.body

for.body:
  %i.09 = phi i64 [ 1, %entry ], [ %inc, %for.body ]
  %gep = getelementptr i64, ptr %invariant.gep, i64 %i.09
  %0 = load i64, ptr %gep, align 8
  %arrayidx1 = getelementptr inbounds i64, ptr %A, i64 %i.09
  %1 = load i64, ptr %arrayidx1, align 8
  %add = add nsw i64 %1, %0
  store i64 %add, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc, 100
  br i1 %exitcond.not, label %for.body6, label %for.body

for.body6:
  %i2.010 = phi i64 [ %inc10, %for.body6 ], [ 1, %for.body ]
  %arrayidx7 = getelementptr inbounds i64, ptr %A, i64 %i2.010
  %2 = load i64, ptr %arrayidx7, align 8
  %mul = shl nsw i64 %2, 1
  %arrayidx8 = getelementptr inbounds i64, ptr %B, i64 %i2.010
  store i64 %mul, ptr %arrayidx8, align 8
  %inc10 = add nuw nsw i64 %i2.010, 1
  %exitcond11.not = icmp eq i64 %inc10, 100
  br i1 %exitcond11.not, label %for.end11, label %for.body6

for.end11:
  ret void
}
