; RUN: env POLY_OPTS=no-whole-loops %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s
;
; Bounds, sizes and base pointers that are loaded in the loops: executed before the region, each behind its guard. `before_stop` may stop before it loads
; anything from t, so t->columns cannot be loaded before the outer loop; nor can s->inner->columns in `stored_before`, where s->inner may have been
; stored before it is loaded for the first time.
;
; Made from this source by clang 19 -O3, as it is before vectorization:
;
;   struct matrix { int rows, columns; int *data; };
;   struct nested { struct matrix *inner; };
;   struct vector { int *begin, *end; };
;   void stop(long) __attribute__((noreturn));
;   void product(struct matrix *c, const struct matrix *a, const struct matrix *b) {
;     for (int i = 0; i < a->rows; i++)
;       for (int j = 0; j < b->columns; j++)
;         for (int k = 0; k < a->columns; k++)
;           c->data[i * c->columns + j] += a->data[i * a->columns + k] * b->data[k * b->columns + j];
;   }
;   void add_nested(struct nested *s, const int *x) {
;     for (int i = 0; i < s->inner->rows; i++)
;       for (int j = 0; j < s->inner->columns; j++)
;         s->inner->data[i * 16 + j] += x[j];
;   }
;   void conditional(int n, const struct matrix *s, int *x) {
;     for (int i = 0; i < n; i++)
;       if (i > 7)
;         for (int j = 0; j < s->columns; j++)
;           x[i * 32 + j] += i * j;
;   }
;   void vectors(struct vector *a, const struct vector *b) {
;     for (unsigned long i = 0; i < (unsigned long)(a->end - a->begin); i++)
;       a->begin[i] += 3 * b->begin[i];
;   }
;   void behind_stop(int n, const struct matrix *s, const struct matrix *t, int *x) {
;     for (int i = 0; i < n; i++) {
;       if (i >= s->rows)
;         stop(i);
;       if (i > 5)
;         for (int j = 0; j < t->columns; j++)
;           x[j] += i;
;     }
;   }
;   void before_stop(int n, const struct matrix *s, const struct matrix *t, int *x) {
;     for (int i = 0; i < n; i++) {
;       if (i > 5)
;         for (int j = 0; j < t->columns; j++)
;           x[j] += i;
;       if (i >= s->rows)
;         stop(i);
;     }
;   }
;   void stored_before(int n, struct nested *s, struct matrix **slot, struct matrix *good, int *x) {
;     for (int i = 0; i < n; i++) {
;       *slot = good;
;       for (int j = 0; j < s->inner->columns; j++)
;         x[j] += i;
;     }
;   }
;   void counted(int n, int *count, int *x) {
;     for (int i = 0; i < n; i++)
;       for (int j = 0; j < *count; j++) {
;         x[j] += i;
;         *count -= 1;
;       }
;   }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.matrix = type { i32, i32, ptr }

; CHECK-LABEL: SCoPs of function 'product'
; CHECK: scop "product: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK: context: [p0, p1, p2, p3] -> { : 0 < p0 <= 2147483647 and 0 < p1 <= 2147483647 and -2147483648 <= p2 <= 2147483647 and -2147483648 <= p3 <= 2147483647 }
; CHECK: assume in-bounds: [p0, p1, p2, p3] -> { : (p0 > 0 and p2 <= 0) or (p0 > 0 and p2 > 0 and p3 > 0 and p3 >= p0) } because subscripts of the value loaded from 'c' are inside its inner dimensions
; CHECK: array i32 M0[*]{{\[\[}}p0, p1, p2, p3] -> { [(p2)] }]
; CHECK: array i32 M1[*]{{\[\[}}p0, p1, p2, p3] -> { [(p0)] }]
; CHECK: array i32 M2[*]{{\[\[}}p0, p1, p2, p3] -> { [(p3)] }]
; CHECK: load i32 v0 from a if [p0, p1, p2, p3] -> { : }
; CHECK: load ptr v1 from a_0 if [p0, p1, p2, p3] -> { : p2 > 0 }
; CHECK: load ptr v2 from b if [p0, p1, p2, p3] -> { : }
; CHECK: load ptr v3 from c if [p0, p1, p2, p3] -> { : }
; CHECK: load i32 v4 from b_0 if [p0, p1, p2, p3] -> { : }
; CHECK: load i32 v5 from c_0 if [p0, p1, p2, p3] -> { : }
; CHECK: load i32 _pre55 from a_1 if [p0, p1, p2, p3] -> { : p3 >= p0 }
; CHECK: may alias: M0, M2
; CHECK: may alias: M1, M2
; CHECK: may alias: M2, a
; CHECK: may alias: M2, a_0
; CHECK: may alias: M2, b
; CHECK: may alias: M2, c
; CHECK: may alias: M2, b_0
; CHECK: may alias: M2, c_0
; CHECK: may alias: M2, a_1
; CHECK: domain: [p0, p1, p2, p3] -> { S0[i0, i1, i2] : 0 <= i0 < p1 and 0 <= i1 < p0 and 0 <= i2 < p2 }
; CHECK: %{{[0-9]+}} = read [p0, p1, p2, p3] -> { S0[i0, i1, i2] -> M0[i0, i2] }
; CHECK: %{{[0-9]+}} = read [p0, p1, p2, p3] -> { S0[i0, i1, i2] -> M1[i2, i1] }
; CHECK: %{{[0-9]+}} = read [p0, p1, p2, p3] -> { S0[i0, i1, i2] -> M2[i0, i1] }
; CHECK: write [p0, p1, p2, p3] -> { S0[i0, i1, i2] -> M2[i0, i1] } of %{{[0-9]+}}
define void @product(ptr nocapture noundef readonly %c, ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b) {
entry:
  %0 = load i32, ptr %a, align 8
  %cmp50 = icmp sgt i32 %0, 0
  br i1 %cmp50, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %columns = getelementptr inbounds i8, ptr %b, i64 4
  %columns6 = getelementptr inbounds i8, ptr %a, i64 4
  %data = getelementptr inbounds i8, ptr %a, i64 8
  %data11 = getelementptr inbounds i8, ptr %b, i64 8
  %data18 = getelementptr inbounds i8, ptr %c, i64 8
  %columns19 = getelementptr inbounds i8, ptr %c, i64 4
  %1 = load i32, ptr %columns, align 4
  %2 = icmp sgt i32 %1, 0
  br i1 %2, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  br label %for.cond1.preheader

for.cond1.preheader:
  %3 = phi i32 [ %13, %for.cond.cleanup3 ], [ %0, %for.cond1.preheader.preheader ]
  %4 = phi i32 [ %14, %for.cond.cleanup3 ], [ %1, %for.cond1.preheader.preheader ]
  %5 = phi i32 [ %15, %for.cond.cleanup3 ], [ %1, %for.cond1.preheader.preheader ]
  %i.051 = phi i32 [ %inc29, %for.cond.cleanup3 ], [ 0, %for.cond1.preheader.preheader ]
  %cmp248 = icmp sgt i32 %5, 0
  br i1 %cmp248, label %for.cond5.preheader.lr.ph, label %for.cond.cleanup3

for.cond5.preheader.lr.ph:
  %6 = load i32, ptr %columns6, align 4
  %7 = icmp sgt i32 %6, 0
  br i1 %7, label %for.cond5.preheader.preheader, label %for.cond.cleanup3

for.cond5.preheader.preheader:
  br label %for.cond5.preheader

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.cond5.preheader:
  %8 = phi i32 [ %16, %for.cond.cleanup8 ], [ %4, %for.cond5.preheader.preheader ]
  %9 = phi i32 [ %17, %for.cond.cleanup8 ], [ %6, %for.cond5.preheader.preheader ]
  %j.049 = phi i32 [ %inc26, %for.cond.cleanup8 ], [ 0, %for.cond5.preheader.preheader ]
  %cmp746 = icmp sgt i32 %9, 0
  br i1 %cmp746, label %for.body9.lr.ph, label %for.cond.cleanup8

for.body9.lr.ph:
  %10 = load ptr, ptr %data, align 8
  %11 = load ptr, ptr %data11, align 8
  %12 = load ptr, ptr %data18, align 8
  br label %for.body9

for.cond.cleanup3.loopexit:
  %.lcssa57 = phi i32 [ %16, %for.cond.cleanup8 ]
  %.pre55 = load i32, ptr %a, align 8
  br label %for.cond.cleanup3

for.cond.cleanup3:
  %13 = phi i32 [ %.pre55, %for.cond.cleanup3.loopexit ], [ %3, %for.cond1.preheader ], [ %3, %for.cond5.preheader.lr.ph ]
  %14 = phi i32 [ %.lcssa57, %for.cond.cleanup3.loopexit ], [ %4, %for.cond1.preheader ], [ %4, %for.cond5.preheader.lr.ph ]
  %15 = phi i32 [ %.lcssa57, %for.cond.cleanup3.loopexit ], [ %5, %for.cond1.preheader ], [ %5, %for.cond5.preheader.lr.ph ]
  %inc29 = add nuw nsw i32 %i.051, 1
  %cmp = icmp slt i32 %inc29, %13
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.cond.cleanup8.loopexit:
  %.lcssa = phi i32 [ %24, %for.body9 ]
  %.pre = load i32, ptr %columns, align 4
  br label %for.cond.cleanup8

for.cond.cleanup8:
  %16 = phi i32 [ %.pre, %for.cond.cleanup8.loopexit ], [ %8, %for.cond5.preheader ]
  %17 = phi i32 [ %.lcssa, %for.cond.cleanup8.loopexit ], [ %9, %for.cond5.preheader ]
  %inc26 = add nuw nsw i32 %j.049, 1
  %cmp2 = icmp slt i32 %inc26, %16
  br i1 %cmp2, label %for.cond5.preheader, label %for.cond.cleanup3.loopexit

for.body9:
  %18 = phi i32 [ %9, %for.body9.lr.ph ], [ %24, %for.body9 ]
  %k.047 = phi i32 [ 0, %for.body9.lr.ph ], [ %inc, %for.body9 ]
  %mul = mul nsw i32 %18, %i.051
  %add = add nsw i32 %mul, %k.047
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %10, i64 %idxprom
  %19 = load i32, ptr %arrayidx, align 4
  %20 = load i32, ptr %columns, align 4
  %mul13 = mul nsw i32 %20, %k.047
  %add14 = add nsw i32 %mul13, %j.049
  %idxprom15 = sext i32 %add14 to i64
  %arrayidx16 = getelementptr inbounds i32, ptr %11, i64 %idxprom15
  %21 = load i32, ptr %arrayidx16, align 4
  %mul17 = mul nsw i32 %21, %19
  %22 = load i32, ptr %columns19, align 4
  %mul20 = mul nsw i32 %22, %i.051
  %add21 = add nsw i32 %mul20, %j.049
  %idxprom22 = sext i32 %add21 to i64
  %arrayidx23 = getelementptr inbounds i32, ptr %12, i64 %idxprom22
  %23 = load i32, ptr %arrayidx23, align 4
  %add24 = add nsw i32 %23, %mul17
  store i32 %add24, ptr %arrayidx23, align 4
  %inc = add nuw nsw i32 %k.047, 1
  %24 = load i32, ptr %columns6, align 4
  %cmp7 = icmp slt i32 %inc, %24
  br i1 %cmp7, label %for.body9, label %for.cond.cleanup8.loopexit
}

; CHECK-LABEL: SCoPs of function 'add_nested'
; CHECK: scop "add_nested: for.cond1.preheader => for.cond.cleanup.loopexit"
; CHECK: context: [p0, p1] -> { : 0 < p0 <= 2147483647 and 0 < p1 <= 2147483647 }
; CHECK: assume no-wrap: [p0, p1] -> { : p0 > 0 and p1 <= 268435456 } because a subscript of the value loaded from memory does not exceed the integers of 28 bits
; CHECK: assume in-bounds: [p0, p1] -> { : p0 <= 16 } because subscripts of the value loaded from memory are inside its inner dimensions
; CHECK: array i32 x[*]
; CHECK: array i32 M0[*]{{\[\[}}p0, p1] -> { [(16)] }]
; CHECK: load ptr v0 from L0 if [p0, p1] -> { : p0 <= 16 and p1 <= 268435456 }
; CHECK: load i32 v1 from L1 if [p0, p1] -> { : }
; CHECK: load i32 _pre from L2 if [p0, p1] -> { : }
; CHECK: may alias: x, M0
; CHECK: may alias: M0, L0
; CHECK: may alias: M0, L1
; CHECK: may alias: M0, L2
; CHECK: domain: [p0, p1] -> { S0[i0, i1] : 0 <= i0 < p1 and 0 <= i1 < p0 }
; CHECK: %{{[0-9]+}} = read [p0, p1] -> { S0[i0, i1] -> x[i1] }
; CHECK: %{{[0-9]+}} = read [p0, p1] -> { S0[i0, i1] -> M0[i0, i1] }
; CHECK: write [p0, p1] -> { S0[i0, i1] -> M0[i0, i1] } of %{{[0-9]+}}
define void @add_nested(ptr nocapture noundef readonly %s, ptr nocapture noundef readonly %x) {
entry:
  %0 = load ptr, ptr %s, align 8
  %1 = load i32, ptr %0, align 8
  %cmp22 = icmp sgt i32 %1, 0
  br i1 %cmp22, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %columns = getelementptr inbounds i8, ptr %0, i64 4
  %data = getelementptr inbounds i8, ptr %0, i64 8
  %2 = load i32, ptr %columns, align 4
  %3 = icmp sgt i32 %2, 0
  br i1 %3, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  br label %for.cond1.preheader

for.cond1.preheader:
  %4 = phi i32 [ %9, %for.cond.cleanup4 ], [ %1, %for.cond1.preheader.preheader ]
  %5 = phi i32 [ %10, %for.cond.cleanup4 ], [ %2, %for.cond1.preheader.preheader ]
  %indvars.iv27 = phi i64 [ %indvars.iv.next28, %for.cond.cleanup4 ], [ 0, %for.cond1.preheader.preheader ]
  %cmp320 = icmp sgt i32 %5, 0
  br i1 %cmp320, label %for.body5.lr.ph, label %for.cond.cleanup4

for.body5.lr.ph:
  %6 = load ptr, ptr %data, align 8
  %7 = shl i64 %indvars.iv27, 4
  %8 = and i64 %7, 4294967280
  %invariant.gep = getelementptr inbounds i32, ptr %6, i64 %8
  br label %for.body5

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.cond.cleanup4.loopexit:
  %.lcssa = phi i32 [ %14, %for.body5 ]
  %.pre = load i32, ptr %0, align 8
  br label %for.cond.cleanup4

for.cond.cleanup4:
  %9 = phi i32 [ %.pre, %for.cond.cleanup4.loopexit ], [ %4, %for.cond1.preheader ]
  %10 = phi i32 [ %.lcssa, %for.cond.cleanup4.loopexit ], [ %5, %for.cond1.preheader ]
  %indvars.iv.next28 = add nuw nsw i64 %indvars.iv27, 1
  %11 = sext i32 %9 to i64
  %cmp = icmp slt i64 %indvars.iv.next28, %11
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup.loopexit

for.body5:
  %indvars.iv = phi i64 [ 0, %for.body5.lr.ph ], [ %indvars.iv.next, %for.body5 ]
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %12 = load i32, ptr %arrayidx, align 4
  %gep = getelementptr inbounds i32, ptr %invariant.gep, i64 %indvars.iv
  %13 = load i32, ptr %gep, align 4
  %add9 = add nsw i32 %13, %12
  store i32 %add9, ptr %gep, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %14 = load i32, ptr %columns, align 4
  %15 = sext i32 %14 to i64
  %cmp3 = icmp slt i64 %indvars.iv.next, %15
  br i1 %cmp3, label %for.body5, label %for.cond.cleanup4.loopexit
}

; CHECK-LABEL: SCoPs of function 'conditional'
; CHECK: scop "conditional: for.body => for.cond.cleanup.loopexit"
; CHECK: context: [n, p0] -> { : 0 < n <= 2147483647 and -2147483648 <= p0 <= 2147483647 }
; CHECK: assume no-wrap: [n, p0] -> { : n <= 134217728 or (n >= 134217729 and p0 <= 0) } because a subscript of 'x' does not exceed the integers of 27 bits
; CHECK: assume in-bounds: [n, p0] -> { : n <= 8 or (n >= 9 and p0 <= 32) } because subscripts of 'x' are inside its inner dimensions
; CHECK: array i32 x[*]{{\[\[}}n, p0] -> { [(32)] }]
; CHECK: load i32 v0 from s if [n, p0] -> { : n >= 9 }
; CHECK: may alias: x, s
; CHECK: domain: [n, p0] -> { S0[i0, i1] : 8 <= i0 < n and 0 <= i1 < p0 }
; CHECK: %{{[0-9]+}} = read [n, p0] -> { S0[i0, i1] -> x[i0, i1] }
; CHECK: write [n, p0] -> { S0[i0, i1] -> x[i0, i1] } of %{{[0-9]+}}
define void @conditional(i32 noundef %n, ptr nocapture noundef readonly %s, ptr nocapture noundef %x) {
entry:
  %cmp20 = icmp sgt i32 %n, 0
  br i1 %cmp20, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %columns = getelementptr inbounds i8, ptr %s, i64 4
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv26 = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next27, %for.inc8 ]
  %cmp1 = icmp ugt i64 %indvars.iv26, 7
  br i1 %cmp1, label %for.cond2.preheader, label %for.inc8

for.cond2.preheader:
  %0 = load i32, ptr %columns, align 4
  %cmp318 = icmp sgt i32 %0, 0
  br i1 %cmp318, label %for.body5.lr.ph, label %for.inc8

for.body5.lr.ph:
  %1 = shl i64 %indvars.iv26, 5
  %2 = and i64 %1, 4294967264
  %invariant.gep = getelementptr inbounds i32, ptr %x, i64 %2
  br label %for.body5

for.body5:
  %indvars.iv = phi i64 [ 0, %for.body5.lr.ph ], [ %indvars.iv.next, %for.body5 ]
  %3 = mul nuw nsw i64 %indvars.iv, %indvars.iv26
  %gep = getelementptr inbounds i32, ptr %invariant.gep, i64 %indvars.iv
  %4 = load i32, ptr %gep, align 4
  %5 = trunc nuw i64 %3 to i32
  %add7 = add nsw i32 %4, %5
  store i32 %add7, ptr %gep, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %6 = load i32, ptr %columns, align 4
  %7 = sext i32 %6 to i64
  %cmp3 = icmp slt i64 %indvars.iv.next, %7
  br i1 %cmp3, label %for.body5, label %for.inc8.loopexit

for.inc8.loopexit:
  br label %for.inc8

for.inc8:
  %indvars.iv.next27 = add nuw nsw i64 %indvars.iv26, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next27, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body
}

; CHECK-LABEL: SCoPs of function 'vectors'
; CHECK: scop "vectors: for.body => for.cond.cleanup.loopexit"
; CHECK: context: [sub_ptr_div] -> { : }
; CHECK: assume range: [sub_ptr_div] -> { : -1125899906842624 <= sub_ptr_div <= 1125899906842624 } because sub_ptr_div is small enough for loop counters of 64 bits
; CHECK: assume non-negative: [sub_ptr_div] -> { : sub_ptr_div > 0 } because a loop that runs at least once has a size of at least one
; CHECK: array i32 M0[*]
; CHECK: array i32 M1[*]
; CHECK: may alias: M0, M1
; CHECK: domain: [sub_ptr_div] -> { S0[i0] : 0 <= i0 < sub_ptr_div }
; CHECK: %{{[0-9]+}} = read [sub_ptr_div] -> { S0[i0] -> M0[i0] }
; CHECK: %{{[0-9]+}} = read [sub_ptr_div] -> { S0[i0] -> M1[i0] }
; CHECK: write [sub_ptr_div] -> { S0[i0] -> M1[i0] } of %{{[0-9]+}}
define void @vectors(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b) {
entry:
  %end = getelementptr inbounds i8, ptr %a, i64 8
  %0 = load ptr, ptr %end, align 8
  %1 = load ptr, ptr %a, align 8
  %cmp9.not = icmp eq ptr %0, %1
  br i1 %cmp9.not, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:
  %sub.ptr.lhs.cast = ptrtoint ptr %0 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %1 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %sub.ptr.div = ashr exact i64 %sub.ptr.sub, 2
  %2 = load ptr, ptr %b, align 8
  %umax = call i64 @llvm.umax.i64(i64 %sub.ptr.div, i64 1)
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.010 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i32, ptr %2, i64 %i.010
  %3 = load i32, ptr %arrayidx, align 4
  %mul = mul nsw i32 %3, 3
  %arrayidx3 = getelementptr inbounds i32, ptr %1, i64 %i.010
  %4 = load i32, ptr %arrayidx3, align 4
  %add = add nsw i32 %4, %mul
  store i32 %add, ptr %arrayidx3, align 4
  %inc = add nuw i64 %i.010, 1
  %exitcond.not = icmp eq i64 %inc, %umax
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body
}

; CHECK-LABEL: SCoPs of function 'behind_stop'
; CHECK: scop "behind_stop: for.body => for.cond.cleanup.loopexit"
; CHECK: context: [n, p0, p1] -> { : 0 < n <= 2147483647 and -2147483648 <= p0 <= 2147483647 and -2147483648 <= p1 <= 2147483647 }
; CHECK: assume not-taken: [n, p0, p1] -> { : p0 >= n } because the program does not end inside
; CHECK: array i32 x[*]
; CHECK: load i32 v0 from s if [n, p0, p1] -> { : }
; CHECK: load i32 v1 from t if [n, p0, p1] -> { : n >= 7 and p0 >= n }
; CHECK: may alias: x, s
; CHECK: may alias: x, t
; CHECK: domain: [n, p0, p1] -> { S0[i0, i1] : 6 <= i0 < n and 0 <= i1 < p1 }
; CHECK: %{{[0-9]+}} = read [n, p0, p1] -> { S0[i0, i1] -> x[i1] }
; CHECK: write [n, p0, p1] -> { S0[i0, i1] -> x[i1] } of %{{[0-9]+}}
define void @behind_stop(i32 noundef %n, ptr nocapture noundef readonly %s, ptr nocapture noundef readonly %t, ptr nocapture noundef %x) {
entry:
  %cmp24 = icmp sgt i32 %n, 0
  br i1 %cmp24, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %columns = getelementptr inbounds i8, ptr %t, i64 4
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.025 = phi i32 [ 0, %for.body.lr.ph ], [ %inc12, %for.inc11 ]
  %0 = load i32, ptr %s, align 8
  %cmp1.not = icmp slt i32 %i.025, %0
  br i1 %cmp1.not, label %if.end, label %if.then

if.then:
  %i.025.lcssa = phi i32 [ %i.025, %for.body ]
  %conv = zext nneg i32 %i.025.lcssa to i64
  tail call void @stop(i64 noundef %conv)
  unreachable

if.end:
  %cmp2 = icmp ugt i32 %i.025, 5
  br i1 %cmp2, label %for.cond5.preheader, label %for.inc11

for.cond5.preheader:
  %1 = load i32, ptr %columns, align 4
  %cmp622 = icmp sgt i32 %1, 0
  br i1 %cmp622, label %for.body9.preheader, label %for.inc11

for.body9.preheader:
  br label %for.body9

for.body9:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body9 ], [ 0, %for.body9.preheader ]
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %2, %i.025
  store i32 %add, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %3 = load i32, ptr %columns, align 4
  %4 = sext i32 %3 to i64
  %cmp6 = icmp slt i64 %indvars.iv.next, %4
  br i1 %cmp6, label %for.body9, label %for.inc11.loopexit

for.inc11.loopexit:
  br label %for.inc11

for.inc11:
  %inc12 = add nuw nsw i32 %i.025, 1
  %exitcond.not = icmp eq i32 %inc12, %n
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body
}

; CHECK-LABEL: SCoPs of function 'before_stop'
; CHECK: scop "before_stop: for.body5 => if.end.loopexit"
; CHECK: context: [p0] -> { : 0 < p0 <= 2147483647 }
; CHECK: array i32 x[*]
; CHECK: load i32 v0 from t if [p0] -> { : }
; CHECK: may alias: x, t
; CHECK: domain: [p0] -> { S0[i0] : 0 <= i0 < p0 }
; CHECK: %{{[0-9]+}} = read [p0] -> { S0[i0] -> x[i0] }
; CHECK: write [p0] -> { S0[i0] -> x[i0] } of %{{[0-9]+}}
; CHECK: rejected loop nest: non-affine-condition: the condition of a branch depends on the value loaded from 't', which is computed inside the region
define void @before_stop(i32 noundef %n, ptr nocapture noundef readonly %s, ptr nocapture noundef readonly %t, ptr nocapture noundef %x) {
entry:
  %cmp22 = icmp sgt i32 %n, 0
  br i1 %cmp22, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %columns = getelementptr inbounds i8, ptr %t, i64 4
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.023 = phi i32 [ 0, %for.body.lr.ph ], [ %inc10, %for.inc9 ]
  %cmp1 = icmp ugt i32 %i.023, 5
  br i1 %cmp1, label %for.cond2.preheader, label %if.end

for.cond2.preheader:
  %0 = load i32, ptr %columns, align 4
  %cmp320 = icmp sgt i32 %0, 0
  br i1 %cmp320, label %for.body5.preheader, label %if.end

for.body5.preheader:
  br label %for.body5

for.body5:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body5 ], [ 0, %for.body5.preheader ]
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %1 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %1, %i.023
  store i32 %add, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %2 = load i32, ptr %columns, align 4
  %3 = sext i32 %2 to i64
  %cmp3 = icmp slt i64 %indvars.iv.next, %3
  br i1 %cmp3, label %for.body5, label %if.end.loopexit

if.end.loopexit:
  br label %if.end

if.end:
  %4 = load i32, ptr %s, align 8
  %cmp6.not = icmp slt i32 %i.023, %4
  br i1 %cmp6.not, label %for.inc9, label %if.then7

if.then7:
  %i.023.lcssa = phi i32 [ %i.023, %if.end ]
  %conv = zext nneg i32 %i.023.lcssa to i64
  tail call void @stop(i64 noundef %conv)
  unreachable

for.inc9:
  %inc10 = add nuw nsw i32 %i.023, 1
  %exitcond.not = icmp eq i32 %inc10, %n
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body
}

; CHECK-LABEL: SCoPs of function 'stored_before'
; CHECK: scop "stored_before: for.body4 => for.cond.cleanup3.loopexit"
; CHECK: context: [p0] -> { : 0 < p0 <= 2147483647 }
; CHECK: array i32 x[*]
; CHECK: load i32 v0 from L0 if [p0] -> { : }
; CHECK: may alias: x, L0
; CHECK: domain: [p0] -> { S0[i0] : 0 <= i0 < p0 }
; CHECK: %{{[0-9]+}} = read [p0] -> { S0[i0] -> x[i0] }
; CHECK: write [p0] -> { S0[i0] -> x[i0] } of %{{[0-9]+}}
; CHECK: rejected loop nest: non-affine-condition: the condition of a branch depends on the value loaded from memory, which is computed inside the region
define void @stored_before(i32 noundef %n, ptr nocapture noundef readonly %s, ptr nocapture noundef writeonly %slot, ptr noundef %good, ptr nocapture noundef %x) {
entry:
  %cmp14 = icmp sgt i32 %n, 0
  br i1 %cmp14, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  br label %for.body

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.015 = phi i32 [ %inc6, %for.cond.cleanup3 ], [ 0, %for.body.preheader ]
  store ptr %good, ptr %slot, align 8
  %0 = load ptr, ptr %s, align 8
  %columns = getelementptr inbounds i8, ptr %0, i64 4
  %1 = load i32, ptr %columns, align 4
  %cmp212 = icmp sgt i32 %1, 0
  br i1 %cmp212, label %for.body4.preheader, label %for.cond.cleanup3

for.body4.preheader:
  br label %for.body4

for.cond.cleanup3.loopexit:
  br label %for.cond.cleanup3

for.cond.cleanup3:
  %inc6 = add nuw nsw i32 %i.015, 1
  %exitcond.not = icmp eq i32 %inc6, %n
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body

for.body4:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body4 ], [ 0, %for.body4.preheader ]
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %2 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %2, %i.015
  store i32 %add, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %3 = load i32, ptr %columns, align 4
  %4 = sext i32 %3 to i64
  %cmp2 = icmp slt i64 %indvars.iv.next, %4
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3.loopexit
}

; CHECK-LABEL: SCoPs of function 'counted'
; CHECK: rejected loop nest: non-affine-condition: the condition of a branch depends on the result of 'phi', which is computed inside the region
; CHECK: rejected loop nest: unknown-trip-count: it is not known how often the loop runs: its exit depends on the result of 'sext'
define void @counted(i32 noundef %n, ptr nocapture noundef %count, ptr nocapture noundef %x) {
entry:
  %cmp15 = icmp sgt i32 %n, 0
  br i1 %cmp15, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %0 = load i32, ptr %count, align 4
  %1 = icmp sgt i32 %0, 0
  br i1 %1, label %for.cond1.preheader.preheader, label %for.cond.cleanup

for.cond1.preheader.preheader:
  br label %for.cond1.preheader

for.cond1.preheader:
  %2 = phi i32 [ %3, %for.cond.cleanup3 ], [ %0, %for.cond1.preheader.preheader ]
  %i.016 = phi i32 [ %inc6, %for.cond.cleanup3 ], [ 0, %for.cond1.preheader.preheader ]
  %cmp213 = icmp sgt i32 %2, 0
  br i1 %cmp213, label %for.body4.preheader, label %for.cond.cleanup3

for.body4.preheader:
  br label %for.body4

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.cond.cleanup3.loopexit:
  %sub.lcssa = phi i32 [ %sub, %for.body4 ]
  br label %for.cond.cleanup3

for.cond.cleanup3:
  %3 = phi i32 [ %2, %for.cond1.preheader ], [ %sub.lcssa, %for.cond.cleanup3.loopexit ]
  %inc6 = add nuw nsw i32 %i.016, 1
  %exitcond.not = icmp eq i32 %inc6, %n
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader

for.body4:
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body4 ], [ 0, %for.body4.preheader ]
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %4 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %4, %i.016
  store i32 %add, ptr %arrayidx, align 4
  %5 = load i32, ptr %count, align 4
  %sub = add nsw i32 %5, -1
  store i32 %sub, ptr %count, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %6 = sext i32 %sub to i64
  %cmp2 = icmp slt i64 %indvars.iv.next, %6
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3.loopexit
}


declare void @stop(i64) noreturn
