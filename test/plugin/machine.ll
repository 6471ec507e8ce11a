; What the cost model knows of the processor: from the function, from a name, from a file.
; RUN: %opt %loadpoly -passes='print<poly-machine>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: env POLY_OPTS=machine=haswell %opt %loadpoly -passes='print<poly-machine>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=FORCED
; RUN: echo 'l3.bytes = 16M # of a smaller model' > %t.txt
; RUN: %opt %loadpoly -passes='print<poly-machine>' -poly-machine=%t.txt -disable-output %s 2>&1 | %FileCheck %s --check-prefix=FILE
; What is printed is read.
; RUN: %opt %loadpoly -passes='print<poly-machine>' -disable-output %s 2> %t.all
; RUN: sed -n '/known/,/unknown/p' %t.all > %t.one
; RUN: env POLY_OPTS=machine=%t.one %opt %loadpoly -passes='print<poly-machine>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=READ
; Errors say what is wrong.
; RUN: echo 'l3.byte = 16M' > %t.wrong
; RUN: %not %opt %loadpoly -passes='print<poly-machine>' -poly-machine=%t.wrong -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WRONG
; RUN: %not %opt %loadpoly -passes='print<poly-machine>' -poly-machine=zx81 -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NAME
; RUN: %not %opt %loadpoly -passes='print<poly-machine>' -poly-machine=%t.not.there -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ABSENT

; CHECK-LABEL: # Machine of function 'known'
; CHECK: processor = znver4
; CHECK: l1.bytes = 32K
; CHECK: vectors.bytes = 64 {{.*}}# Bytes of the widest vectors.
; CHECK: vectors.passes = 2
; CHECK-LABEL: # Machine of function 'unknown'
; CHECK: processor = x86-64-v3
; CHECK: vectors.bytes = 32

; FORCED-LABEL: # Machine of function 'known'
; FORCED: processor = haswell
; FORCED: vectors.bytes = 32
; FORCED-LABEL: # Machine of function 'unknown'
; FORCED: processor = haswell

; FILE-LABEL: # Machine of function 'known'
; FILE: processor = znver4
; FILE: l3.bytes = 16M
; FILE-LABEL: # Machine of function 'unknown'
; FILE: processor = x86-64-v3
; FILE: l3.bytes = 16M

; READ-LABEL: # Machine of function 'unknown'
; READ: processor = znver4
; READ: vectors.bytes = 64

; WRONG: line 1: there is no number 'l3.byte'; is 'l3.bytes' meant?
; NAME: expected a file or a processor: there is no processor 'zx81'; there are generic, x86-64,
; ABSENT: expected a file that can be read

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @known(ptr %a) "target-cpu"="znver4" "target-features"="+sse2,+avx,+avx2,+fma,+avx512f,+avx512vl" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @unknown(ptr %a) "target-cpu"="bdver4" "target-features"="+sse2,+avx,+avx2,+fma" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
