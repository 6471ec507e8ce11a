; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Integers of all widths. No count and no subscript may be wrong where they wrap around.
;
; Made from this source by clang 19 -O2, as it is before vectorization:
;
;   void u8(unsigned char n, int *restrict A) {
;     for (unsigned char i = 0; i < n; i++)
;       A[i] = i;
;   }
;   void u8_int(unsigned char n, int *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[i] = i;
;   }
;   void u8_up_to(unsigned char n, int *restrict A) {
;     for (int i = 0; i <= n; i++)
;       A[i] = i;
;   }
;   void s8(signed char n, int *restrict A) {
;     for (signed char i = 0; i < n; i++)
;       A[i] = i;
;   }
;   void u16(unsigned short n, int *restrict A) {
;     for (unsigned short i = 0; i < n; i++)
;       A[i] = i;
;   }
;   void u32(unsigned n, int *restrict A) {
;     for (unsigned i = 0; i < n; i++)
;       A[i] = i;
;   }
;   void u8_and_s8(unsigned char n, int *restrict A) {
;     for (int i = 0; i < n; i++)
;       if (i < (signed char)n)
;         A[i] += i;
;   }
;   void u8_subscript(int n, int *restrict A) {
;     for (int i = 0; i < n; i++)
;       A[(unsigned char)(i + 3)] += i;
;   }
;   void u32_wraps(unsigned n, int *restrict A) {
;     for (unsigned i = 0; i < n; i++)
;       A[i - 1] = i;
;   }
;   void narrowed(long n, int *restrict A) {
;     for (int i = 0; i < (int)n; i++)
;       A[i] += 1;
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'u8':
; CHECK-NEXT: scop "u8: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i8 unsigned
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 255 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @u8(i8 zeroext %n, ptr noalias %A) #0 {
entry:
  %cmp7.not = icmp eq i8 %n, 0
  br i1 %cmp7.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:
  %wide.trip.count = zext i8 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %0 = trunc nuw i64 %indvars.iv to i32
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u8_int':
; CHECK-NEXT: scop "u8_int: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i8 unsigned
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 255 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @u8_int(i8 zeroext %n, ptr noalias %A) #0 {
entry:
  %cmp5.not = icmp eq i8 %n, 0
  br i1 %cmp5.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:
  %wide.trip.count = zext i8 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u8_up_to':
; CHECK-NEXT: scop "u8_up_to: for.body => for.cond.cleanup"
; CHECK-NEXT:   parameter n: i8 unsigned
; CHECK-NEXT:   context: [n] -> { : 0 <= n <= 255 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 <= n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @u8_up_to(i8 zeroext %n, ptr noalias %A) #0 {
entry:
  %conv = zext i8 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv, %conv
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 's8':
; CHECK-NEXT: scop "s8: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i8 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 127 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @s8(i8 signext %n, ptr noalias %A) #0 {
entry:
  %cmp7 = icmp sgt i8 %n, 0
  br i1 %cmp7, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i8 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %0 = trunc nuw nsw i64 %indvars.iv to i32
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u16':
; CHECK-NEXT: scop "u16: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i16 unsigned
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 65535 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @u16(i16 zeroext %n, ptr noalias %A) #0 {
entry:
  %cmp7.not = icmp eq i16 %n, 0
  br i1 %cmp7.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:
  %wide.trip.count = zext i16 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %0 = trunc nuw i64 %indvars.iv to i32
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u32':
; CHECK-NEXT: scop "u32: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 unsigned
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 4294967295 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of affine
define void @u32(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp4.not = icmp eq i32 %n, 0
  br i1 %cmp4.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = trunc nuw i64 %indvars.iv to i32
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u8_and_s8':
; CHECK-NEXT: scop "u8_and_s8: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i8 signed
; CHECK-NEXT:   context: [n] -> { : -128 <= n <= 127 }
; CHECK-NEXT:   assume non-negative: [n] -> { : n > 256*floor((n)/256) } because the number of iterations is not negative
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n and i0 < n - 256*floor((n)/256) }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = add %0, affine
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
define void @u8_and_s8(i8 zeroext %n, ptr noalias %A) #1 {
entry:
  %cmp10.not = icmp eq i8 %n, 0
  br i1 %cmp10.not, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:
  %0 = sext i8 %n to i64
  %wide.trip.count = zext i8 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.inc ]
  %cmp3 = icmp slt i64 %indvars.iv, %0
  br i1 %cmp3, label %if.then, label %for.inc

if.then:
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx, align 4
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  %add = add nsw i32 %1, %2
  store i32 %add, ptr %arrayidx, align 4
  br label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u8_subscript':
; CHECK-NEXT: scop "u8_subscript: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[o0] : 256*floor((3 + i0)/256) = 3 + i0 - o0 }
; CHECK-NEXT:     %1 = add %0, affine
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[o0] : 256*floor((3 + i0)/256) = 3 + i0 - o0 } of %1
define void @u8_subscript(i32 %n, ptr noalias %A) #1 {
entry:
  %cmp5 = icmp sgt i32 %n, 0
  br i1 %cmp5, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.06 = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %narrow = add nuw i32 %i.06, 3
  %0 = and i32 %narrow, 255
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %idxprom
  %1 = load i32, ptr %arrayidx, align 4
  %add1 = add nsw i32 %1, %i.06
  store i32 %add1, ptr %arrayidx, align 4
  %inc = add nuw nsw i32 %i.06, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'u32_wraps':
; CHECK-NEXT: scop "u32_wraps: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 unsigned
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 4294967295 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[-1 + i0] : 0 < i0 <= 4294967296; S0[i0] -> A[4294967295 + i0] : i0 <= 0 } of affine
define void @u32_wraps(i32 %n, ptr noalias %A) #0 {
entry:
  %cmp4.not = icmp eq i32 %n, 0
  br i1 %cmp4.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %0 = trunc nuw i64 %indvars.iv to i32
  %sub = add nuw i64 %indvars.iv, 4294967295
  %idxprom = and i64 %sub, 4294967295
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %idxprom
  store i32 %0, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

; CHECK-LABEL: SCoPs of function 'narrowed':
; CHECK-NEXT: scop "narrowed: for.body => for.cond.cleanup.loopexit"
; CHECK-NEXT:   parameter n: i32 signed
; CHECK-NEXT:   context: [n] -> { : 0 < n <= 2147483647 }
; CHECK-NEXT:   array i32 A[*]
; CHECK-NEXT:   statement S0
; CHECK-NEXT:     domain: [n] -> { S0[i0] : 0 <= i0 < n }
; CHECK-NEXT:     order: [0, i0, 0]
; CHECK-NEXT:     %0 = read [n] -> { S0[i0] -> A[i0] }
; CHECK-NEXT:     %1 = add %0, invariant
; CHECK-NEXT:     write [n] -> { S0[i0] -> A[i0] } of %1
define void @narrowed(i64 %n, ptr noalias %A) #1 {
entry:
  %conv = trunc i64 %n to i32
  %cmp4 = icmp sgt i32 %conv, 0
  br i1 %cmp4, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = and i64 %n, 2147483647
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %A, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %0, 1
  store i32 %add, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: write) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }
