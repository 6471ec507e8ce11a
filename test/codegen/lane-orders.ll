; Vectors of interleaved data: orders of lanes that few shuffles make, and what stays as it is.

; RUN: %opt %loadpoly -passes=poly-order-lanes -mtriple=x86_64-unknown-linux-gnu -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes=poly-order-lanes -mtriple=aarch64-unknown-linux-gnu -S %s | %FileCheck --check-prefix=OTHER %s

; OTHER-NOT: load <4 x double>

; Both components of points from two vectors within parts of 128 bits, and back.
; CHECK-LABEL: @pairs(
; CHECK:         [[A:%.*]] = load <4 x double>, ptr %p, align 8, !tbaa
; CHECK:         [[B:%.*]] = load <4 x double>, ptr {{.*}}, align 8, !tbaa
; CHECK:         [[X:%.*]] = shufflevector <4 x double> [[A]], <4 x double> [[B]], <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK:         [[Y:%.*]] = shufflevector <4 x double> [[A]], <4 x double> [[B]], <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK:         [[S:%.*]] = fadd <4 x double> [[X]], [[Y]]
; CHECK:         [[D:%.*]] = fsub <4 x double> [[X]], [[Y]]
; CHECK:         [[C:%.*]] = shufflevector <4 x double> [[S]], <4 x double> [[D]], <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK:         [[E:%.*]] = shufflevector <4 x double> [[S]], <4 x double> [[D]], <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK:         store <4 x double> [[C]], ptr %q, align 8
; CHECK:         store <4 x double> [[E]], ptr
; CHECK-NEXT:    ret void
define void @pairs(ptr %q, ptr %p) {
  %l = load <8 x double>, ptr %p, align 8, !tbaa !0
  %x = shufflevector <8 x double> %l, <8 x double> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y = shufflevector <8 x double> %l, <8 x double> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %s = fadd <4 x double> %x, %y
  %d = fsub <4 x double> %x, %y
  %i = shufflevector <4 x double> %s, <4 x double> %d, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x double> %i, ptr %q, align 8
  ret void
}

; Three components: choices, and turned where their points begin with another one.
; CHECK-LABEL: @triples(
; CHECK-COUNT-3: load <8 x float>
; CHECK:         shufflevector <8 x float> {{.*}}, <8 x i32> <i32 0, i32 1, i32 10, i32 3, i32 4, i32 13, i32 6, i32 7>
; CHECK:         store <8 x float>
; CHECK:         store <8 x float>
; CHECK:         store <8 x float>
; CHECK-NEXT:    ret void
define void @triples(ptr %q, ptr %p) {
  %l = load <24 x float>, ptr %p, align 4
  %x = shufflevector <24 x float> %l, <24 x float> poison, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21>
  %y = shufflevector <24 x float> %l, <24 x float> poison, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 16, i32 19, i32 22>
  %z = shufflevector <24 x float> %l, <24 x float> poison, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 17, i32 20, i32 23>
  %a = fmul <8 x float> %x, %y
  %b = fadd <8 x float> %z, %x
  %c = fsub <8 x float> %y, %z
  %ab = shufflevector <8 x float> %a, <8 x float> %b, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %cc = shufflevector <8 x float> %c, <8 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %i = shufflevector <16 x float> %ab, <16 x float> %cc, <24 x i32> <i32 0, i32 8, i32 16, i32 1, i32 9, i32 17, i32 2, i32 10, i32 18, i32 3, i32 11, i32 19, i32 4, i32 12, i32 20, i32 5, i32 13, i32 21, i32 6, i32 14, i32 22, i32 7, i32 15, i32 23>
  store <24 x float> %i, ptr %q, align 4
  ret void
}

; Sums and products of all components are made in the order of memory, with a vector of both factors.
; CHECK-LABEL: @same(
; CHECK:         [[F:%.*]] = shufflevector <16 x i32> %l0, <16 x i32> %r0, <16 x i32> <i32 0, i32 17, i32 2, i32 19
; CHECK:       loop:
; CHECK-NOT:     shufflevector
; CHECK:         mul <16 x i32> {{.*}}[[F]]
; CHECK:         store <16 x i16>
; CHECK-NOT:     shufflevector
; CHECK:       exit:
define void @same(ptr noalias %q, ptr noalias %p, i32 %left, i32 %right, i64 %n) {
entry:
  %li = insertelement <16 x i32> poison, i32 %left, i64 0
  %l0 = shufflevector <16 x i32> %li, <16 x i32> poison, <16 x i32> zeroinitializer
  %ri = insertelement <16 x i32> poison, i32 %right, i64 0
  %r0 = shufflevector <16 x i32> %ri, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i16, ptr %p, i64 %k
  %l = load <32 x i16>, ptr %from, align 2
  %x = shufflevector <32 x i16> %l, <32 x i16> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %y = shufflevector <32 x i16> %l, <32 x i16> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  %xw = sext <16 x i16> %x to <16 x i32>
  %yw = sext <16 x i16> %y to <16 x i32>
  %xs = mul <16 x i32> %xw, %l0
  %ys = mul <16 x i32> %r0, %yw
  %xh = lshr <16 x i32> %xs, splat (i32 8)
  %yh = lshr <16 x i32> %ys, splat (i32 8)
  %xt = trunc <16 x i32> %xh to <16 x i16>
  %yt = trunc <16 x i32> %yh to <16 x i16>
  %i = shufflevector <16 x i16> %xt, <16 x i16> %yt, <32 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23, i32 8, i32 24, i32 9, i32 25, i32 10, i32 26, i32 11, i32 27, i32 12, i32 28, i32 13, i32 29, i32 14, i32 30, i32 15, i32 31>
  %to = getelementptr i16, ptr %q, i64 %k
  store <32 x i16> %i, ptr %to, align 2
  %next = add i64 %k, 32
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A single array next to pairs: its vector is permuted.
; CHECK-LABEL: @lengths(
; CHECK:         [[R:%.*]] = fadd <4 x double>
; CHECK-NEXT:    [[P:%.*]] = shufflevector <4 x double> [[R]], <4 x double> poison, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
; CHECK-NEXT:    store <4 x double> [[P]]
define void @lengths(ptr %q, ptr %p) {
  %l = load <8 x double>, ptr %p, align 8
  %x = shufflevector <8 x double> %l, <8 x double> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y = shufflevector <8 x double> %l, <8 x double> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %s = fadd <4 x double> %x, %y
  store <4 x double> %s, ptr %q, align 8
  ret void
}

; The next iteration waits for what is handed on; it would wait for permutations, too.
; CHECK-LABEL: @handed_on(
; CHECK:         load <8 x i32>
define <4 x i32> @handed_on(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %s, %loop ]
  %from = getelementptr i32, ptr %p, i64 %k
  %l = load <8 x i32>, ptr %from, align 4
  %x = shufflevector <8 x i32> %l, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y = shufflevector <8 x i32> %l, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %m = mul <4 x i32> %x, %y
  %s = add <4 x i32> %sum, %m
  %next = add i64 %k, 8
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret <4 x i32> %s
}

; y += a * x of complex numbers: x is turned within each point, sums and differences are mixed (an
; instruction of AVX).
; CHECK-LABEL: @multiple(
; CHECK:         [[X:%.*]] = load <4 x double>, ptr %px
; CHECK-NOT:     <i32 0, i32 4, i32 2, i32 6>
; CHECK:         fmul <4 x double> [[X]], %re
; CHECK:         [[T:%.*]] = shufflevector <4 x double> [[X]], <4 x double> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK:         fmul <4 x double> [[T]], %im
; CHECK:         [[D:%.*]] = fsub <4 x double>
; CHECK:         [[S:%.*]] = fadd <4 x double>
; CHECK:         shufflevector <4 x double> [[D]], <4 x double> [[S]], <4 x i32> <i32 0, i32 5, i32 2, i32 7>
; CHECK:         ret void
define void @multiple(ptr noalias %py, ptr noalias %px, double %r, double %m) {
  %ri = insertelement <4 x double> poison, double %r, i64 0
  %re = shufflevector <4 x double> %ri, <4 x double> poison, <4 x i32> zeroinitializer
  %mi = insertelement <4 x double> poison, double %m, i64 0
  %im = shufflevector <4 x double> %mi, <4 x double> poison, <4 x i32> zeroinitializer
  br label %here
here:
  %x = load <8 x double>, ptr %px, align 8
  %x0 = shufflevector <8 x double> %x, <8 x double> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %x1 = shufflevector <8 x double> %x, <8 x double> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %a = fmul <4 x double> %x0, %re
  %b = fmul <4 x double> %x1, %im
  %c = fmul <4 x double> %x1, %re
  %d = fmul <4 x double> %x0, %im
  %t0 = fsub <4 x double> %a, %b
  %t1 = fadd <4 x double> %d, %c
  %y = load <8 x double>, ptr %py, align 8
  %y0 = shufflevector <8 x double> %y, <8 x double> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y1 = shufflevector <8 x double> %y, <8 x double> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %s0 = fadd <4 x double> %y0, %t0
  %s1 = fadd <4 x double> %y1, %t1
  %i = shufflevector <4 x double> %s0, <4 x double> %s1, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x double> %i, ptr %py, align 8
  ret void
}

; A volatile load stays one load.
; CHECK-LABEL: @kept(
; CHECK:         load volatile <8 x double>
define void @kept(ptr %q, ptr %p) {
  %l = load volatile <8 x double>, ptr %p, align 8
  %x = shufflevector <8 x double> %l, <8 x double> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %y = shufflevector <8 x double> %l, <8 x double> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %s = fadd <4 x double> %x, %y
  store <4 x double> %s, ptr %q, align 8
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"char"}
